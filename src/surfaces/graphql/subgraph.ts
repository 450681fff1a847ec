import {
  addResolversToSchema,
  buildSubgraphSchema,
  type GraphQLResolverMap,
  printSubgraphSchema,
} from '@apollo/subgraph';
import { parse } from 'graphql';
import type { ReferenceAccess } from '../../domain/request/reference-access.ts';
import { resolveEntities } from './entities.ts';
import type { SchemaParts } from './schema.ts';

// The oldest version that has what is imported of it: every router of Federation 2 knows it.
const link = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.0", import: ["@key"])';

/** The schema as a subgraph of Apollo Federation, whose entities are the types that are found by their ids. */
export function buildSubgraph(parts: SchemaParts, referenceAccess: ReferenceAccess) {
  const { entities, resolvers } = parts;
  const keys = [...entities.keys()].map((name) => `extend type ${name} @key(fields: "id")`);
  const document = parse([parts.typeDefs, link, ...keys].join('\n'));
  const schema = buildSubgraphSchema([{ typeDefs: document, resolvers: resolvers as GraphQLResolverMap }]);
  const typeDefs = printSubgraphSchema(schema);
  // In place of the library's own, which take any representation, and print the schema for everyone who asks.
  addResolversToSchema(schema, {
    Query: { _entities: resolveEntities(entities, referenceAccess), _service: () => ({ sdl: typeDefs }) },
  });
  return { typeDefs, schema };
}
