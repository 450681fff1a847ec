import type { GraphQLFieldResolver, GraphQLSchema } from 'graphql';
import type { TaggedItem } from '../../domain/partner/product-tags/item-tags.service.ts';
import { AppError } from '../../kernel/errors/app-error.ts';
import type { RequestContext } from '../request/context.ts';

/** Maximum number of tags of an item in a log line. */
const maxNotedTags = 1_000;

type Resolver = GraphQLFieldResolver<unknown, RequestContext>;

/** Adds to every mutation what all of them need: the note for the log, and the end after a failed one. */
export function wrapMutations(schema: GraphQLSchema): void {
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    field.resolve = unlessFailed(recordingWrites(field.resolve as Resolver));
  }
}

/** The payload of a mutation; without tag and item if it was rejected. */
interface WritePayload {
  replayed?: boolean;
  productTag?: { id: number } | null;
  item?: TaggedItem | null;
}

/** Runs a mutation unless an earlier one threw an error, a refusal being none: graphql-js would call all of them. */
function unlessFailed(resolve: Resolver): Resolver {
  return async (root, args, context, info) => {
    if (context.skipError) throw context.skipError;
    try {
      return await resolve(root, args, context, info);
    } catch (error) {
      // One error for all, because the trace of each takes time.
      context.skipError = new AppError('mutation_skipped');
      throw error;
    }
  };
}

/** Notes what a mutation wrote for the log. */
function recordingWrites(resolve: Resolver): Resolver {
  return async (root, args, context, info) => {
    const payload = (await resolve(root, args, context, info)) as WritePayload;
    const { replayed, productTag, item } = payload;
    if (productTag) context.noteWrite({ field: info.fieldName, id: productTag.id, ...(replayed && { replayed }) });
    if (item) {
      const productTagIds = item.changedTagIds.slice(0, maxNotedTags);
      context.noteWrite({ field: info.fieldName, id: item.id, productTagIds });
    }
    return payload;
  };
}
