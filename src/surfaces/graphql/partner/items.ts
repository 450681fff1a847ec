import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { type ItemRow, items } from '../../../domain/partner/items/items.ts';
import { type ItemTypeValue, itemTypes } from '../../../domain/tables.ts';
import { LocalizedNameType, TimeField } from '../types/common-fields.ts';
import { companyListResolver } from '../types/company-list.ts';
import { connectionType } from '../types/connection.ts';

/** Item types by their GraphQL names. */
const ItemType = Object.fromEntries(itemTypes.map((type) => [type.toUpperCase(), type]));

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
export class Item extends LocalizedNameType implements ItemRow {
  @Field(() => Int, { description: 'Id of the item.' })
  id!: number;

  @Field(() => ItemType, { description: 'Product, modifier group or modifier.' })
  itemType!: ItemTypeValue;

  @TimeField(items.times, 'When the item was added; for old items, when the gateway began to record it.')
  createdAt!: Date;

  @TimeField(
    items.times,
    'When its own fields last changed, or when the gateway began to record it. Its tags do not count.',
  )
  updatedAt!: Date;
}

export const ItemConnection = connectionType<ItemRow>(Item, items);

export const ItemResolver = companyListResolver(items, Item, ItemConnection, { itemType: () => ItemType });
