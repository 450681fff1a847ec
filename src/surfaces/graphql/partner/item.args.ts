import { ArgsType, Field, Int } from 'type-graphql';
import type { Order } from '../../../domain/lists/ordered-list.ts';
import { isBlank, parseSearch, searchDescription } from '../../../domain/lists/search.ts';
import type { ItemFilter } from '../../../domain/partner/items/item.queries.ts';
import type { ItemTypeValue } from '../../../domain/tables.ts';
import { AppError } from '../../../kernel/errors/app-error.ts';
import { type CompanyList, PageArgs, scanPrice } from '../types/connection.ts';
import { registerOrder } from '../types/order.ts';
import { ItemType } from './item.object.ts';

const ItemOrder = registerOrder('ItemOrder', 'items', 'By Arabic name.');

const maxIds = 100;

@ArgsType()
export class ItemArgs extends PageArgs {
  @Field(() => ItemOrder, { nullable: true, defaultValue: 'ID', description: 'The order of the list.' })
  orderBy!: Order;

  @Field(() => ItemType, { nullable: true, description: 'Only items of this type. Costs 2,500 in the order of names.' })
  itemType?: ItemTypeValue | null;

  @Field(() => String, { nullable: true, description: searchDescription })
  search?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'True: only items with a tag. False: only products without a tag. Costs 2,500.',
  })
  tagged?: boolean | null;

  @Field(() => [Int], {
    nullable: true,
    description:
      'Only items with any of these tags, at most 100 (BAD_USER_INPUT otherwise). Unknown tags have no items. Costs 2,500.',
  })
  productTagIds?: number[] | null;

  @Field(() => [Int], {
    nullable: true,
    description:
      'Only items with these ids, at most 100 (BAD_USER_INPUT otherwise), in the order of the list. Unknown ids are ' +
      'ignored. The other conditions then cost nothing.',
  })
  ids?: number[] | null;
}

export const itemList: CompanyList<ItemArgs> = {
  conditionPrices: ({ itemType, search, tagged, productTagIds, orderBy }) => ({
    ids: 0,
    itemType: itemType == null || orderBy === 'ID' ? 0 : scanPrice,
    search: isBlank(search) ? 0 : scanPrice,
    tagged: tagged == null ? 0 : scanPrice,
    productTagIds: productTagIds == null ? 0 : scanPrice,
  }),
  isShort: ({ ids }) => ids != null,
  check: itemFilterOf,
};

/** The filter of the arguments. Throws `invalid_parameter` for arguments beyond their limits. */
export function itemFilterOf({ itemType, search, tagged, productTagIds, ids }: ItemArgs): ItemFilter {
  requireShort({ ids, productTagIds });
  return {
    itemType: itemType ?? undefined,
    words: parseSearch(search),
    // Every item of `productTagIds` has a tag, so `tagged` excludes all of them or none.
    ...(productTagIds
      ? { productTagIds: tagged === false ? [] : productTagIds }
      : { tagged: tagged === true || undefined, untagged: tagged === false || undefined }),
    ids: ids ?? undefined,
  };
}

/** Throws `invalid_parameter` for a list of more than 100 ids, by the name of its argument. */
export function requireShort(lists: Record<string, number[] | null | undefined>): void {
  for (const [parameter, list] of Object.entries(lists)) {
    if ((list?.length ?? 0) > maxIds)
      throw new AppError('invalid_parameter', { values: { parameter, expected: 'idList' } });
  }
}
