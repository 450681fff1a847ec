import 'reflect-metadata';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { printSchemaWithDirectives } from '@graphql-tools/utils';
import { type GraphQLFieldResolver, lexicographicSortSchema } from 'graphql';
import { buildSchemaSync, createResolversMap, type ResolverData } from 'type-graphql';
import type { TaggedItem } from '../../domain/partner/product-tags/item-tags.service.ts';
import { AppError } from '../../kernel/errors/app-error.ts';
import type { ReferenceAccess, RequestContext } from '../request/context.ts';
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

/** Maximum number of tags of an item in a log line. */
const maxNotedTags = 1_000;

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
    field.resolve = unlessFailed(recordingWrites(field.resolve as Resolver));
  }
  return { typeDefs, schema };
}

type Resolver = GraphQLFieldResolver<unknown, RequestContext>;

/** The payload of a mutation; without tag and item if it was rejected. */
interface WritePayload {
  replayed?: boolean;
  productTag?: { id: number } | null;
  item?: TaggedItem | null;
}

/** Runs a mutation unless an earlier one threw an error, a refusal being none: graphql-js would call all of them. */
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

/** Notes what a mutation wrote for the log. */
function recordingWrites(resolve: Resolver): Resolver {
  return async (root, args, context, info) => {
    const payload = (await resolve(root, args, context, info)) as WritePayload;
    const { replayed, productTag, item } = payload;
    if (productTag) context.writes.push({ field: info.fieldName, id: productTag.id, ...(replayed && { replayed }) });
    if (item) {
      const productTagIds = item.changedTagIds.slice(0, maxNotedTags);
      context.writes.push({ field: info.fieldName, id: item.id, productTagIds });
    }
    return payload;
  };
}
