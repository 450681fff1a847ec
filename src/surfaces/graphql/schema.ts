import 'reflect-metadata';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { printSchemaWithDirectives } from '@graphql-tools/utils';
import { type GraphQLFieldResolver, lexicographicSortSchema } from 'graphql';
import { buildSchemaSync, createResolversMap, type ResolverData } from 'type-graphql';
import { CompanyResolver } from '../../domain/partner/companies/company.resolver.ts';
import { ItemResolver } from '../../domain/partner/items/item.resolver.ts';
import { PartnerResolver } from '../../domain/partner/partners/partner.resolver.ts';
import { ItemTagsResolver } from '../../domain/partner/product-tags/item-tags.resolver.ts';
import { ProductTagResolver } from '../../domain/partner/product-tags/product-tag.resolver.ts';
import { CityResolver } from '../../domain/reference/cities/city.resolver.ts';
import { CountryResolver } from '../../domain/reference/countries/country.resolver.ts';
import { LookupResolver } from '../../domain/reference/lookups/lookup.resolver.ts';
import { ServiceResolver } from '../../domain/reference/services/service.resolver.ts';
import { TimezoneResolver } from '../../domain/reference/timezones/timezone.resolver.ts';
import { referenceDirective } from '../../domain/request/access.ts';
import type { ReferenceAccess, RequestContext } from '../../domain/request/context.ts';
import { AppError } from '../../kernel/errors/app-error.ts';
import { applyRules } from './apply-rules.ts';

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
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    field.resolve = unlessFailed(field.resolve as Resolver);
  }
  return { typeDefs, schema };
}

type Resolver = GraphQLFieldResolver<unknown, RequestContext>;

// graphql-js runs the next mutation even if one fails, whose field is nullable so that earlier results stay.
function unlessFailed(resolve: Resolver): Resolver {
  return async (root, args, context, info) => {
    if (context.hasFailedMutation) throw new AppError('mutation_skipped');
    try {
      return await resolve(root, args, context, info);
    } catch (error) {
      context.hasFailedMutation = true;
      throw error;
    }
  };
}
