import { Arg, Args, ArgsType, Ctx, Field, Int, ObjectType, Query, Resolver, registerEnumType } from 'type-graphql';
import { checkIdCount, isSet, parseSearch } from '../../../domain/lists/filters.ts';
import { nameKeys } from '../../../domain/lists/keyset.ts';
import {
  countItems,
  type ItemFilter,
  type ItemRow,
  itemsById,
  itemTimes,
  listItems,
} from '../../../domain/partner/items/items.queries.ts';
import type { Caller } from '../../../domain/partner/tokens/tokens.ts';
import { type ItemTypeValue, itemTypes } from '../../../domain/tables.ts';
import type { RequestContext } from '../../request/context.ts';
import { CurrentCaller } from '../types/access.ts';
import { LocalizedNameType, TimeField } from '../types/common-fields.ts';
import { createConnectionType, ListArgs } from '../types/connection.ts';
import { DateTime } from '../types/date-time.ts';
import { costsScan, Rules, shownScanCost } from '../types/field-rules.ts';

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

  @TimeField(itemTimes, 'When the item was added. Older items have the time when the gateway began to record it.')
  createdAt!: Date;

  @TimeField(
    itemTimes,
    'When the item last changed, or when the gateway began to record changes. Its tags do not count.',
  )
  updatedAt!: Date;
}

export const ItemConnection = createConnectionType<ItemRow>(Item, {
  singular: 'item',
  plural: 'items',
  rootField: 'items',
  keys: nameKeys,
});

const ItemOrder = { ID: 'ID', NAME_EN: 'NAME_EN', NAME_AR: 'NAME_AR' };

registerEnumType(ItemOrder, {
  name: 'ItemOrder',
  description: 'Sort order of items. Names sort alphabetically in both languages, and equal names by id.',
  valuesConfig: {
    ID: { description: 'By id.' },
    NAME_EN: { description: 'By English name.' },
    NAME_AR: { description: 'By Arabic name. Spelling variants sort together, and Arabic before Latin letters.' },
  },
});

@ArgsType()
class ItemsArgs extends ListArgs {
  @Field(() => ItemOrder, { nullable: true, defaultValue: 'ID', description: 'Sort order.' })
  orderBy!: string;

  @Field(() => ItemType, {
    nullable: true,
    description: `Only items of this type. Costs ${shownScanCost} when sorted by name.`,
  })
  itemType?: ItemTypeValue | null;

  @Field(() => Boolean, {
    nullable: true,
    description: `True: only items with a tag. False: only products without a tag. ${costsScan}`,
  })
  tagged?: boolean | null;

  @Field(() => [Int], {
    nullable: true,
    description: `Only items with at least one of these tags. Up to 100 ids (BAD_USER_INPUT otherwise); unknown ids match no items. ${costsScan}`,
  })
  productTagIds?: number[] | null;

  @Field(() => [Int], {
    nullable: true,
    description: `Only items with none of these tags. Up to 100 ids (BAD_USER_INPUT otherwise); unknown ids exclude no items. ${costsScan}`,
  })
  exceptProductTagIds?: number[] | null;

  @Field(() => DateTime, {
    nullable: true,
    description: `Only items added or changed after this time, or in the same millisecond. ${costsScan}`,
  })
  updatedAfter?: Date | null;
}

/** Throws `invalid_parameter` for arguments beyond their limits. */
function toFilter({ search, ...args }: ItemsArgs): ItemFilter {
  checkIdCount(args.productTagIds, 'productTagIds');
  checkIdCount(args.exceptProductTagIds, 'exceptProductTagIds');
  return { ...args, search: parseSearch(search) };
}

function countScans(args: ItemsArgs): number {
  // In the order of ids, an index finds the items of a type.
  const itemType = args.orderBy === 'ID' ? null : args.itemType;
  const { search, tagged, productTagIds, exceptProductTagIds, updatedAfter } = args;
  return [search, itemType, tagged, productTagIds, exceptProductTagIds, updatedAfter].filter(isSet).length;
}

@Resolver()
export class ItemResolver {
  @Query(() => Item, { nullable: true, description: "An item of the partner's company; null for an unknown id." })
  item(
    @CurrentCaller() _caller: Caller,
    @Ctx() { loaders }: RequestContext,
    @Arg('id', () => Int, { description: 'Id of the item.' }) id: number,
  ) {
    return loaders.of(itemsById).load(id);
  }

  @Rules<{ ids: number[] }>({ length: ({ args }) => args.ids.length, check: ({ ids }) => checkIdCount(ids, 'ids') })
  @Query(() => [Item], {
    nullable: 'itemsAndList',
    description: "Items of the partner's company by id, in the order of `ids`; null for each unknown id.",
  })
  itemsByIds(
    @CurrentCaller() _caller: Caller,
    @Ctx() { loaders }: RequestContext,
    @Arg('ids', () => [Int], {
      description: 'Up to 100 ids (BAD_USER_INPUT otherwise). A repeated id counts and returns its item each time.',
    })
    ids: number[],
  ) {
    // `loadMany` would return an error for each id.
    return Promise.all(ids.map((id) => loaders.of(itemsById).load(id)));
  }

  @Rules<ItemsArgs>({ scans: ({ args }) => countScans(args), check: toFilter })
  @Query(() => ItemConnection, {
    nullable: true,
    description: "Items of the partner's company that match all arguments, page by page.",
  })
  items(@CurrentCaller() { companyId }: Caller, @Ctx() { db }: RequestContext, @Args(() => ItemsArgs) args: ItemsArgs) {
    const filter = toFilter(args);
    return ItemConnection.load(
      args,
      (page) => listItems(db, companyId, filter, page),
      () => countItems(db, companyId, filter),
    );
  }
}
