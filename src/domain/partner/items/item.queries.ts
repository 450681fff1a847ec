import { type Selectable, sql } from 'kysely';
import { anyOf, statement } from '../../../platform/database/statement.ts';
import { rowsById, type TenantKeys, timesById } from '../../lists/batches.ts';
import { orderedList } from '../../lists/ordered-list.ts';
import type { Items } from '../../tables.generated.ts';
import type { Database } from '../../tables.ts';
import { itemColumns } from './item.columns.ts';
import { itemFilters } from './item.filters.ts';

export type ItemRow = Pick<Selectable<Items>, (typeof itemColumns)[number]>;

export const selectItems = statement((db: Database, { companyId, keys }: TenantKeys) =>
  db.selectFrom('items').select(itemColumns).where('companyId', '=', companyId).where('id', '=', anyOf(keys)),
);

export const itemsById = rowsById(selectItems);

// Apart, because few responses show them.
export const itemTimes = timesById('items');

export const companyItems = orderedList({
  nameAr: sql`name_ar`,
  filters: itemFilters,
  rows: (db, companyId) => db.selectFrom('items').select(itemColumns).where('companyId', '=', companyId),
});
