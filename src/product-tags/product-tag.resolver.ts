import { Arg, Ctx, FieldResolver, Int, Mutation, Resolver, Root } from 'type-graphql';
import { CurrentCaller } from '../auth/caller.ts';
import { Item } from '../items/item.type.ts';
import type { Caller, RequestContext } from '../request/context.ts';
import { CreateProductTagInput, UpdateProductTagInput } from './product-tag.input.ts';
import { DeleteProductTagPayload, ProductTagPayload, settle } from './product-tag.payload.ts';
import { itemIdsByProductTag, itemsByProductTag, productTagsByItem } from './product-tag.queries.ts';
import { createProductTag, deleteProductTag, updateProductTag, type WrittenProductTag } from './product-tag.service.ts';
import { ProductTag } from './product-tag.type.ts';

@Resolver(() => ProductTag)
export class ProductTagResolver {
  @FieldResolver(() => [Int], { description: 'Ids of the items tagged with it, ascending.' })
  async itemIds(@Root() tag: ProductTag & Partial<WrittenProductTag>, @Ctx() { loaders }: RequestContext) {
    return tag.itemIds ?? loaders.of(itemIdsByProductTag).load(tag);
  }

  @FieldResolver(() => [Item], { description: 'The items tagged with it, by id.' })
  async items(@Root() tag: ProductTag, @Ctx() { loaders }: RequestContext) {
    return loaders.of(itemsByProductTag).load(tag);
  }

  @Mutation(() => ProductTagPayload, {
    description:
      "Creates a tag under the partner's company and links it to exactly the items of `itemIds`. Needs a token.",
  })
  async createProductTag(
    @CurrentCaller() caller: Caller,
    @Ctx() context: RequestContext,
    @Arg('input', () => CreateProductTagInput) input: CreateProductTagInput,
  ) {
    const { result, userErrors } = await settle(createProductTag(context.db, caller, input), context.locale);
    context.loaders.reset();
    return { productTag: result, userErrors };
  }

  @Mutation(() => ProductTagPayload, {
    description: 'Updates a tag and, where `itemIds` is given, links it to exactly those items. Needs a token.',
  })
  async updateProductTag(
    @CurrentCaller() caller: Caller,
    @Ctx() context: RequestContext,
    @Arg('id', () => Int, { description: 'Id of the tag (PRODUCT_TAG_NOT_FOUND).' }) id: number,
    @Arg('input', () => UpdateProductTagInput) input: UpdateProductTagInput,
  ) {
    const { result, userErrors } = await settle(updateProductTag(context.db, caller, id, input), context.locale);
    context.loaders.reset();
    return { productTag: result, userErrors };
  }

  @Mutation(() => DeleteProductTagPayload, {
    description: 'Deletes a tag and all its links in one transaction; the items stay. Needs a token.',
  })
  async deleteProductTag(
    @CurrentCaller() caller: Caller,
    @Ctx() context: RequestContext,
    @Arg('id', () => Int, { description: 'Id of the tag (PRODUCT_TAG_NOT_FOUND).' }) id: number,
  ) {
    const { userErrors } = await settle(deleteProductTag(context.db, caller, id), context.locale);
    context.loaders.reset();
    return { deletedProductTagId: userErrors.length === 0 ? id : null, userErrors };
  }
}

@Resolver(() => Item)
export class ItemProductTagsResolver {
  @FieldResolver(() => [ProductTag], { description: 'The tags of the item, by id.' })
  async tags(@Root() item: Item, @Ctx() { loaders }: RequestContext) {
    return loaders.of(productTagsByItem).load(item);
  }
}
