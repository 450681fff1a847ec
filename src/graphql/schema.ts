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
import { ViewerItemResolver } from '../items/item.resolver.ts';
import { LookupsResolver } from '../lookups/lookups.resolver.ts';
import { ItemProductTagsResolver, ProductTagResolver } from '../product-tags/product-tag.resolver.ts';
import { ServiceResolver } from '../services/service.resolver.ts';
import { TimezoneResolver } from '../timezones/timezone.resolver.ts';
import { ViewerResolver } from '../viewer/viewer.resolver.ts';
import { withDirectResolvers } from './direct-resolvers.ts';

/** The schema in the schema language, as committed in schema.graphql, and what it executes. */
export function createSchema(referenceAccess: ReferenceAccess): { typeDefs: string; schema: GraphQLSchema } {
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
  const resolvers = withDirectResolvers(createResolversMap(built));
  return { typeDefs, schema: makeExecutableSchema({ typeDefs, resolvers }) };
}
