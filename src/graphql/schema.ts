import 'reflect-metadata';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { printSchemaWithDirectives } from '@graphql-tools/utils';
import { type GraphQLSchema, lexicographicSortSchema } from 'graphql';
import { buildSchemaSync, createResolversMap } from 'type-graphql';
import { createAuthChecker, type ReferenceAccess, referenceDirective } from '../auth/reference-access.ts';
import { CityResolver } from '../cities/city.resolver.ts';
import { AddressResolver } from '../companies/address.resolver.ts';
import { BranchResolver } from '../companies/branch.resolver.ts';
import { CompanyResolver, ViewerCompanyResolver } from '../companies/company.resolver.ts';
import { CountryResolver } from '../countries/country.resolver.ts';
import type { FindEntity } from '../federation/entity.ts';
import { ViewerItemResolver } from '../items/item.resolver.ts';
import { LookupsResolver } from '../lookups/lookups.resolver.ts';
import { ItemProductTagsResolver, ProductTagResolver } from '../product-tags/product-tag.resolver.ts';
import { ServiceResolver } from '../services/service.resolver.ts';
import { TimezoneResolver } from '../timezones/timezone.resolver.ts';
import { ViewerResolver } from '../viewer/viewer.resolver.ts';
import { type ResolversMap, withDirectResolvers } from './direct-resolvers.ts';
import type { Entities } from './entities.ts';

interface Schema {
  /** In the schema language. */
  typeDefs: string;
  schema: GraphQLSchema;
}

/** The schema as committed in schema.graphql, and what it executes. */
export function createSchema(referenceAccess: ReferenceAccess): Schema {
  const { typeDefs, resolvers } = createParts(referenceAccess);
  return { typeDefs, schema: makeExecutableSchema({ typeDefs, resolvers }) };
}

/** The same as a subgraph of Apollo Federation, which takes a library that nothing else needs. */
export async function createSubgraph(referenceAccess: ReferenceAccess): Promise<Schema> {
  const { buildSubgraph } = await import('./subgraph.ts');
  return buildSubgraph(createParts(referenceAccess), referenceAccess);
}

export interface SchemaParts {
  typeDefs: string;
  resolvers: ResolversMap;
  entities: Entities;
}

function createParts(referenceAccess: ReferenceAccess): SchemaParts {
  const built = buildSchemaSync({
    resolvers: [
      LookupsResolver,
      CountryResolver,
      CityResolver,
      TimezoneResolver,
      ServiceResolver,
      ViewerResolver,
      ViewerCompanyResolver,
      ViewerItemResolver,
      CompanyResolver,
      BranchResolver,
      AddressResolver,
      ProductTagResolver,
      ItemProductTagsResolver,
    ],
    authChecker: createAuthChecker(referenceAccess),
    directives: [referenceDirective],
    validate: false,
  });
  // Sorted, as the order of the decorators' registration depends on which module is imported first.
  const typeDefs = printSchemaWithDirectives(lexicographicSortSchema(built));
  const entities = Object.values(built.getTypeMap()).flatMap(({ name, extensions: { findEntity } }) =>
    findEntity === undefined ? [] : [[name, findEntity as FindEntity] as const],
  );
  return { typeDefs, resolvers: withDirectResolvers(createResolversMap(built)), entities: new Map(entities) };
}
