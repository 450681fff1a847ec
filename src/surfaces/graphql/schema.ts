import 'reflect-metadata';
import { extractExtensionsFromSchema, makeExecutableSchema } from '@graphql-tools/schema';
import { printSchemaWithDirectives } from '@graphql-tools/utils';
import { type GraphQLFieldResolver, lexicographicSortSchema } from 'graphql';
import { buildSchemaSync, createResolversMap, type ResolverData } from 'type-graphql';
import { AppError } from '../../kernel/errors/app-error.ts';
import type { ReferenceAccess, RequestContext } from '../request/context.ts';
import { ItemTagFields } from './partner/item-tags.ts';
import { ItemResolver } from './partner/items.ts';
import { PartnerResolver } from './partner/partner.ts';
import { ProductTagMutations } from './partner/product-tag-mutations.ts';
import { ProductTagResolver } from './partner/product-tags.ts';
import { ReferenceResolver } from './reference.ts';
import { referenceDirective } from './types/access.ts';
import { applyRules } from './types/field-rules.ts';

const rootDescriptions: Record<string, string> = {
  Query:
    'Reads. Send your token in the header `Authorization: Bearer YOUR_TOKEN` (UNAUTHENTICATED otherwise); reference data ' +
    '(lookups, countries, cities, time zones and services) needs none by default.',
  Mutation:
    'Writes, in the order of the document. Send a token with write access (READ_ONLY_TOKEN otherwise) in the header ' +
    '`Authorization: Bearer YOUR_TOKEN` (UNAUTHENTICATED otherwise).',
};

export function createSchema(referenceAccess: ReferenceAccess) {
  const built = buildSchemaSync({
    resolvers: [
      ItemResolver,
      ItemTagFields,
      PartnerResolver,
      ProductTagMutations,
      ProductTagResolver,
      ReferenceResolver,
    ],
    async authChecker({ context }: ResolverData<RequestContext>) {
      if (referenceAccess === 'partner') await context.requireCaller();
      return true;
    },
    directives: [referenceDirective],
    validate: false,
  });
  for (const type of [built.getQueryType(), built.getMutationType()])
    if (type) type.description = rootDescriptions[type.name];
  // Sorted, because decorators register types in the order of imports.
  const typeDefs = printSchemaWithDirectives(lexicographicSortSchema(built));
  const schema = makeExecutableSchema({
    typeDefs,
    resolvers: createResolversMap(built),
    // Printing drops extensions, which have the rules of fields.
    schemaExtensions: [extractExtensionsFromSchema(built)],
  });
  applyRules(schema);
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {}))
    field.resolve = guardMutation(field.resolve as Resolver);
  return { typeDefs, schema };
}

type Resolver = GraphQLFieldResolver<unknown, RequestContext>;

/** Skips the mutation if an earlier one in the document threw; graphql-js would run it. */
function guardMutation(resolve: Resolver): Resolver {
  return async (root, args, context, info) => {
    if (context.skipError) throw context.skipError;
    try {
      await context.requireWriteAccess();
      return await resolve(root, args, context, info);
    } catch (error) {
      // One error for all, because capturing a stack takes time.
      context.skipError = new AppError('mutation_skipped');
      throw error;
    }
  };
}
