import { type FieldNode, GraphQLError, type GraphQLField, getNamedType } from 'graphql';
import { idempotencyKeyOf } from '../../domain/partner/idempotency/idempotency-key.ts';
import { requireShort } from '../../domain/partner/items/item.args.ts';
import { versionConditionOf } from '../../domain/partner/product-tags/version-condition.ts';
import { requirePage } from '../../domain/reference/lookups/lookup.resolver.ts';
import { type PageArgs, parsePage } from '../../domain/request/connection.ts';
import type { RequestContext } from '../../domain/request/context.ts';
import { parseSearch } from '../../domain/request/search.ts';
import { toAppError } from '../../kernel/errors/to-app-error.ts';

// biome-ignore lint/suspicious/noExplicitAny: the schema has checked the types of the arguments
type Arguments = any;

type Check = (args: Arguments, context: RequestContext, typeName: string) => unknown;

/** The rules of arguments that their types do not check, by the argument's name. */
const checks: Record<string, Check> = {
  first: (args: PageArgs, _, typeName) => parsePage(typeName, args),
  idempotencyKey: (args, context) => idempotencyKeyOf(context, args.idempotencyKey),
  ifMatch: (args, context) => versionConditionOf(context, args.ifMatch),
  page: (args) => requirePage(args),
  ids: ({ ids }) => requireShort({ ids }),
  productTagIds: ({ productTagIds }) => requireShort({ productTagIds }),
  search: ({ search }) => parseSearch(search),
};

/** Throws `invalid_parameter` if an argument of a field, or the header that is its default, is malformed. */
export function checkArguments(
  context: RequestContext,
  field: GraphQLField<unknown, unknown>,
  values: Record<string, unknown>,
  node: FieldNode,
): void {
  try {
    for (const { name } of field.args) checks[name]?.(values, context, getNamedType(field.type).name);
  } catch (error) {
    const originalError = toAppError(error);
    throw new GraphQLError(originalError.message, { nodes: node, originalError });
  }
}
