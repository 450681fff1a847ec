import { type RawBuilder, type Selectable, sql } from 'kysely';
import { anyOf, statement } from '../../../platform/database/statement.ts';
import { rowsById, type TenantKeys } from '../../request/batches.ts';
import { containsWords, orderedList, type Parameters } from '../../request/ordered-list.ts';
import type { Items } from '../../tables.generated.ts';
import type { Database, ItemTypeValue } from '../../tables.ts';

export type ItemRow = Omit<Selectable<Items>, 'companyId' | 'searchText'>;

export const selectItems = statement((db: Database, { companyId, keys }: TenantKeys) =>
  db
    .selectFrom('items')
    .select(['id', 'itemType', 'nameEn', 'nameAr'])
    .where('companyId', '=', companyId)
    .where('id', '=', anyOf(keys)),
);

export const itemsById = rowsById(selectItems);

/** A filter of items: those that meet all defined conditions. With `productTagIds`, the two before it are undefined. */
export interface ItemFilter {
  itemType?: ItemTypeValue | undefined;
  words?: string[] | undefined;
  /** Products with a tag. */
  tagged?: true | undefined;
  /** Products without a tag. */
  untagged?: true | undefined;
  /** Products with any of these tags. */
  productTagIds?: number[] | undefined;
  ids?: number[] | undefined;
}

const hasTag = ({ companyId }: Parameters, condition = sql``) =>
  sql`exists (select from product_taggings where company_id = ${companyId} and item_id = items.id ${condition})`;

const ofTags = ({ productTagIds }: Parameters) => sql`product_tag_id = ${anyOf(productTagIds)}`;

const isOfType = (keys: ReadonlySet<string>, parameters: Parameters) =>
  keys.has('itemType') ? sql`and item_type = ${parameters.itemType}` : sql``;

/** Whether an item is among ids that PostgreSQL reads once; `is true` keeps it from reading them for each item. */
const isAmong = (ids: RawBuilder<unknown>) => sql`(items.id in (${ids})) is true`;

export const companyItems = orderedList<ItemFilter, ItemRow>({
  table: 'items',
  columns: ['id', 'item_type', 'name_en', 'name_ar'],
  nameAr: sql`name_ar`,
  indexed: ['itemType'],

  conditions(keys, parameters, order) {
    const { companyId } = parameters;
    const isUntagged = sql`items.item_type = 'product' and not ${hasTag(parameters)}`;
    // Merges the indexes of items and links, which both are in the order of ids. Most items have tags, so the others are
    // the shorter list.
    const untagged = sql`select id from items where company_id = ${companyId} and ${isUntagged} order by id offset 0`;
    const linked = () =>
      sql`select item_id from product_taggings where company_id = ${companyId} and ${ofTags(parameters)}`;
    const isById = order === 'ID' && !keys.has('words') && !keys.has('productTagIds');
    // Few items, or in the order of the links.
    const isDirect = isById || keys.has('ids');
    const ids = keys.has('ids') ? [sql`items.id = ${anyOf(parameters.ids)}`] : [];
    const conditions = {
      itemType: () => sql`items.item_type = ${parameters.itemType}`,
      tagged: () => (isDirect ? hasTag(parameters) : sql`items.item_type = 'product' and not ${isAmong(untagged)}`),
      untagged: () => (isDirect ? isUntagged : isAmong(untagged)),
      productTagIds: () => (isDirect ? hasTag(parameters, sql`and ${ofTags(parameters)}`) : isAmong(linked())),
    };
    const others = Object.entries(conditions).flatMap(([key, condition]) => (keys.has(key) ? [condition()] : []));
    if (!keys.has('words')) return [...ids, ...others];
    // Reads the links after the first match. PostgreSQL expects too few matches of a condition alone.
    return [
      ...ids,
      sql`case when ${containsWords(parameters)} then ${sql.join([...others, sql`true`], sql` and `)} else false end`,
    ];
  },

  idsOf(keys, parameters) {
    if (!keys.has('productTagIds') || keys.has('ids')) return undefined;
    const { companyId, after, limit, productTagIds } = parameters;
    if (keys.has('words')) {
      // Merges the items with all links, which an index has in the order of items; `+ 0` excludes the index by tag, whose
      // links would have to be sorted.
      return sql`select id from (
          select id from items where company_id = ${companyId} and id > ${after} and ${containsWords(parameters)}
            ${isOfType(keys, parameters)} order by id offset 0
        ) as found where exists (
          select from (
            select item_id from product_taggings where company_id = ${companyId} and item_id > ${after}
              and product_tag_id + 0 = ${anyOf(productTagIds)} order by item_id offset 0
          ) as linked where linked.item_id = found.id
        ) order by id limit ${limit}`;
    }
    // The first items of each tag are enough, because no other condition excludes some of them.
    return sql`select distinct item_id as id
      from unnest(${productTagIds}::integer[]) as tag (tag_id) cross join lateral (
        select item_id from product_taggings
        where company_id = ${companyId} and product_tag_id = tag_id and item_id > ${after}
          ${isOfType(keys, parameters)}
        order by item_id limit ${limit}
      ) as linked order by id limit ${limit}`;
  },
});
