import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, Info, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { parseFilters } from '../../../domain/lists/filters.ts';
import { type ItemRow, itemsById } from '../../../domain/partner/items/item.queries.ts';
import { productTagFilters } from '../../../domain/partner/product-tags/product-tag.filters.ts';
import {
  companyProductTags,
  itemIdsByProductTag,
  itemsByProductTag,
  maxChangedItems,
} from '../../../domain/partner/product-tags/product-tag.queries.ts';
import {
  addProductTagItems,
  createProductTag,
  deleteProductTag,
  removeProductTagItems,
  updateProductTag,
  type WriteOptions,
  type WrittenProductTag,
} from '../../../domain/partner/product-tags/product-tag.service.ts';
import type { Caller } from '../../../domain/partner/tokens/tokens.ts';
import { idempotencyKeyOf, versionConditionOf } from '../../request/conditions.ts';
import type { RequestContext } from '../../request/context.ts';
import { priceOfItemIds } from '../../request/writes.ts';
import { CurrentCaller } from '../types/access.ts';
import { type OrderedPageArgs, PageArgs } from '../types/connection.ts';
import { Check, Price } from '../types/field-rules.ts';
import { registerOrder } from '../types/order.ts';
import { shownScanPrice } from '../types/scan.ts';
import { ItemConnection } from './item.object.ts';
import { listArgs } from './list-args.ts';
import { CreateProductTagInput, UpdateProductTagInput } from './product-tag.input.ts';
import { loadProductTag, loadProductTags, ProductTag, ProductTagConnection } from './product-tag.object.ts';
import { DeleteProductTagPayload, PriceOfChanges, ProductTagPayload, toPayload } from './product-tag.payload.ts';
import { selects, selectsItems } from './selects-items.ts';

const ProductTagArgs = listArgs(
  registerOrder('ProductTagOrder', 'tags', 'By Arabic name; a tag without one by its English name.', {
    ITEM_COUNT: {
      description: `By number of items, the fewest first. Pages may move while numbers change. Costs ${shownScanPrice}.`,
    },
  }),
  productTagFilters,
);

// mutations.ts wraps the resolver of every mutation: it does not run after one that failed.
@Resolver(() => ProductTag)
export class ProductTagResolver {
  @Query(() => ProductTag, {
    nullable: true,
    description: "A tag of the partner's company; null for an unknown id. Needs a token.",
  })
  productTag(
    @CurrentCaller() _caller: Caller,
    @Ctx() { loaders }: RequestContext,
    @Arg('id', () => Int, { description: 'Id of the tag.' }) id: number,
  ) {
    return loadProductTag(loaders, id);
  }

  @ProductTagConnection.FilterRules(productTagFilters)
  @Query(() => ProductTagConnection, {
    nullable: true,
    description: "The tags of the partner's company, including tags without items. Needs a token.",
  })
  productTags(
    @CurrentCaller() { companyId }: Caller,
    @Ctx() { admission, db, loaders }: RequestContext,
    @Args(() => ProductTagArgs) args: OrderedPageArgs,
  ) {
    const values = parseFilters(productTagFilters, args);
    return loadProductTags(
      loaders,
      args,
      (page) => admission.oneListAtATime(() => companyProductTags.list(db, companyId, values, page)),
      () => admission.oneListAtATime(() => companyProductTags.count(db, companyId, values)),
    );
  }

  @Price(priceOfItemIds)
  @FieldResolver(() => [Int], {
    description: 'Ids of all items of the tag, ascending, up to 10,000. Costs 5,000; prefer `items`, which has pages.',
  })
  itemIds(@Root() tag: WrittenProductTag, @Ctx() { loaders }: RequestContext) {
    return tag.itemIds ?? loaders.of(itemIdsByProductTag).load(tag.id);
  }

  @FieldResolver(() => ItemConnection, { description: 'The items of the tag, by id.' })
  items(
    @Root() { id, itemCount, itemIds, replayed }: WrittenProductTag,
    @Ctx() { loaders }: RequestContext,
    @Args(() => PageArgs) args: PageArgs,
  ) {
    return ItemConnection.load(
      args,
      async ({ after, limit }) => {
        // A replayed creation lists the items as they are now.
        if (!itemIds || replayed) return loaders.of(itemsByProductTag).load({ id, after, limit });
        const rest = itemIds.filter((itemId) => itemId > after);
        const found: ItemRow[] = [];
        // Again, in place of items that have been deleted since the write.
        while (found.length < limit && rest.length > 0) {
          const next = rest.splice(0, limit - found.length).map((itemId) => loaders.of(itemsById).load(itemId));
          found.push(...(await Promise.all(next)).filter((item) => item !== undefined));
        }
        return found;
      },
      () => itemCount,
    );
  }

  @PriceOfChanges(({ input }: { input: CreateProductTagInput }) => input.itemIds?.length ?? 0)
  @Check(({ idempotencyKey }: { idempotencyKey?: string | null }, context) => idempotencyKeyOf(context, idempotencyKey))
  @Mutation(() => ProductTagPayload, {
    nullable: true,
    description:
      "Creates a tag of the partner's company with the items of `itemIds`. Needs a token. Retries with the same " +
      'idempotency key within 24 hours create nothing and return the original names, `version` and `itemIds`; ' +
      '`items` and `itemCount` are as they are now. They have the header `Idempotency-Replayed: true`.',
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
        '(IDEMPOTENCY_KEY_IN_USE). Default: the Idempotency-Key header, for every creation of the request.',
    })
    idempotencyKey?: string | null,
  ) {
    const key = idempotencyKeyOf(context, idempotencyKey);
    const outcome = await createProductTag(context.db, caller, input, key);
    return toPayload(context, outcome);
  }

  @PriceOfChanges(({ input }: { input: UpdateProductTagInput }) => (input.itemIds ? maxChangedItems : 0))
  @Mutation(() => ProductTagPayload, {
    nullable: true,
    description: 'Updates the given fields of a tag. If present, `itemIds` replaces its items. Needs a token.',
  })
  async updateProductTag(
    @CurrentCaller() { companyId }: Caller,
    @Ctx() context: RequestContext,
    @Arg('id', () => Int, { description: 'Id of the tag (PRODUCT_TAG_NOT_FOUND).' }) id: number,
    @Arg('input', () => UpdateProductTagInput, { description: 'New values for the tag.' })
    input: UpdateProductTagInput,
    @Info() info: GraphQLResolveInfo,
    @IfMatch() ifMatch?: string | null,
  ) {
    const options = optionsOf(context, info, ifMatch);
    return toPayload(context, await updateProductTag(context, { companyId, id }, input, options));
  }

  @PriceOfChanges(({ itemIds }: { itemIds: number[] }) => itemIds.length)
  @Mutation(() => ProductTagPayload, {
    nullable: true,
    description: 'Adds items to a tag; its other items stay. Needs a token.',
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
    @Info() info: GraphQLResolveInfo,
    @IfMatch() ifMatch?: string | null,
  ) {
    const options = optionsOf(context, info, ifMatch);
    return toPayload(context, await addProductTagItems(context, { companyId, id }, itemIds, options), []);
  }

  @PriceOfChanges(({ itemIds }: { itemIds: number[] }) => itemIds.length)
  @Mutation(() => ProductTagPayload, {
    nullable: true,
    description: 'Removes items from a tag; its other items stay. Needs a token.',
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
    @Info() info: GraphQLResolveInfo,
    @IfMatch() ifMatch?: string | null,
  ) {
    const options = optionsOf(context, info, ifMatch);
    return toPayload(context, await removeProductTagItems(context, { companyId, id }, itemIds, options), []);
  }

  @PriceOfChanges(() => maxChangedItems)
  @Mutation(() => DeleteProductTagPayload, {
    nullable: true,
    description: 'Deletes a tag and all its links in one transaction; the items stay. Needs a token.',
  })
  async deleteProductTag(
    @CurrentCaller() { companyId }: Caller,
    @Ctx() context: RequestContext,
    @Arg('id', () => Int, { description: 'Id of the tag (PRODUCT_TAG_NOT_FOUND).' }) id: number,
    @Info() info: GraphQLResolveInfo,
    @IfMatch() ifMatch?: string | null,
  ) {
    const options = { ifMatch: versionConditionOf(context, ifMatch), selectsChangedItems: selectsChanges(info) };
    const payload = toPayload(context, await deleteProductTag(context, { companyId, id }, options), []);
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
  const declareCheck = Check((args: { ifMatch?: string | null }, context) => versionConditionOf(context, args.ifMatch));
  return (target, mutation, index) => {
    declareArgument(target, mutation as string, index);
    declareCheck(target, mutation as string);
  };
}

function optionsOf(
  context: RequestContext,
  info: GraphQLResolveInfo,
  ifMatch: string | null | undefined,
): WriteOptions {
  const conditions = { ifMatch: versionConditionOf(context, ifMatch), ifNoneMatch: context.ifNoneMatch };
  return {
    ...conditions,
    selectsItemIds: selectsItems(info, 'productTag'),
    selectsChangedItems: selectsChanges(info),
  };
}

function selectsChanges(info: GraphQLResolveInfo): boolean {
  return selects(info, ['changedItems']);
}
