import { type Selectable, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { statement } from '../database/statement.ts';
import type { ItemsTable, ItemTypeValue } from './item.table.ts';

export type ItemRow = Selectable<ItemsTable>;

export const itemColumns = ['items.id', 'items.companyId', 'items.itemType', 'items.nameEn', 'items.nameAr'] as const;

const selectItem = statement((db, { companyId, id }: { companyId: number; id: number }) =>
  db.selectFrom('items').select(itemColumns).where('companyId', '=', companyId).where('id', '=', id),
);

/** An item of the company; undefined when it has none of that id. */
export async function findItem(db: Database, companyId: number, id: number): Promise<ItemRow | undefined> {
  const [item] = await selectItem(db, { companyId, id });
  return item;
}

interface ItemPage {
  companyId: number;
  after: number;
  limit: number;
  itemType: ItemTypeValue | null;
}

/** Items of the company, by id: at most `limit` of those after the id `after`, of one type if wanted. */
export const listItems = statement((db, { companyId, after, limit, itemType }: ItemPage) =>
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
export async function* listAllItems(
  db: Database,
  companyId: number,
  itemType: ItemTypeValue | null,
): AsyncGenerator<ItemRow[]> {
  const limit = 1_000;
  let page = await listItems(db, { companyId, after: 0, limit, itemType });
  while (page.length > 0) {
    yield page;
    page = await listItems(db, { companyId, after: page.at(-1)?.id ?? 0, limit, itemType });
  }
}
