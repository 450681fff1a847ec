import type { GraphQLFieldResolver } from 'graphql';
import { requireCaller } from '../../domain/request/caller.ts';
import type { RequestContext } from '../../domain/request/context.ts';
import type { FindEntity } from '../../domain/request/entity.ts';
import type { ReferenceAccess } from '../../domain/request/reference-access.ts';
import { AppError } from '../../kernel/errors/app-error.ts';

/** What finds the entities of a type, by its name. */
export type Entities = ReadonlyMap<string, FindEntity>;

/**
 * Resolves `_entities`, in place of the library's own, which takes whatever it is given. One that is not there is null; a
 * representation that is none, or a caller who may not see one, is an error of the whole list: one, however long that is.
 */
export function resolveEntities(
  entities: Entities,
  referenceAccess: ReferenceAccess,
): GraphQLFieldResolver<unknown, RequestContext, { representations: readonly unknown[] }> {
  return async (_root, { representations }, context) => {
    if (referenceAccess === 'partner') await requireCaller(context);
    return Promise.all(
      representations.map(async (representation, index) => {
        const { __typename, id } = (representation ?? {}) as { __typename?: unknown; id?: unknown };
        const find = typeof __typename === 'string' ? entities.get(__typename) : undefined;
        if (find === undefined || !isInt(id)) {
          const parameter = `representations[${index}]`;
          throw new AppError('invalid_parameter', { values: { parameter, expected: 'representation' } });
        }
        const record = await find(id, context);
        // A copy, as reference data is shared by all requests.
        return record && { ...record, __typename };
      }),
    );
  };
}

// As GraphQL's Int has it: of 32 bits.
function isInt(value: unknown): value is number {
  return typeof value === 'number' && (value | 0) === value;
}
