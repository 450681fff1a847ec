import { type Selectable, sql } from 'kysely';
import { anyOf } from '../../../platform/database/any-of.ts';
import { statement } from '../../../platform/database/statement.ts';
import { type Page, rowsById, type TenantKeys } from '../../request/batches.ts';
import type { Items } from '../../tables.generated.ts';
import type { Database, ItemTypeValue } from '../../tables.ts';

export type ItemRow = Omit<Selectable<Items>, 'companyId' | 'searchText'>;

const itemColumns = ['items.id', 'items.itemType', 'items.nameEn', 'items.nameAr'] as const;

export const itemsById = rowsById(
  statement((db: Database, { companyId, keys }: TenantKeys) =>
    db.selectFrom('items').select(itemColumns).where('companyId', '=', companyId).where('id', '=', anyOf(keys)),
  ),
);

/** A filter of items; null matches all. */
export interface ItemFilter {
  itemType: ItemTypeValue | null;
  /** Part of a name, ignoring case. */
  search: string | null;
  /** Products with a tag, or products without. */
  tagged: boolean | null;
}

type ItemPage = Page & ItemFilter & { companyId: number };

// Scans the company's items from the cursor. A trigram index needs an extension and does not help with two characters.
/** A page of the company's items, by id. */
export const listItems = statement(
  (db: Database, { companyId, after, limit, itemType, search, tagged }: ItemPage) =>
    db
      .selectFrom('items')
      .select(itemColumns)
      .where('companyId', '=', companyId)
      .where('id', '>', after)
      .where(sql<boolean>`(${itemType}::text is null or item_type = ${itemType})`)
      // The subquery lowercases the text once, not for each item.
      .where(sql<boolean>`(${search}::text is null or strpos(search_text, (select lower(${search}))) > 0)`)
      // OFFSET keeps PostgreSQL from reading all links of the company for one page.
      .where(
        sql<boolean>`(${tagged}::boolean is null or item_type = 'product' and ${tagged} = exists (
        select from product_taggings where company_id = items.company_id and item_id = items.id offset 0))`,
      )
      .orderBy('id')
      .limit(limit),
  { isScan: ({ itemType, search, tagged }) => [itemType, search, tagged].some((filter) => filter !== null) },
);
