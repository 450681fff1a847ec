import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { itemsById } from '../../../domain/partner/items/item.queries.ts';
import { maxChangedItems } from '../../../domain/partner/product-tags/product-tag.queries.ts';
import { messageValues, type TagOutcome } from '../../../domain/partner/product-tags/product-tag.service.ts';
import { graphqlCodeOf, type RefusalCode } from '../../../kernel/errors/catalog.ts';
import { type Outcome, refusalMessage } from '../../../kernel/errors/refusal.ts';
import type { RequestContext } from '../../request/context.ts';
import { Entries, EntryPrice, Price, sum, total } from '../types/field-rules.ts';
import { Item } from './item.object.ts';
import { ProductTag } from './product-tag.object.ts';

// The schema itself rejects a missing field.
const descriptions: Record<Uppercase<Exclude<RefusalCode, 'required'>>, string> = {
  INVALID_TYPE: 'The English name or the list cannot be null.',
  INVALID_LENGTH: 'A name must have 3 to 50 characters.',
  INVALID_CHARACTERS: 'A name must have visible characters and no control characters.',
  TOO_MANY_ITEMS: 'More than 10,000 items, in the list or on the tag.',
  ITEM_NOT_FOUND: "The partner's company does not have the items of `itemIds`.",
  ITEM_NOT_PRODUCT: 'The items of `itemIds` are not products.',
  PRODUCT_TAG_NOT_FOUND: "The partner's company does not have the tag, or the tags of `productTagIds`.",
  VERSION_MISMATCH: 'The tag has changed since you read it: its version is not `ifMatch`.',
  IDEMPOTENCY_KEY_IN_USE: 'A request with this idempotency key is still in progress: try again in a second.',
  IDEMPOTENCY_KEY_REUSED: 'Another request used this idempotency key in the last 24 hours.',
};

const codes = Object.entries(descriptions);
const UserErrorCode = Object.fromEntries(codes.map(([code]) => [code, code]));

registerEnumType(UserErrorCode, {
  name: 'UserErrorCode',
  description: 'Why a mutation was rejected.',
  valuesConfig: Object.fromEntries(codes.map(([code, description]) => [code, { description }])),
});

/** The items as of the write come from the ids of all of them, up to 10,000, however short the page is. */
const priceOfItems = 1_000;

/** The most errors of a mutation. */
const maxErrors = 10;

@ObjectType({
  simpleResolvers: true,
  description: 'One reason why a mutation was rejected. A rejected mutation writes nothing.',
})
export class UserError {
  @Field(() => UserErrorCode, { description: 'Error code, for programs.' })
  code!: string;

  @Price(2)
  @Field(() => [String], {
    nullable: true,
    description: 'Path of the invalid argument, such as ["input", "nameEn"].',
  })
  field!: string[] | null;

  @Field(() => String, { description: 'Error message, for people, in the language of the request.' })
  message!: string;

  // The errors of a mutation, counted as ten, name at most 10,000 items together.
  @Price(500)
  @Field(() => [Int], { nullable: true, description: 'The offending items, if the error is about items.' })
  itemIds!: number[] | null;

  // At most 100 tags together.
  @Price(10)
  @Field(() => [Int], { nullable: true, description: 'The offending tags, if the error is about a list of tags.' })
  productTagIds!: number[] | null;
}

@ObjectType({ simpleResolvers: true })
export abstract class MutationPayload {
  // At most one for each rule.
  @Entries(() => maxErrors)
  @Field(() => [UserError], { description: 'Why the mutation was rejected; empty when it succeeded.' })
  userErrors!: UserError[];
}

@ObjectType({ simpleResolvers: true })
abstract class TagPayload extends MutationPayload {
  @EntryPrice()
  @Field(() => [Item], {
    nullable: true,
    description:
      'The items that the mutation added to the tag or removed from it, by id: those that a client cache has to ' +
      'correct. Null when rejected, and when there are more than 1,000: then fetch lists of items again. Costs its ' +
      'fields as often as item ids are sent, at most 1,000 times; 1,000 times for a deletion, and for an update with ' +
      '`itemIds`.',
  })
  changedItems!: Item[] | null;

  @Field(() => ProductTag, {
    nullable: true,
    description: 'The tag as it is now, after VERSION_MISMATCH: with the version to use next. Null otherwise.',
  })
  current!: ProductTag | null;
}

/** Declares the price of a mutation that changes at most `countOf` items of a tag. */
export function PriceOfChanges<Args>(countOf: (args: Args) => number) {
  return Price<Args>((args, { changedItems = [], ...others }) => {
    const items = Math.min(countOf(args), maxChangedItems);
    return 1 + sum(changedItems.map((item) => 1 + items * item)) + total(others);
  });
}

@ObjectType({ simpleResolvers: true, description: 'Result of creating or updating a tag: the tag, or errors.' })
export class ProductTagPayload extends TagPayload {
  @Price((_args, children) => 1 + total(children) + (children.items ? priceOfItems : 0))
  @Field(() => ProductTag, {
    nullable: true,
    description: 'The tag after the mutation; null when rejected. Selecting its `items` costs 1,000 more.',
  })
  productTag!: ProductTag | null;

  @Field(() => Boolean, {
    description:
      'Whether this is the result of an earlier creation with the same idempotency key. False for other mutations.',
  })
  replayed!: boolean;
}

@ObjectType({ simpleResolvers: true, description: 'Result of deleting a tag.' })
export class DeleteProductTagPayload extends TagPayload {
  @Field(() => Int, { nullable: true, description: 'Id of the deleted tag; null when rejected.' })
  deletedProductTagId!: number | null;

  @Field(() => ProductTag, { nullable: true, description: 'The deleted tag, without items; null when rejected.' })
  productTag!: ProductTag | null;
}

/**
 * The payload of a write. After one that succeeded or found another version, resets the loaders, so that the rest of the
 * request reads the new state. `inputPath` is the path of the argument with the tag's fields.
 */
export function toPayload(context: RequestContext, outcome: TagOutcome, inputPath = ['input']) {
  const { result: productTag = null, current = null } = outcome;
  const userErrors = userErrorsOf(context, outcome, inputPath);
  const { loaders } = context;
  if (current !== null) loaders.reset();
  const shown = productTag ?? current;
  if (shown !== null) loaders.rememberRow(shown);
  const changedItems = async () => {
    const ids = productTag?.changedItemIds;
    // Some may have been deleted since the write.
    return ids ? (await loaders.of(itemsById).loadMany(ids)).filter((item) => item !== undefined) : null;
  };
  return { productTag, current, changedItems, replayed: productTag?.replayed ?? false, userErrors };
}

// Fields that are arguments or conditions of the mutation itself, not of its input.
const argumentNames = ['id', 'ifMatch', 'ifNoneMatch', 'idempotencyKey'];

/** The user errors of a write. Resets the loaders after one that succeeded. */
export function userErrorsOf(
  context: RequestContext,
  { refusals }: Outcome<unknown>,
  inputPath: string[],
): UserError[] {
  if (refusals === undefined) {
    context.loaders.reset();
    return [];
  }
  context.code ??= refusals[0]?.code;
  return refusals.map((refusal) => {
    const { code, field, itemIds = null, productTagIds = null } = refusal;
    const path = argumentNames.includes(field) ? [field] : [...inputPath, field];
    const message = refusalMessage({ ...refusal, values: { ...messageValues, ...refusal.values } }, context.locale);
    return { code: graphqlCodeOf(code), field: path, message, itemIds, productTagIds };
  });
}
