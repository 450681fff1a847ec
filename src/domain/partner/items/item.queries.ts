import { type Selectable, sql } from 'kysely';
import { anyOf } from '../../../platform/database/any-of.ts';
import { statement } from '../../../platform/database/statement.ts';
import { type Page, rowsById, type TenantKeys } from '../../request/batches.ts';
import type { Items } from '../../tables.generated.ts';
import type { Database, ItemTypeValue } from '../../tables.ts';

export type ItemRow = Omit<Selectable<Items>, 'companyId'>;

const itemColumns = ['items.id', 'items.itemType', 'items.nameEn', 'items.nameAr'] as const;

export const itemsById = rowsById(
  statement((db: Database, { companyId, keys }: TenantKeys) =>
    db.selectFrom('items').select(itemColumns).where('companyId', '=', companyId).where('id', '=', anyOf(keys)),
  ),
);

type TypedItemPage = Page & { companyId: number; itemType: ItemTypeValue | null };

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

/** All items of a company, by id. */
export async function listAllItems(db: Database, companyId: number): Promise<ItemRow[]> {
  return db.selectFrom('items').select(itemColumns).where('companyId', '=', companyId).orderBy('id').execute();
}
