import { type Insertable, sql } from 'kysely';
import { anyId } from '../../../platform/database/queries.ts';
import type { TenantKey } from '../../lists/batches.ts';
import type { ProductTags } from '../../tables.generated.ts';
import { type ProductTagRow, productTagColumns } from './product-tags.queries.ts';

// Plain SQL, because Kysely's builders take CPU time at each call.

export const insertProductTag = ({ companyId, nameEn, nameAr }: Insertable<ProductTags>) => sql<ProductTagRow>`
  insert into product_tags (company_id, name_en, name_ar) values (${companyId}, ${nameEn}, ${nameAr})
  returning ${productTagColumns}`;

// Separate: a statement that waits for the lock sees the links from before the wait.
export const lockProductTag = ({ companyId, id }: TenantKey) => sql<ProductTagRow>`
  select ${productTagColumns} from product_tags where company_id = ${companyId} and id = ${id} for no key update`;

export const deleteProductTag = ({ companyId, id }: TenantKey) => sql<Pick<ProductTagRow, 'version'>>`
  delete from product_tags where company_id = ${companyId} and id = ${id} returning version`;

/** To the caller, an item of another company does not exist. */
export interface OffendingItem {
  id: number;
  code: 'item_not_found' | 'item_not_product';
}

type TagItems = TenantKey & { itemIds: readonly number[] };

/** Until the transaction ends; returns the items that cannot be tagged. */
export const lockItems = ({ companyId, itemIds }: Pick<TagItems, 'companyId' | 'itemIds'>) => sql<OffendingItem>`
  with found as materialized (
    select id, item_type from items where company_id = ${companyId} and id = ${anyId(itemIds)}
    order by id for key share
  )
  select 'item_not_product' as code, id from found where item_type <> 'product'
  union all
  select 'item_not_found', id from (select unnest(${itemIds}::integer[]) as id except select id from found) as missing
  order by code, id`;

type Names = TenantKey & Record<'nameEn' | 'nameAr', string | null> & { setsNameAr: boolean };

/** Without `nameEn` or `setsNameAr`, that name stays. */
export const renameProductTag = ({ companyId, id, nameEn, nameAr, setsNameAr }: Names) => sql<never>`
  update product_tags
  set name_en = coalesce(${nameEn}, name_en), name_ar = case when ${setsNameAr} then ${nameAr} else name_ar end
  where company_id = ${companyId} and id = ${id}
    and (name_en <> ${nameEn} or ${setsNameAr} and name_ar is distinct from ${nameAr})`;

export const addItems = ({ companyId, id, itemIds }: TagItems) => sql<never>`
  insert into product_taggings (company_id, product_tag_id, item_id)
  select product_tags.company_id, product_tags.id, items.id
  from product_tags join items on items.company_id = product_tags.company_id
  where product_tags.company_id = ${companyId} and product_tags.id = ${id}
    and items.id = ${anyId(itemIds)} and items.item_type = 'product'
  on conflict do nothing`;

export const replaceProductTag = (tag: Names & TagItems) => sql<never>`
  with renamed as (${renameProductTag(tag)}), unlinked as (
    delete from product_taggings
    where company_id = ${tag.companyId} and product_tag_id = ${tag.id}
      and item_id not in (select unnest(${tag.itemIds}::integer[]))
  )
  ${addItems(tag)}`;

// Not `in (select`: a prepared plan, which does not know the number of items, would compare each link with each item.
export const removeItems = ({ companyId, id, itemIds }: TagItems) => sql<never>`
  delete from product_taggings
  where company_id = ${companyId} and product_tag_id = ${id} and item_id = ${anyId(itemIds)}`;

/** Returns a row if the tag has more than `maxItems` items. */
export const findExcess = ({ companyId, id, maxItems }: TenantKey & { maxItems: number }) => sql<{ itemId: number }>`
  select item_id from product_taggings where company_id = ${companyId} and product_tag_id = ${id}
  order by item_id offset ${maxItems} limit 1`;
