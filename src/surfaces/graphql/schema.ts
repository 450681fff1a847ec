import 'reflect-metadata';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { printSchemaWithDirectives } from '@graphql-tools/utils';
import { type GraphQLFieldResolver, isObjectType, lexicographicSortSchema } from 'graphql';
import { buildSchemaSync, createResolversMap, type ResolverData } from 'type-graphql';
import { CompanyResolver } from '../../domain/partner/companies/company.resolver.ts';
import { Item } from '../../domain/partner/items/item.object.ts';
import { ItemResolver } from '../../domain/partner/items/item.resolver.ts';
import { PartnerResolver } from '../../domain/partner/partners/partner.resolver.ts';
import { ItemTagsResolver } from '../../domain/partner/product-tags/item-tags.resolver.ts';
import type { TaggedItem } from '../../domain/partner/product-tags/item-tags.service.ts';
import { ProductTagResolver } from '../../domain/partner/product-tags/product-tag.resolver.ts';
import { CityResolver } from '../../domain/reference/cities/city.resolver.ts';
import { CountryResolver } from '../../domain/reference/countries/country.resolver.ts';
import { LookupResolver } from '../../domain/reference/lookups/lookup.resolver.ts';
import { ServiceResolver } from '../../domain/reference/services/service.resolver.ts';
import { TimezoneResolver } from '../../domain/reference/timezones/timezone.resolver.ts';
import { complexityDirective, referenceDirective } from '../../domain/request/access.ts';
import type { PageArgs } from '../../domain/request/connection.ts';
import type { ReferenceAccess, RequestContext } from '../../domain/request/context.ts';
import { AppError } from '../../kernel/errors/app-error.ts';
import type { Locale } from '../../kernel/localization/locale.ts';
import { type LocalizedName, localizedName } from '../../kernel/localization/localized-name.ts';

/** Maximum number of tags of an item in a log line. */
const maxNotedTags = 1_000;

/** The schema as text (SDL), as in schema.graphql, and as an executable object. */
export function createSchema(referenceAccess: ReferenceAccess) {
  const { typeDefs, resolvers } = createTypeDefsAndResolvers(referenceAccess);
  return { typeDefs, schema: makeExecutableSchema({ typeDefs, resolvers }) };
}

export function createTypeDefsAndResolvers(referenceAccess: ReferenceAccess) {
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
    directives: [referenceDirective, complexityDirective],
    validate: false,
  });
  // Sorted, because decorators register types in the order of imports.
  const typeDefs = printSchemaWithDirectives(lexicographicSortSchema(built));
  const resolvers: Record<string, object> = createResolversMap(built);
  for (const type of Object.values(built.getTypeMap())) {
    const isNamed = isObjectType(type) && type.getFields().name?.args.some(({ name }) => name === 'locale');
    if (isNamed) resolvers[type.name] = { ...(resolvers[type.name] as object), name: resolveName };
  }
  // As for names. If the schema lacks the type or the field, `makeExecutableSchema` throws.
  const tags = (item: Item, args: PageArgs, context: RequestContext) => Item.prototype.tags.call(item, context, args);
  resolvers.Item = { ...(resolvers.Item as object), tags };
  const mutations = resolvers.Mutation as Record<string, GraphQLFieldResolver<unknown, RequestContext>>;
  for (const [name, resolve] of Object.entries(mutations)) mutations[name] = noted(resolve);
  return { typeDefs, resolvers: resolvers as ReturnType<typeof createResolversMap> };
}

// Replaces type-graphql's call of a method: names and tags of items are most of the fields of a response.
function resolveName(
  row: LocalizedName<string | null>,
  { locale }: { locale?: Locale | null },
  context: RequestContext,
) {
  return localizedName(row, locale ?? context.locale);
}

/** The payload of a mutation; without tag and item if it was rejected. */
interface WritePayload {
  replayed?: boolean;
  productTag?: { id: number } | null;
  item?: TaggedItem | null;
}

/** Notes what a mutation wrote for the log, or that it failed: later ones then do not run, though graphql-js calls them. */
function noted(resolve: GraphQLFieldResolver<unknown, RequestContext>): typeof resolve {
  return async (root, args, context, info) => {
    if (context.hasFailedMutation) throw new AppError('mutation_skipped');
    try {
      const payload = (await resolve(root, args, context, info)) as WritePayload;
      const { replayed, productTag, item } = payload;
      if (productTag) context.writes.push({ field: info.fieldName, id: productTag.id, ...(replayed && { replayed }) });
      if (item) {
        const productTagIds = item.changedTagIds.slice(0, maxNotedTags);
        context.writes.push({ field: info.fieldName, id: item.id, productTagIds });
      }
      return payload;
    } catch (error) {
      context.hasFailedMutation = true;
      throw error;
    }
  };
}
