import { type ExpressionBuilder, type Selectable, sql } from 'kysely';
import { anyOf, statement } from '../../../platform/database/statement.ts';
import { rowsById, type TenantKeys } from '../../lists/batches.ts';
import { containsWords, orderedList } from '../../lists/ordered-list.ts';
import type { Items } from '../../tables.generated.ts';
import type { Database, ItemTypeValue, Tables } from '../../tables.ts';

export type ItemRow = Omit<Selectable<Items>, 'companyId' | 'searchText'>;

export const selectItems = statement((db: Database, { companyId, keys }: TenantKeys) =>
  db
    .selectFrom('items')
    .select(['id', 'itemType', 'nameEn', 'nameAr'])
    .where('companyId', '=', companyId)
    .where('id', '=', anyOf(keys)),
);

export const itemsById = rowsById(selectItems);

/** A filter of items: those that meet all defined conditions. With `productTagIds`, the two before it are undefined. */
export interface ItemFilter {
  itemType?: ItemTypeValue | undefined;
  words?: string[] | undefined;
  /** Products with a tag. */
  tagged?: true | undefined;
  /** Products without a tag. */
  untagged?: true | undefined;
  /** Products with any of these tags. */
  productTagIds?: number[] | undefined;
  ids?: number[] | undefined;
}

export const companyItems = orderedList<ItemFilter, ItemRow>({
  nameAr: sql`name_ar`,
  rows(db, keys, parameters) {
    const { companyId } = parameters;
    const links = ({ selectFrom }: ExpressionBuilder<Tables, 'items'>) =>
      selectFrom('productTaggings')
        .select(sql.lit(1).as('one'))
        .where('productTaggings.companyId', '=', companyId)
        .whereRef('productTaggings.itemId', '=', 'items.id');
    return db
      .selectFrom('items')
      .select(['id', 'itemType', 'nameEn', 'nameAr'])
      .where('companyId', '=', companyId)
      .$if(keys.has('itemType'), (items) => items.where('itemType', '=', parameters.itemType))
      .$if(keys.has('words'), (items) => items.where(containsWords(parameters)))
      .$if(keys.has('tagged'), (items) => items.where((where) => where.exists(links(where))))
      .$if(keys.has('untagged'), (items) =>
        items.where('itemType', '=', 'product').where((where) => where.not(where.exists(links(where)))),
      )
      .$if(keys.has('productTagIds'), (items) =>
        items.where((where) => where.exists(links(where).where('productTagId', '=', anyOf(parameters.productTagIds)))),
      )
      .$if(keys.has('ids'), (items) => items.where('id', '=', anyOf(parameters.ids)));
  },
});
