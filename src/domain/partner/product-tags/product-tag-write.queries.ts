import { sql } from 'kysely';
import { anyOf } from '../../../platform/database/any-of.ts';
import { statement } from '../../../platform/database/statement.ts';
import type { TenantKey } from '../../request/tenant-key.ts';
import type { Database } from '../../tables.ts';
import type { ItemTypeValue } from '../items/item.table.ts';

/** An item that cannot be tagged: of another type, or, with none, not of the company. */
export interface OffendingItem {
  id: number;
  itemType: ItemTypeValue | null;
}

type TagItems = TenantKey & { itemIds: readonly number[] };

// These statements of one transaction follow the lock of the tag: a lock and a diff in one statement would see the links
// as they were before the lock was granted. Sets are compared by subqueries, which PostgreSQL hashes: a plan that is made
// once does not know whether there are ten items or 10,000.

/** Locks items of the company until the transaction ends; its rows are those that cannot be tagged. */
export const lockItems = statement(
  (_: Database, { companyId, itemIds }: Pick<TagItems, 'companyId' | 'itemIds'>) => sql<OffendingItem>`
    with found as materialized (
      select id, item_type from items where company_id = ${companyId} and id = ${anyOf(itemIds)}
      order by id for key share
    )
    select id, item_type as "itemType" from found where item_type <> 'product'
    union all
    select id, null from (select unnest(${itemIds}::integer[]) as id except select id from found) as missing
    order by id`,
);

/** Gives a tag its names unless it has them; without `setsNameAr` the Arabic one stays. */
export const renameProductTag = statement(
  (
    _: Database,
    {
      companyId,
      id,
      nameEn,
      nameAr,
      setsNameAr,
    }: TenantKey & { nameEn: string; nameAr: string | null; setsNameAr: boolean },
  ) => sql`
    update product_tags
    set name_en = ${nameEn}, name_ar = case when ${setsNameAr} then ${nameAr} else name_ar end
    where company_id = ${companyId} and id = ${id}
      and (name_en <> ${nameEn} or ${setsNameAr} and name_ar is distinct from ${nameAr})`,
);

/** Unlinks a tag from all other items. */
export const unlinkOtherItems = statement(
  (_: Database, { companyId, id, itemIds }: TagItems) => sql`
    delete from product_taggings
    where company_id = ${companyId} and product_tag_id = ${id}
      and item_id not in (select unnest(${itemIds}::integer[]))`,
);

/** Links a tag to items, where it is not yet. */
export const linkItems = statement(
  (_: Database, { companyId, id, itemIds }: TagItems) => sql`
    insert into product_taggings (company_id, product_tag_id, item_id)
    select product_tags.company_id, product_tags.id, items.id
    from product_tags join items on items.company_id = product_tags.company_id
    where product_tags.company_id = ${companyId} and product_tags.id = ${id}
      and items.id = ${anyOf(itemIds)} and items.item_type = 'product'
    on conflict do nothing`,
);
