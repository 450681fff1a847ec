import { type Selectable, sql } from 'kysely';
import { unprepared } from '../../../platform/database/prepared-plans.ts';
import { anyId } from '../../../platform/database/queries.ts';
import { retryRead } from '../../../platform/database/transaction.ts';
import { rowsById, type TenantKeys, timesById } from '../../lists/batches.ts';
import { buildConditions, containsWords, toStorableTime } from '../../lists/filters.ts';
import { buildPage, nameKeys, type OrderedPage } from '../../lists/keyset.ts';
import type { Items } from '../../tables.generated.ts';
import type { Database, ItemTypeValue } from '../../tables.ts';

export type ItemRow = Pick<Selectable<Items>, 'id' | 'itemType' | 'nameEn' | 'nameAr'>;

export const itemColumns = sql`items.id, items.item_type as "itemType", items.name_en as "nameEn", items.name_ar as "nameAr"`;

export interface ItemFilter {
  search?: readonly string[] | undefined;
  itemType?: ItemTypeValue | null;
  /** `false` selects only products, because nothing else can be tagged. */
  tagged?: boolean | null;
  productTagIds?: readonly number[] | null;
  exceptProductTagIds?: readonly number[] | null;
  updatedAfter?: Date | null;
}

export async function listItems(db: Database, companyId: number, filter: ItemFilter, page: OrderedPage) {
  const items = sql<ItemRow>`select ${itemColumns} from items where ${toConditions(companyId, filter)}`;
  return (await retryRead(() => buildPage(items, nameKeys, page).execute(db))).rows;
}

export async function countItems(db: Database, companyId: number, filter: ItemFilter): Promise<number> {
  const count = sql<{
    count: number;
  }>`select count(*)::integer as count from items where ${toConditions(companyId, filter)}`;
  return (await retryRead(() => count.execute(db))).rows[0]?.count ?? 0;
}

function toConditions(companyId: number, filter: ItemFilter) {
  const { search, itemType, tagged, productTagIds, exceptProductTagIds, updatedAfter } = filter;
  const links = sql`select from product_taggings where company_id = ${companyId} and item_id = items.id`;
  return buildConditions(
    sql`company_id = ${companyId}`,
    search && containsWords(search),
    itemType && sql`item_type = ${itemType}`,
    tagged === true && sql`exists (${links})`,
    tagged === false && sql`item_type = 'product' and not exists (${links})`,
    productTagIds && sql`exists (${links} and product_tag_id = ${anyId(productTagIds)})`,
    // Without `case`, PostgreSQL would join all links with all links beside `tagged`.
    exceptProductTagIds &&
      sql`case when exists (${links} and product_tag_id = ${anyId(exceptProductTagIds)}) then false else true end`,
    // Only this condition uses the index on `company_id + 0`. The time decides on the plan, so it is a literal.
    updatedAfter &&
      sql`company_id + 0 = ${companyId}::integer
        and updated_at > ${sql.lit(toStorableTime(updatedAfter))}::timestamptz ${unprepared}`,
  );
}

export const itemsById = rowsById(async (db, { companyId, keys }: TenantKeys) => {
  const items = sql<ItemRow>`select ${itemColumns} from items where company_id = ${companyId} and id = ${anyId(keys)}`;
  return (await items.execute(db)).rows;
});

/** Separate, because few responses have times. */
export const itemTimes = timesById('items');
