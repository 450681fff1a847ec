import 'reflect-metadata';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { printSchemaWithDirectives } from '@graphql-tools/utils';
import { lexicographicSortSchema } from 'graphql';
import { buildSchemaSync, createResolversMap, type ResolverData } from 'type-graphql';
import type { ReferenceAccess, RequestContext } from '../request/context.ts';
import { wrapMutations } from './mutations.ts';
import { CompanyResolver } from './partner/company.resolver.ts';
import { ItemResolver } from './partner/item.resolver.ts';
import { ItemTagsResolver } from './partner/item-tags.resolver.ts';
import { PartnerResolver } from './partner/partner.resolver.ts';
import { ProductTagResolver } from './partner/product-tag.resolver.ts';
import { CityResolver } from './reference/city.resolver.ts';
import { CountryResolver } from './reference/country.resolver.ts';
import { LookupResolver } from './reference/lookup.resolver.ts';
import { ServiceResolver } from './reference/service.resolver.ts';
import { TimezoneResolver } from './reference/timezone.resolver.ts';
import { referenceDirective } from './types/access.ts';
import { applyRules } from './types/apply-rules.ts';

/** The schema as text (SDL), as in schema.graphql, and as an executable object. */
export function createSchema(referenceAccess: ReferenceAccess) {
  const built = buildSchemaSync({
    resolvers: [
      CityResolver,
      CompanyResolver,
      CountryResolver,
      ItemResolver,
      ItemTagsResolver,
      LookupResolver,
      PartnerResolver,
      ProductTagResolver,
      ServiceResolver,
      TimezoneResolver,
    ],
    async authChecker({ context }: ResolverData<RequestContext>) {
      if (referenceAccess === 'partner') await context.requireCaller();
      return true;
    },
    directives: [referenceDirective],
    validate: false,
  });
  // Sorted, because decorators register types in the order of imports.
  const typeDefs = printSchemaWithDirectives(lexicographicSortSchema(built));
  const schema = makeExecutableSchema({ typeDefs, resolvers: createResolversMap(built) });
  applyRules(built, schema);
  wrapMutations(schema);
  return { typeDefs, schema };
}
