import { type Selectable, sql } from 'kysely';
import { anyOf } from '../../../platform/database/any-of.ts';
import { statement } from '../../../platform/database/statement.ts';
import { rowsById, type TenantKeys } from '../../request/batches.ts';
import type { Items } from '../../tables.generated.ts';
import type { Database, ItemTypeValue } from '../../tables.ts';
import type { ItemPage } from './item-connection.type.ts';

export type ItemRow = Omit<Selectable<Items>, 'companyId'>;

const itemColumns = ['items.id', 'items.itemType', 'items.nameEn', 'items.nameAr'] as const;

export const itemsById = rowsById(
  statement((db: Database, { companyId, keys }: TenantKeys) =>
    db.selectFrom('items').select(itemColumns).where('companyId', '=', companyId).where('id', '=', anyOf(keys)),
  ),
);

type TypedItemPage = ItemPage & { companyId: number; itemType: ItemTypeValue | null };

/** Items of the company, by id: at most `limit` of those after the id `after`, of one type if wanted. */
export const listItems = statement((db: Database, { companyId, after, limit, itemType }: TypedItemPage) =>
  db
    .selectFrom('items')
    .select(itemColumns)
    .where('companyId', '=', companyId)
    .where('id', '>', after)
    .where(sql<boolean>`(${itemType}::text is null or item_type = ${itemType})`)
    .orderBy('id')
    .limit(limit),
);

/** All items of the company, of one type if wanted, by id and in pages. */
export async function* listAllItems(db: Database, companyId: number, itemType: ItemTypeValue | null) {
  const limit = 1_000;
  let page = await listItems(db, { companyId, after: 0, limit, itemType });
  while (page.length > 0) {
    yield page;
    page = await listItems(db, { companyId, after: page.at(-1)?.id ?? 0, limit, itemType });
  }
}
