import { GraphQLDateTime } from 'graphql-scalars';
import { Field } from 'type-graphql';
import type { Batch, Times } from '../../../domain/lists/batches.ts';
import { LoadedPrice, ResolveWith } from './field-rules.ts';

/** Declares a field with a time of a row, which is read when it is selected, unless the row has it. */
export function TimeField(batch: Batch<number, Times>, description: string) {
  return (target: object, property: keyof Times): void => {
    Field(() => GraphQLDateTime, { description })(target, property);
    LoadedPrice()(target, property);
    ResolveWith(
      async (row: { id: number } & Partial<Times>, _args, { loaders }) =>
        row[property] ?? (await loaders.of(batch).load(row.id))[property],
    )(target, property);
  };
}
