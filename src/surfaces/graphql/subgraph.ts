import {
  addResolversToSchema,
  buildSubgraphSchema,
  type GraphQLResolverMap,
  printSubgraphSchema,
} from '@apollo/subgraph';
import { type GraphQLFieldResolver, parse } from 'graphql';
import { itemsById } from '../../domain/partner/items/item.queries.ts';
import { productTagsById } from '../../domain/partner/product-tags/product-tag.queries.ts';
import type { ReferenceAccess } from '../../domain/request/access.ts';
import type { RequestContext } from '../../domain/request/context.ts';
import { AppError } from '../../kernel/errors/app-error.ts';
import type { SchemaParts } from './schema.ts';

// The oldest version with `@key`: every router of Federation 2 knows it.
const link = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.0", import: ["@key"])';

type FindEntity = (id: number, context: RequestContext) => object | undefined | Promise<object | undefined>;

/** The types that other subgraphs may refer to by id, and how to find the one that the caller may see. */
const entities = new Map<unknown, FindEntity>([
  ['City', (id, { reference }) => reference.citiesById.get(id)],
  ['Country', (id, { reference }) => reference.countriesById.get(id)],
  ['Item', (id, { loaders }) => loaders.of(itemsById).load(id)],
  ['ProductTag', (id, { loaders }) => loaders.of(productTagsById).load(id)],
  ['Service', (id, { reference }) => reference.servicesById.get(id)],
]);

/** The schema as a subgraph of Apollo Federation, whose entities are the types with a key. */
export function buildSubgraph({ typeDefs: own, resolvers }: SchemaParts, referenceAccess: ReferenceAccess) {
  const keys = [...entities.keys()].map((name) => `extend type ${name} @key(fields: "id")`);
  const document = parse([own, link, ...keys].join('\n'));
  const schema = buildSubgraphSchema([{ typeDefs: document, resolvers: resolvers as GraphQLResolverMap }]);
  const typeDefs = printSubgraphSchema(schema);
  // The library's own accept any representation, and print the schema for each request.
  addResolversToSchema(schema, {
    Query: { _entities: resolveEntities(referenceAccess), _service: () => ({ sdl: typeDefs }) },
  });
  return { typeDefs, schema };
}

/**
 * Resolves `_entities`. An unknown entity is null. An invalid representation, or a caller who may not see an entity, is one error
 * of the whole list.
 */
function resolveEntities(
  referenceAccess: ReferenceAccess,
): GraphQLFieldResolver<unknown, RequestContext, { representations: readonly unknown[] }> {
  return async (_root, { representations }, context) => {
    if (referenceAccess === 'partner') await context.requireCaller();
    return Promise.all(
      representations.map(async (representation, index) => {
        const { __typename, id } = (representation ?? {}) as { __typename?: unknown; id?: unknown };
        const find = entities.get(__typename);
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

/** Whether a value is an Int of GraphQL, which has 32 bits. */
function isInt(value: unknown): value is number {
  return typeof value === 'number' && (value | 0) === value;
}
