import { GraphQLDateTime } from 'graphql-scalars';
import { ArgsType, type ClassType, Field, Int } from 'type-graphql';
import type { Filters, FilterType } from '../../../domain/lists/filters.ts';
import type { Order } from '../../../domain/lists/ordered-list.ts';
import { type OrderedPageArgs, PageArgs } from '../types/connection.ts';
import { priceNotes } from '../types/scan.ts';
import { ItemType } from './item.object.ts';

/** The GraphQL types of filters. */
const types: Record<FilterType, () => object> = {
  boolean: () => Boolean,
  ids: () => [Int],
  itemType: () => ItemType,
  search: () => String,
  time: () => GraphQLDateTime,
};

/** The arguments of a list: its page, its order, and an argument for each filter. */
export function listArgs(order: Partial<Record<Order, Order>>, filters: Filters): ClassType<OrderedPageArgs> {
  @ArgsType()
  class ListArgs extends PageArgs {
    @Field(() => order, { nullable: true, defaultValue: 'ID', description: 'The order of the list.' })
    orderBy!: Order;

    @Field(() => Boolean, {
      nullable: true,
      defaultValue: false,
      description: 'Whether the list is in the reverse of its order.',
    })
    reverse!: boolean;
  }

  for (const [name, { type, description, reads }] of Object.entries(filters)) {
    const options = { nullable: true, description: `${description} ${priceNotes[reads]}` };
    Field(types[type], options)(ListArgs.prototype, name);
  }
  return ListArgs;
}
