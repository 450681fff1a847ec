import { sql } from 'kysely';
import { type BoundStatement, statement } from '../../../platform/database/statement.ts';
import type { Database, Tables } from '../../tables.ts';
import type { ItemTypeValue } from '../items/item.table.ts';

/** What becomes of a tag. */
export interface ProductTagWrite {
  companyId: number;
  id: number;
  /** Its names; an undefined `nameAr` stays as it is. Without them nothing is written, and the items are only looked at. */
  names: { nameEn: string; nameAr: string | null | undefined } | undefined;
  /** The items that it ends up with, exactly; undefined leaves them as they are. */
  itemIds: readonly number[] | undefined;
}

/** An item that cannot be tagged: of another type, or, with none, not of the company. */
export interface OffendingItem {
  id: number;
  itemType: ItemTypeValue | null;
}

/**
 * Gives a tag of the company its names and exactly these items, and touches no row that stays as it is. Its rows are the
 * items that cannot be tagged: then, and where the company has no such tag, nothing is written. The tag must have been
 * locked by an earlier statement of the transaction: a lock and a diff in one statement see the links as they were before
 * the lock was had.
 */
export function writeProductTag({
  companyId,
  id,
  names,
  itemIds,
}: ProductTagWrite): BoundStatement<Tables, OffendingItem> {
  return write.with({
    companyId,
    id,
    isAllowed: names !== undefined,
    nameEn: names?.nameEn ?? '',
    setsNameAr: names?.nameAr !== undefined,
    nameAr: names?.nameAr ?? null,
    setsItems: itemIds !== undefined,
    itemIds: itemIds ?? [],
  });
}

interface Parameters {
  companyId: number;
  id: number;
  isAllowed: boolean;
  nameEn: string;
  setsNameAr: boolean;
  nameAr: string | null;
  setsItems: boolean;
  itemIds: readonly number[];
}

// One statement, as each takes a way to the database and back. Sets are compared by `except`, which takes 10,000 items as
// well as ten: a plan that is made once knows neither number.
const write = statement(
  (
    _: Database,
    { companyId, id, isAllowed, nameEn, setsNameAr, nameAr, setsItems, itemIds }: Parameters,
  ) => sql<OffendingItem>`
    with found as materialized (
      select id, item_type from items
      where company_id = ${companyId} and id = any(${itemIds}::integer[])
      order by id for key share
    ), offending as materialized (
      select id, item_type from found where item_type <> 'product'
      union all
      select id, null from (select unnest(${itemIds}::integer[]) as id except select id from found) as missing
    ), tag as materialized (
      select id, ${nameEn}::text as name_en, case when ${setsNameAr} then ${nameAr} else name_ar end as name_ar
      from product_tags
      where company_id = ${companyId} and id = ${id} and ${isAllowed} and not exists (select from offending)
    ), renamed as (
      update product_tags set name_en = tag.name_en, name_ar = tag.name_ar
      from tag
      where company_id = ${companyId} and product_tags.id = tag.id
        and (product_tags.name_en, product_tags.name_ar) is distinct from (tag.name_en, tag.name_ar)
    ), absent as materialized (
      select item_id from product_taggings
      where company_id = ${companyId} and product_tag_id = ${id} and ${setsItems} and exists (select from tag)
      except select id from found
    ), unlinked as (
      delete from product_taggings
      where company_id = ${companyId} and product_tag_id = ${id} and item_id = any(array(select item_id from absent))
    ), linked as (
      insert into product_taggings (company_id, product_tag_id, item_id)
      select ${companyId}, tag.id, found.id from tag, found
      on conflict do nothing
    )
    select id, item_type from offending order by id`,
);
