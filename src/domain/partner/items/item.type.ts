import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, Field, Info, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { RequestContext } from '../../request/context.ts';
import { LocalizedNameType } from '../../request/named-types.ts';
import { type ItemTypeValue, itemTypes } from '../../tables.ts';
import { productTagsByItem } from '../product-tags/product-tag.queries.ts';
import { ProductTag } from '../product-tags/product-tag.type.ts';

/** GraphQL's name of each type, mapped to the type. */
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

@ObjectType({ simpleResolvers: true, description: "An item of the partner's company." })
export class Item extends LocalizedNameType {
  @Field(() => Int, { description: 'Id of the item.' })
  id!: number;

  @Field(() => ItemType, { description: 'Product, modifier group or modifier.' })
  itemType!: ItemTypeValue;

  @Field(() => [ProductTag], { description: 'The tags of the item, by id.' })
  tags(@Ctx() { loaders }: RequestContext, @Info() info: GraphQLResolveInfo) {
    return loaders.list(productTagsByItem, () => this.id, info);
  }
}
