import { type Selectable, sql } from 'kysely';
import { anyOf } from '../../../platform/database/any-of.ts';
import { statement } from '../../../platform/database/statement.ts';
import { pickByKey } from '../../request/group.ts';
import type { Batch } from '../../request/loaders.ts';
import { type TenantKey, type TenantKeys, tenantKeys } from '../../request/tenant-key.ts';
import type { Database } from '../../tables.ts';
import type { ItemsTable, ItemTypeValue } from './item.table.ts';
import type { ItemPage } from './item-connection.type.ts';

export type ItemRow = Selectable<ItemsTable>;

const itemColumns = ['items.id', 'items.companyId', 'items.itemType', 'items.nameEn', 'items.nameAr'] as const;

const selectByIds = statement((db: Database, { companyId, ids }: TenantKeys) =>
  db.selectFrom('items').select(itemColumns).where('companyId', '=', companyId).where('id', '=', anyOf(ids)),
);

/** An item of the company; undefined when it has none of that id. */
export const itemsById: Batch<TenantKey, ItemRow | undefined> = {
  keyId: (item) => item.id,
  async load(db, items) {
    const { companyId, ids } = tenantKeys(items);
    return pickByKey(ids, await selectByIds(db, { companyId, ids }), (row) => row.id);
  },
};

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
