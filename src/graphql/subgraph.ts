import { buildSubgraphSchema, type GraphQLResolverMap, printSubgraphSchema } from '@apollo/subgraph';
import { parse } from 'graphql';
import type { ReferenceAccess } from '../auth/reference-access.ts';
import { resolveEntities } from './entities.ts';
import type { SchemaParts } from './schema.ts';

// The oldest version that has what is imported of it: every router of Federation 2 knows it.
const link = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.0", import: ["@key"])';

/** The schema as a subgraph of Apollo Federation, whose entities are the types that are found by their ids. */
export function buildSubgraph({ typeDefs, resolvers, entities }: SchemaParts, referenceAccess: ReferenceAccess) {
  const keys = [...entities.keys()].map((name) => `extend type ${name} @key(fields: "id")`);
  const _entities = resolveEntities(entities, referenceAccess);
  const schema = buildSubgraphSchema([
    {
      typeDefs: parse([typeDefs, link, ...keys].join('\n')),
      resolvers: { ...resolvers, Query: { ...resolvers.Query, _entities } } as GraphQLResolverMap,
    },
  ]);
  return { typeDefs: printSubgraphSchema(schema), schema };
}
