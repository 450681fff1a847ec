import type { GraphQLResolveInfo } from 'graphql';
import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  Field,
  FieldResolver,
  Info,
  Int,
  Mutation,
  ObjectType,
  Resolver,
} from 'type-graphql';
import { requireShort } from '../../../domain/lists/filters.ts';
import type { ItemRow } from '../../../domain/partner/items/items.ts';
import { setItemTags } from '../../../domain/partner/product-tags/item-tags.ts';
import {
  hasProductTag,
  type ProductTagRow,
  productTagsByItem,
  tagCountsByItem,
} from '../../../domain/partner/product-tags/product-tags.ts';
import type { Caller } from '../../../domain/partner/tokens/tokens.ts';
import type { RequestContext } from '../../request/context.ts';
import { costOfLoaded, costOfScan } from '../../request/cost.ts';
import { CurrentCaller } from '../types/access.ts';
import { PageArgs } from '../types/connection.ts';
import { ResolveDirectly, Rules, shownScanCost } from '../types/field-rules.ts';
import { Item } from './items.ts';
import { ProductTagConnection } from './product-tags.ts';
import { selectsItems } from './selects-items.ts';
import { MutationPayload, userErrorsOf } from './user-errors.ts';

@ArgsType()
class ProductTagIdArgs {
  @Field(() => Int, { description: 'Id of the tag.' })
  id!: number;
}

/** An item, with its tags if a mutation wrote them. */
type TaggedItem = ItemRow & { productTags?: ProductTagRow[] };

/** The fields of items about their tags. */
@Resolver(() => Item)
export class ItemTagFields {
  @ResolveDirectly()
  @FieldResolver(() => ProductTagConnection, { description: 'The tags of the item, by id.' })
  tags(this: TaggedItem, @Args(() => PageArgs) args: PageArgs, { loaders }: RequestContext) {
    const { id, productTags } = this;
    return ProductTagConnection.load(
      loaders,
      args,
      async ({ after, limit }) =>
        productTags?.filter((tag) => tag.id > after).slice(0, limit) ??
        loaders.of(productTagsByItem).load({ id, after, limit }),
      async () => productTags?.length ?? loaders.of(tagCountsByItem).load(id),
    );
  }

  @Rules({ cost: costOfLoaded })
  @ResolveDirectly()
  @FieldResolver(() => Boolean, { description: 'Whether the item has a tag; false for an unknown tag.' })
  hasProductTag(this: TaggedItem, @Args(() => ProductTagIdArgs) args: ProductTagIdArgs, { loaders }: RequestContext) {
    const { id, productTags } = this;
    return (
      productTags?.some((tag) => tag.id === args.id) ??
      loaders.of(hasProductTag).load({ itemId: id, productTagId: args.id })
    );
  }
}

/** Maximum number of tags of an item in a log line. */
const maxNotedTags = 1_000;

@ObjectType({ simpleResolvers: true, description: 'Result of setting the tags of an item: the item, or errors.' })
class ItemPayload extends MutationPayload {
  @Field(() => Item, { nullable: true, description: 'The item after the mutation; null when rejected.' })
  item!: Item | null;
}

// schema.ts wraps the resolver of every mutation: it does not run after one that failed.
@Resolver()
export class ItemTagMutations {
  // It reads and writes as much as a scan.
  @Rules<{ productTagIds: number[] }>({
    cost: 1 + costOfScan,
    check: ({ productTagIds }) => requireShort(productTagIds, 'productTagIds'),
  })
  @Mutation(() => ItemPayload, {
    nullable: true,
    description:
      'Sets the tags of an item: adds it to some tags and removes it from all others. The last write wins. The tags ' +
      'list their items as of this write, or later if they have more than 20,000 items together. Needs a token ' +
      'that may write (READ_ONLY_TOKEN).',
  })
  async setItemTags(
    @CurrentCaller() { companyId }: Caller,
    @Ctx() context: RequestContext,
    @Arg('itemId', () => Int, {
      description: "Id of a product of the partner's company (ITEM_NOT_FOUND, ITEM_NOT_PRODUCT).",
    })
    id: number,
    @Arg('productTagIds', () => [Int], {
      description:
        "Tags of the partner's company (PRODUCT_TAG_NOT_FOUND), at most 100 (BAD_USER_INPUT otherwise), none of them " +
        `with 10,000 other items (TOO_MANY_ITEMS). [] removes all. A repeated id counts once. Costs ${shownScanCost}.`,
    })
    productTagIds: number[],
    @Info() info: GraphQLResolveInfo,
  ) {
    const selectsItemIds =
      selectsItems(info, 'item', 'tags', 'nodes') || selectsItems(info, 'item', 'tags', 'edges', 'node');
    const outcome = await setItemTags(context, { companyId, id }, productTagIds, selectsItemIds);
    const { result: item = null } = outcome;
    if (item) {
      const changed = item.changedTagIds.slice(0, maxNotedTags);
      context.noteWrite({ field: info.fieldName, id: item.id, productTagIds: changed });
    }
    return { item, userErrors: userErrorsOf(context, outcome, []) };
  }
}
