import { Args, ArgsType, Ctx, Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { type ItemRow, itemTimes } from '../../../domain/partner/items/item.queries.ts';
import {
  hasProductTag,
  type ProductTagRow,
  productTagsByItem,
  tagCountsByItem,
} from '../../../domain/partner/product-tags/product-tag.queries.ts';
import { type ItemTypeValue, itemTypes } from '../../../domain/tables.ts';
import type { RequestContext } from '../../request/context.ts';
import { connectionType, PageArgs } from '../types/connection.ts';
import { LoadedPrice, ResolveDirectly } from '../types/field-rules.ts';
import { LocalizedNameType } from '../types/named-types.ts';
import { TimeField } from '../types/time-field.ts';
import { loadProductTags, ProductTagConnection } from './product-tag.object.ts';

/** Item types by their GraphQL names. */
export const ItemType = Object.fromEntries(itemTypes.map((type) => [type.toUpperCase(), type]));

registerEnumType(ItemType, {
  name: 'ItemType',
  description: 'The type of an item.',
  valuesConfig: {
    PRODUCT: { description: 'Sold by itself. Only products can be tagged.' },
    MODIFIER_GROUP: { description: 'A group of modifiers, such as sizes.' },
    MODIFIER: { description: 'A choice within a modifier group.' },
  },
});

@ArgsType()
class ProductTagIdArgs {
  @Field(() => Int, { description: 'Id of the tag.' })
  id!: number;
}

@ObjectType({ simpleResolvers: true, description: "An item of the partner's company." })
export class Item extends LocalizedNameType implements ItemRow {
  @Field(() => Int, { description: 'Id of the item.' })
  id!: number;

  @Field(() => ItemType, { description: 'Product, modifier group or modifier.' })
  itemType!: ItemTypeValue;

  @TimeField(itemTimes, 'When the item was added; for old items, when the gateway began to record it.')
  createdAt!: Date;

  @TimeField(
    itemTimes,
    'When its own fields last changed, or when the gateway began to record it. Its tags do not count.',
  )
  updatedAt!: Date;

  /** The tags, if a mutation wrote them. */
  productTags?: ProductTagRow[];

  @ResolveDirectly()
  @Field(() => ProductTagConnection, { description: 'The tags of the item, by id.' })
  tags(@Args(() => PageArgs) args: PageArgs, @Ctx() { loaders }: RequestContext) {
    const { id, productTags } = this;
    return loadProductTags(
      loaders,
      args,
      async ({ after, limit }) =>
        productTags?.filter((tag) => tag.id > after).slice(0, limit) ??
        loaders.of(productTagsByItem).load({ id, after, limit }),
      async () => productTags?.length ?? loaders.of(tagCountsByItem).load(id),
    );
  }

  @LoadedPrice()
  @ResolveDirectly()
  @Field(() => Boolean, { description: 'Whether the item has a tag; false for an unknown tag.' })
  hasProductTag(@Args(() => ProductTagIdArgs) args: ProductTagIdArgs, @Ctx() { loaders }: RequestContext) {
    const { id, productTags } = this;
    return (
      productTags?.some((tag) => tag.id === args.id) ??
      loaders.of(hasProductTag).load({ itemId: id, productTagId: args.id })
    );
  }
}

export const ItemConnection = connectionType<ItemRow>(() => Item, 'Item', {
  one: 'item',
  many: 'items',
  isCounted: true,
});
