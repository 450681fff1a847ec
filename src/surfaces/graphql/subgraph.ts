import {
  addResolversToSchema,
  buildSubgraphSchema,
  type GraphQLResolverMap,
  printSubgraphSchema,
} from '@apollo/subgraph';
import { type GraphQLFieldResolver, parse } from 'graphql';
import type { FindEntity, ReferenceAccess } from '../../domain/request/access.ts';
import type { RequestContext } from '../../domain/request/context.ts';
import { AppError } from '../../kernel/errors/app-error.ts';
import type { SchemaParts } from './schema.ts';

// The oldest version with `@key`: every router of Federation 2 knows it.
const link = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.0", import: ["@key"])';

/** The schema as a subgraph of Apollo Federation, whose entities are the types with a key. */
export function buildSubgraph({ typeDefs: own, resolvers, types }: SchemaParts, referenceAccess: ReferenceAccess) {
  const names = Object.keys(types).filter((name) => findEntityOf(types, name) !== undefined);
  const keys = names.map((name) => `extend type ${name} @key(fields: "id")`);
  const document = parse([own, link, ...keys].join('\n'));
  const schema = buildSubgraphSchema([{ typeDefs: document, resolvers: resolvers as GraphQLResolverMap }]);
  const typeDefs = printSubgraphSchema(schema);
  // The library's own accept any representation, and print the schema for each request.
  addResolversToSchema(schema, {
    Query: { _entities: resolveEntities(types, referenceAccess), _service: () => ({ sdl: typeDefs }) },
  });
  return { typeDefs, schema };
}

/**
 * Resolves `_entities`. An unknown entity is null. An invalid representation, or a caller who may not see an entity, is one error
 * of the whole list.
 */
function resolveEntities(
  types: SchemaParts['types'],
  referenceAccess: ReferenceAccess,
): GraphQLFieldResolver<unknown, RequestContext, { representations: readonly unknown[] }> {
  return async (_root, { representations }, context) => {
    if (referenceAccess === 'partner') await context.requireCaller();
    return Promise.all(
      representations.map(async (representation, index) => {
        const { __typename, id } = (representation ?? {}) as { __typename?: unknown; id?: unknown };
        const find = typeof __typename === 'string' ? findEntityOf(types, __typename) : undefined;
        if (find === undefined || !isInt(id)) {
          const parameter = `representations[${index}]`;
          throw new AppError('invalid_parameter', { values: { parameter, expected: 'representation' } });
        }
        const record = await find(id, context);
        // A copy, as all requests share reference data.
        return record && { ...record, __typename };
      }),
    );
  };
}

function findEntityOf(types: SchemaParts['types'], name: string): FindEntity | undefined {
  return types[name]?.extensions.findEntity as FindEntity | undefined;
}

/** Whether a value is an Int of GraphQL, which has 32 bits. */
function isInt(value: unknown): value is number {
  return typeof value === 'number' && (value | 0) === value;
}
