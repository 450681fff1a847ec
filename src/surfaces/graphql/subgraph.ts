import {
  addResolversToSchema,
  buildSubgraphSchema,
  type GraphQLResolverMap,
  printSubgraphSchema,
} from '@apollo/subgraph';
import { parse } from 'graphql';
import { z } from 'zod';
import { itemsById } from '../../domain/partner/items/item.queries.ts';
import { loadProductTag } from '../../domain/partner/product-tags/product-tag.object.ts';
import type { ReferenceAccess, RequestContext } from '../../domain/request/context.ts';
import { AppError } from '../../kernel/errors/app-error.ts';
import { createTypeDefsAndResolvers } from './schema.ts';

// The oldest version with `@key`: every router of Federation 2 knows it.
const link = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.0", import: ["@key"])';

/** The types that other subgraphs may reference by id, and the lookup of an entity that the caller may see. */
const entities = {
  City: (id: number, { reference }: RequestContext) => reference.cities.byId.get(id),
  Country: (id: number, { reference }: RequestContext) => reference.countries.byId.get(id),
  Item: (id: number, { loaders }: RequestContext) => loaders.of(itemsById).load(id),
  ProductTag: (id: number, { loaders }: RequestContext) => loadProductTag(loaders, id),
  Service: (id: number, { reference }: RequestContext) => reference.services.byId.get(id),
};
const names = Object.keys(entities) as (keyof typeof entities)[];
const representations = z.array(z.object({ __typename: z.enum(names), id: z.int32() }));

/** The schema as a subgraph of Apollo Federation. */
export function createSubgraph(referenceAccess: ReferenceAccess) {
  const { typeDefs: own, resolvers } = createTypeDefsAndResolvers(referenceAccess);
  const keys = names.map((name) => `extend type ${name} @key(fields: "id")`);
  const document = parse([own, link, ...keys].join('\n'));
  const schema = buildSubgraphSchema([{ typeDefs: document, resolvers: resolvers as GraphQLResolverMap }]);
  const typeDefs = printSubgraphSchema(schema);

  /** Returns null for an unknown entity. An invalid representation or a missing permission fails the whole list. */
  async function resolveEntities(_root: unknown, args: { representations: unknown }, context: RequestContext) {
    if (referenceAccess === 'partner') await context.requireCaller();
    const { data, error } = representations.safeParse(args.representations);
    if (error !== undefined) {
      const parameter = `representations[${String(error.issues[0]?.path[0])}]`;
      throw new AppError('invalid_parameter', { values: { parameter, expected: 'representation' } });
    }
    return Promise.all(
      data.map(async ({ __typename, id }) => {
        const record = await entities[__typename](id, context);
        // Copy, because all requests share reference data.
        return record && { ...record, __typename };
      }),
    );
  }

  // The library's own resolvers accept any representation, and print the schema for each request.
  addResolversToSchema(schema, { Query: { _entities: resolveEntities, _service: () => ({ sdl: typeDefs }) } });
  return { typeDefs, schema };
}
