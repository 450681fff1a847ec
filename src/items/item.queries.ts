import type { Selectable } from 'kysely';
import { anyOf } from '../database/any-of.ts';
import type { Database } from '../database/database.ts';
import type { ItemsTable, ItemTypeValue } from './item.table.ts';

export type ItemRow = Selectable<ItemsTable>;

export const itemColumns = ['items.id', 'items.companyId', 'items.itemType', 'items.nameEn', 'items.nameAr'] as const;

/** An item of the company; undefined when it has none of that id. */
export async function findItem(db: Database, companyId: number, id: number): Promise<ItemRow | undefined> {
  return db
    .selectFrom('items')
    .select(itemColumns)
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Items of the company, by id: at most `limit` of those after the id `after`, of one type if wanted. */
export async function listItems(
  db: Database,
  companyId: number,
  { after, limit, itemType }: { after: number; limit: number; itemType: ItemTypeValue | undefined },
): Promise<ItemRow[]> {
  return db
    .selectFrom('items')
    .select(itemColumns)
    .where('companyId', '=', companyId)
    .where('id', '>', after)
    .$if(itemType !== undefined, (query) => query.where('itemType', '=', itemType as ItemTypeValue))
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** All items of the company, of one type if wanted, by id and in pages. */
export async function* listAllItems(
  db: Database,
  companyId: number,
  itemType: ItemTypeValue | undefined,
): AsyncGenerator<ItemRow[]> {
  const limit = 1_000;
  let page = await listItems(db, companyId, { after: 0, limit, itemType });
  while (page.length > 0) {
    yield page;
    page = await listItems(db, companyId, { after: page.at(-1)?.id ?? 0, limit, itemType });
  }
}

/** Id and type of those of the ids that are items of the company, kept from changing until the transaction ends. */
export async function lockItemTypes(
  transaction: Database,
  companyId: number,
  ids: readonly number[],
): Promise<Pick<ItemRow, 'id' | 'itemType'>[]> {
  return transaction
    .selectFrom('items')
    .select(['id', 'itemType'])
    .where('companyId', '=', companyId)
    .where('id', '=', anyOf(ids))
    .orderBy('id')
    .forKeyShare()
    .execute();
}
