import { Args, ArgsType, Ctx, Field, InputType, Int, Mutation, ObjectType, Resolver } from 'type-graphql';
import { isIdempotencyKey } from '../../../domain/partner/idempotency/idempotency-keys.ts';
import {
  addProductTagItems,
  createProductTag,
  deleteProductTag,
  type NewProductTag,
  type ProductTagChanges,
  removeProductTagItems,
  type TagResult,
  updateProductTag,
  type VersionCondition,
  type WrittenProductTag,
} from '../../../domain/partner/product-tags/product-tag.service.ts';
import type { Caller } from '../../../domain/partner/tokens/tokens.ts';
import { AppError } from '../../../kernel/errors/app-error.ts';
import type { RequestContext } from '../../request/context.ts';
import { CurrentCaller } from '../types/access.ts';
import { Rules } from '../types/field-rules.ts';
import { ProductTag } from './product-tags.ts';
import { MutationPayload, toUserErrors } from './user-errors.ts';

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
      'Null or absent: none. Duplicates count once.',
  })
  itemIds?: number[] | null | undefined;
}

@InputType({ description: 'New values for a tag.' })
class UpdateProductTagInput implements ProductTagChanges {
  @Field(() => String, {
    nullable: true,
    description:
      'English name: 3 to 50 characters after trimming (INVALID_LENGTH), no control characters (INVALID_CHARACTERS). ' +
      'Absent: unchanged. Null is rejected (INVALID_TYPE).',
  })
  nameEn?: string | null | undefined;

  @Field(() => String, {
    nullable: true,
    description: 'Arabic name; the rules of `nameEn` apply. Absent: unchanged. Null removes it.',
  })
  nameAr?: string | null | undefined;

  @Field(() => [Int], {
    nullable: true,
    description:
      "Products of the partner's company that replace the tag's items (ITEM_NOT_FOUND, ITEM_NOT_PRODUCT), at most " +
      '10,000 (TOO_MANY_ITEMS); duplicates count once. Absent: unchanged. [] removes all. Null is rejected ' +
      '(INVALID_TYPE).',
  })
  itemIds?: number[] | null | undefined;
}

@ArgsType()
class CreateArgs {
  @Field(() => CreateProductTagInput, { description: 'Values of the tag.' })
  input!: CreateProductTagInput;

  @Field(() => String, {
    nullable: true,
    description:
      'A key of 1 to 255 printable ASCII characters, different for each creation of a document (BAD_USER_INPUT ' +
      'otherwise). Fails if a different request used it (IDEMPOTENCY_KEY_REUSED), or a request with it is still in ' +
      'progress (IDEMPOTENCY_KEY_IN_USE).',
  })
  idempotencyKey?: string | null;
}

@ArgsType()
class TagArgs {
  @Field(() => Int, { description: 'Id of the tag (PRODUCT_TAG_NOT_FOUND).' })
  id!: number;

  @Field(() => String, {
    nullable: true,
    description: 'The `version` that the tag must have (VERSION_MISMATCH otherwise). Without it, the last write wins.',
  })
  ifMatch?: string | null;
}

@ArgsType()
class UpdateArgs extends TagArgs {
  @Field(() => UpdateProductTagInput, { description: 'New values for the tag.' })
  input!: UpdateProductTagInput;
}

@ArgsType()
class AddItemsArgs extends TagArgs {
  @Field(() => [Int], {
    description:
      "Products of the partner's company to add (ITEM_NOT_FOUND, ITEM_NOT_PRODUCT). A tag can have at most 10,000 " +
      'items (TOO_MANY_ITEMS). Items that the tag already has are ignored.',
  })
  itemIds!: number[];
}

@ArgsType()
class RemoveItemsArgs extends TagArgs {
  @Field(() => [Int], {
    description: 'The items to remove, at most 10,000 (TOO_MANY_ITEMS). Items that the tag does not have are ignored.',
  })
  itemIds!: number[];
}

@ObjectType({ simpleResolvers: true })
abstract class ProductTagPayload extends MutationPayload {
  @Field(() => ProductTag, { nullable: true, description: 'The tag after the mutation; null when rejected.' })
  productTag!: WrittenProductTag | null;
}

@ObjectType({ simpleResolvers: true, description: 'Result of `createProductTag`: the tag, or errors.' })
class CreateProductTagPayload extends ProductTagPayload {
  @Field(() => Boolean, {
    description: 'Whether an earlier request with the same idempotency key created the tag.',
  })
  replayed!: boolean;
}

@ObjectType({ simpleResolvers: true, description: 'Result of `updateProductTag`: the tag, or errors.' })
class UpdateProductTagPayload extends ProductTagPayload {}

@ObjectType({ simpleResolvers: true, description: 'Result of `addProductTagItems`: the tag, or errors.' })
class AddProductTagItemsPayload extends ProductTagPayload {}

@ObjectType({ simpleResolvers: true, description: 'Result of `removeProductTagItems`: the tag, or errors.' })
class RemoveProductTagItemsPayload extends ProductTagPayload {}

@ObjectType({ simpleResolvers: true, description: 'Result of `deleteProductTag`: the id of the tag, or errors.' })
class DeleteProductTagPayload extends MutationPayload {
  @Field(() => Int, { nullable: true, description: 'Id of the deleted tag; null when rejected.' })
  deletedProductTagId!: number | null;
}

@Resolver()
export class ProductTagMutations {
  @Rules<CreateArgs>({ check: checkIdempotencyKey })
  @Mutation(() => CreateProductTagPayload, {
    nullable: true,
    description:
      "Creates a tag of the partner's company. With `idempotencyKey`, a retry within 24 hours returns the first tag " +
      '(`replayed: true`) instead of creating a second.',
  })
  async createProductTag(
    @CurrentCaller() caller: Caller,
    @Ctx() context: RequestContext,
    @Args(() => CreateArgs) { input, idempotencyKey }: CreateArgs,
  ): Promise<CreateProductTagPayload> {
    const result = await createProductTag(context, caller, input, idempotencyKey ?? context.idempotencyKey);
    return { ...recordPayload(context, 'createProductTag', result), replayed: result.value?.replayed ?? false };
  }

  @Mutation(() => UpdateProductTagPayload, {
    nullable: true,
    description: 'Updates the given fields of a tag. `itemIds` replaces all its items.',
  })
  async updateProductTag(
    @CurrentCaller() { companyId }: Caller,
    @Ctx() context: RequestContext,
    @Args(() => UpdateArgs) { id, input, ifMatch }: UpdateArgs,
  ): Promise<UpdateProductTagPayload> {
    const result = await updateProductTag(context, { companyId, id }, input, toVersionCondition(context, ifMatch));
    return recordPayload(context, 'updateProductTag', result);
  }

  @Mutation(() => AddProductTagItemsPayload, {
    nullable: true,
    description: 'Adds items to a tag; its other items stay.',
  })
  async addProductTagItems(
    @CurrentCaller() { companyId }: Caller,
    @Ctx() context: RequestContext,
    @Args(() => AddItemsArgs) { id, itemIds, ifMatch }: AddItemsArgs,
  ): Promise<AddProductTagItemsPayload> {
    const result = await addProductTagItems(context, { companyId, id }, itemIds, toVersionCondition(context, ifMatch));
    return recordPayload(context, 'addProductTagItems', result);
  }

  @Mutation(() => RemoveProductTagItemsPayload, {
    nullable: true,
    description: 'Removes items from a tag; its other items stay.',
  })
  async removeProductTagItems(
    @CurrentCaller() { companyId }: Caller,
    @Ctx() context: RequestContext,
    @Args(() => RemoveItemsArgs) { id, itemIds, ifMatch }: RemoveItemsArgs,
  ): Promise<RemoveProductTagItemsPayload> {
    const result = await removeProductTagItems(
      context,
      { companyId, id },
      itemIds,
      toVersionCondition(context, ifMatch),
    );
    return recordPayload(context, 'removeProductTagItems', result);
  }

  @Mutation(() => DeleteProductTagPayload, {
    nullable: true,
    description: 'Deletes a tag and removes it from its items; the items stay.',
  })
  async deleteProductTag(
    @CurrentCaller() { companyId }: Caller,
    @Ctx() context: RequestContext,
    @Args(() => TagArgs) { id, ifMatch }: TagArgs,
  ): Promise<DeleteProductTagPayload> {
    const result = await deleteProductTag(context, { companyId, id }, toVersionCondition(context, ifMatch));
    if (result.value) context.recordWrite({ field: 'deleteProductTag', id });
    return { deletedProductTagId: result.value?.id ?? null, userErrors: toUserErrors(context, result) };
  }
}

/** Rejects a key that the document uses twice: the second creation would return the first tag. */
function checkIdempotencyKey({ idempotencyKey: key }: CreateArgs, { idempotencyKeys }: RequestContext): void {
  if (key === undefined || key === null) return;
  const isValid = isIdempotencyKey(key);
  if (isValid && !idempotencyKeys.has(key)) idempotencyKeys.add(key);
  else {
    const expected = isValid ? 'ownIdempotencyKey' : 'idempotencyKey';
    throw new AppError('invalid_parameter', { values: { parameter: 'idempotencyKey', expected } });
  }
}

function toVersionCondition(
  { versionCondition }: RequestContext,
  ifMatch: string | null | undefined,
): VersionCondition {
  return ifMatch === undefined || ifMatch === null ? versionCondition : { match: [ifMatch] };
}

function recordPayload(context: RequestContext, field: string, result: TagResult) {
  const { value: productTag = null } = result;
  const { replayed } = productTag ?? {};
  if (productTag) context.recordWrite({ field, id: productTag.id, ...(replayed && { replayed }) });
  return { productTag, userErrors: toUserErrors(context, result) };
}
