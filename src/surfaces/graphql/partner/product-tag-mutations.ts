import { Arg, Ctx, Field, InputType, Int, Mutation, ObjectType, Resolver } from 'type-graphql';
import {
  addProductTagItems,
  createProductTag,
  deleteProductTag,
  type NewProductTag,
  type ProductTagChanges,
  removeProductTagItems,
  type TagOutcome,
  updateProductTag,
} from '../../../domain/partner/product-tags/product-tag.service.ts';
import type { Caller } from '../../../domain/partner/tokens/tokens.ts';
import { idempotencyKeyOf, noteIdempotencyKey, versionConditionOf } from '../../request/conditions.ts';
import type { RequestContext } from '../../request/context.ts';
import { CurrentCaller } from '../types/access.ts';
import { Rules } from '../types/field-rules.ts';
import { ProductTag } from './product-tags.ts';
import { MutationPayload, userErrorsOf } from './user-errors.ts';

@InputType({ description: 'Values of a new tag.' })
class CreateProductTagInput implements NewProductTag {
  @Field(() => String, {
    description:
      'English name: 3 to 50 characters after trimming (INVALID_LENGTH), no control characters (INVALID_CHARACTERS).',
  })
  nameEn!: string;

  @Field(() => String, { nullable: true, description: 'Optional Arabic name; the rules of `nameEn` apply.' })
  nameAr?: string | null | undefined;

  @Field(() => [Int], {
    nullable: true,
    description:
      "Products of the partner's company to tag (ITEM_NOT_FOUND, ITEM_NOT_PRODUCT), at most 10,000 (TOO_MANY_ITEMS). " +
      'Absent or null means none. A repeated id counts once.',
  })
  itemIds?: number[] | null | undefined;
}

@InputType({ description: 'New values for a tag.' })
class UpdateProductTagInput implements ProductTagChanges {
  @Field(() => String, {
    nullable: true,
    description:
      'English name: 3 to 50 characters after trimming (INVALID_LENGTH), no control characters (INVALID_CHARACTERS). ' +
      'Absent keeps it, null is rejected (INVALID_TYPE).',
  })
  nameEn?: string | null | undefined;

  @Field(() => String, {
    nullable: true,
    description: 'Arabic name; the rules of `nameEn` apply. Absent keeps it, null removes it.',
  })
  nameAr?: string | null | undefined;

  @Field(() => [Int], {
    nullable: true,
    description:
      "Products of the partner's company that replace the tag's items (ITEM_NOT_FOUND, ITEM_NOT_PRODUCT), at most " +
      '10,000 (TOO_MANY_ITEMS). Absent keeps the items, [] unlinks all, null is rejected (INVALID_TYPE). A ' +
      'repeated id counts once.',
  })
  itemIds?: number[] | null | undefined;
}

@ObjectType({ simpleResolvers: true, description: 'Result of creating or updating a tag: the tag, or errors.' })
class ProductTagPayload extends MutationPayload {
  @Field(() => ProductTag, {
    nullable: true,
    description: 'The tag after the mutation; null when rejected.',
  })
  productTag!: ProductTag | null;

  @Field(() => Boolean, {
    description:
      'Whether this is the result of an earlier creation with the same idempotency key. False for other mutations.',
  })
  replayed!: boolean;
}

@ObjectType({ simpleResolvers: true, description: 'Result of deleting a tag.' })
class DeleteProductTagPayload extends MutationPayload {
  @Field(() => Int, { nullable: true, description: 'Id of the deleted tag; null when rejected.' })
  deletedProductTagId!: number | null;

  @Field(() => ProductTag, { nullable: true, description: 'The deleted tag, without items; null when rejected.' })
  productTag!: ProductTag | null;
}

/** The payload of a mutation, which it notes for the log. `inputPath` is the path of the argument with the tag's fields. */
function toPayload(context: RequestContext, field: string, outcome: TagOutcome, inputPath = ['input']) {
  const { result: productTag = null } = outcome;
  const { replayed = false } = productTag ?? {};
  if (productTag) context.noteWrite({ field, id: productTag.id, ...(replayed && { replayed }) });
  return { productTag, replayed, userErrors: userErrorsOf(context, outcome, inputPath) };
}

// schema.ts wraps the resolver of every mutation: it does not run after one that failed.
@Resolver()
export class ProductTagMutations {
  @Rules<{ idempotencyKey?: string | null }>({
    check: ({ idempotencyKey }, context) => noteIdempotencyKey(context, idempotencyKey),
  })
  @Mutation(() => ProductTagPayload, {
    nullable: true,
    description:
      "Creates a tag of the partner's company with the items of `itemIds`. " +
      'Retries with the same idempotency key within 24 hours create nothing and return the original ' +
      'names, `version` and `itemIds`; `items` and `itemCount` are as they are now. They have the header ' +
      '`Idempotency-Replayed: true`.',
  })
  async createProductTag(
    @CurrentCaller() caller: Caller,
    @Ctx() context: RequestContext,
    @Arg('input', () => CreateProductTagInput, { description: 'Values of the tag.' }) input: CreateProductTagInput,
    @Arg('idempotencyKey', () => String, {
      nullable: true,
      description:
        'A unique key for this creation: 1 to 255 printable ASCII characters (BAD_USER_INPUT otherwise). Rejected if ' +
        'a different request used it (IDEMPOTENCY_KEY_REUSED), or a request with it is still in progress ' +
        '(IDEMPOTENCY_KEY_IN_USE). Each creation of a document needs its own (BAD_USER_INPUT otherwise). Default: the ' +
        'Idempotency-Key header.',
    })
    idempotencyKey?: string | null,
  ) {
    const key = idempotencyKeyOf(context, idempotencyKey);
    const outcome = await createProductTag(context.db, caller, input, key);
    return toPayload(context, 'createProductTag', outcome);
  }

  @Mutation(() => ProductTagPayload, {
    nullable: true,
    description: 'Updates the given fields of a tag. If present, `itemIds` replaces its items.',
  })
  async updateProductTag(
    @CurrentCaller() { companyId }: Caller,
    @Ctx() context: RequestContext,
    @Arg('id', () => Int, { description: 'Id of the tag (PRODUCT_TAG_NOT_FOUND).' }) id: number,
    @Arg('input', () => UpdateProductTagInput, { description: 'New values for the tag.' })
    input: UpdateProductTagInput,
    @IfMatch() ifMatch?: string | null,
  ) {
    const conditions = { ifMatch: versionConditionOf(context, ifMatch), ifNoneMatch: context.ifNoneMatch };
    const outcome = await updateProductTag(context, { companyId, id }, input, conditions);
    return toPayload(context, 'updateProductTag', outcome);
  }

  @Mutation(() => ProductTagPayload, {
    nullable: true,
    description: 'Adds items to a tag; its other items stay.',
  })
  async addProductTagItems(
    @CurrentCaller() { companyId }: Caller,
    @Ctx() context: RequestContext,
    @Arg('id', () => Int, { description: 'Id of the tag (PRODUCT_TAG_NOT_FOUND).' }) id: number,
    @Arg('itemIds', () => [Int], {
      description:
        "Products of the partner's company to add (ITEM_NOT_FOUND, ITEM_NOT_PRODUCT). A tag can have at most 10,000 " +
        'items (TOO_MANY_ITEMS). Items that the tag already has are ignored.',
    })
    itemIds: number[],
    @IfMatch() ifMatch?: string | null,
  ) {
    const condition = versionConditionOf(context, ifMatch);
    const outcome = await addProductTagItems(context, { companyId, id }, itemIds, condition);
    return toPayload(context, 'addProductTagItems', outcome, []);
  }

  @Mutation(() => ProductTagPayload, {
    nullable: true,
    description: 'Removes items from a tag; its other items stay.',
  })
  async removeProductTagItems(
    @CurrentCaller() { companyId }: Caller,
    @Ctx() context: RequestContext,
    @Arg('id', () => Int, { description: 'Id of the tag (PRODUCT_TAG_NOT_FOUND).' }) id: number,
    @Arg('itemIds', () => [Int], {
      description:
        'The items to remove, at most 10,000 (TOO_MANY_ITEMS). Items that the tag does not have are ignored.',
    })
    itemIds: number[],
    @IfMatch() ifMatch?: string | null,
  ) {
    const condition = versionConditionOf(context, ifMatch);
    const outcome = await removeProductTagItems(context, { companyId, id }, itemIds, condition);
    return toPayload(context, 'removeProductTagItems', outcome, []);
  }

  @Mutation(() => DeleteProductTagPayload, {
    nullable: true,
    description: 'Deletes a tag and all its links in one transaction; the items stay.',
  })
  async deleteProductTag(
    @CurrentCaller() { companyId }: Caller,
    @Ctx() context: RequestContext,
    @Arg('id', () => Int, { description: 'Id of the tag (PRODUCT_TAG_NOT_FOUND).' }) id: number,
    @IfMatch() ifMatch?: string | null,
  ) {
    const condition = versionConditionOf(context, ifMatch);
    const outcome = await deleteProductTag(context, { companyId, id }, condition);
    const payload = toPayload(context, 'deleteProductTag', outcome, []);
    return { ...payload, deletedProductTagId: payload.productTag && id };
  }
}

/** Declares the argument `ifMatch` and its check. */
function IfMatch(): ParameterDecorator {
  const declareArgument = Arg('ifMatch', () => String, {
    nullable: true,
    description:
      'The version that the tag must have (VERSION_MISMATCH otherwise), or entity tags or * as in If-Match ' +
      '(BAD_USER_INPUT for anything else). Default: the If-Match header, for every update and deletion of the ' +
      'request. Without either, the last write wins.',
  });
  const declareCheck = Rules<{ ifMatch?: string | null }>({
    check: ({ ifMatch }, context) => versionConditionOf(context, ifMatch),
  });
  return (target, mutation, index) => {
    declareArgument(target, mutation as string, index);
    declareCheck(target, mutation as string);
  };
}
