import { sql } from 'kysely';
import { anyOf } from '../../../platform/database/queries.ts';
import { id, idList, names, optional } from '../../files/columns.ts';
import { type Batch, columnsOf, groupByKey, pagesByOwner, type TenantKeys } from '../../lists/batches.ts';
import { companyList, nameOrders } from '../../lists/company-list.ts';
import type { Database } from '../../tables.ts';
import { type ItemRow, items } from '../items/items.ts';

export const maxItems = 10_000;

/** Length of a tag's name in characters (Unicode code points); the database checks it too. */
export const nameLength = { min: 3, max: 50 };

const { name_en, name_ar } = names(nameLength);

const cells = { id: optional(id), name_en, name_ar: optional(name_ar) };

export type ProductTagRow = NonNullable<Awaited<ReturnType<typeof productTags.byId>>[number]>;

export const productTags = companyList({
  table: 'productTags',
  one: 'tag',
  many: 'tags',
  description: "The tags of the partner's company that meet all given conditions, also tags without items.",
  columns: ['id', 'nameEn', 'nameAr', 'version', 'itemCount'],
  orders: {
    NAME_AR: {
      ...nameOrders.NAME_AR,
      description: 'By Arabic name; a tag without one by its English name.',
      key: sql`coalesce(name_ar, name_en)`,
    },
    ITEM_COUNT: {
      description: 'By number of items, the fewest first. Pages may move while numbers change.',
      key: sql`item_count`,
      keyOf: ({ itemCount }) => itemCount,
      type: 'integer',
      isScan: true,
    },
  },
  filters: {
    updatedAfter: {
      type: 'time',
      description:
        'Only tags created, or whose names or items changed, after this time. Finds those of the same millisecond again, because responses have no microseconds.',
      reads: 'all',
      condition: (where, time) => where('updatedAt', '>', sql<Date>`${time}::timestamptz`),
    },
  },
  file: {
    columns: { ...cells, item_ids: optional(idList) },
    links: { column: 'item_ids', table: 'product_taggings', owner: 'product_tag_id', target: 'item_id' },
    isDeletable: true,
    rules: [
      sql`select line, 'item_ids', format('has %s items, and may have ${sql.lit(maxItems)}', cardinality(item_ids))
        from file where cardinality(item_ids) > ${sql.lit(maxItems)}`,
      sql`select line, 'item_ids', format('%s is not a product of the company', item_id)
        from (select line, company_id, unnest(item_ids) as item_id from file) as wanted
        where not exists (select from items
          where items.company_id = wanted.company_id and items.id = wanted.item_id and item_type = 'product')`,
    ],
  },
});

const listTaggings = (db: Database, { companyId, keys }: TenantKeys) =>
  db
    .selectFrom('productTaggings')
    .select(['productTagId', 'itemId'])
    .where('companyId', '=', companyId)
    .where('productTagId', '=', anyOf(keys))
    // The order of the primary key, so that PostgreSQL need not sort.
    .orderBy('companyId')
    .orderBy('productTagId')
    .orderBy('itemId')
    .execute();

export const itemIdsByProductTag: Batch<number, number[]> = async (db, wanted) => {
  const lists = groupByKey(wanted.keys, await listTaggings(db, wanted), ({ productTagId }) => productTagId);
  return lists.map((list) => list.map(({ itemId }) => itemId));
};

export const productTagsByItem = pagesByOwner<ProductTagRow>(
  (companyId) => sql`
    select ${columnsOf(productTags)}
    from product_taggings
    join product_tags on product_tags.company_id = product_taggings.company_id
      and product_tags.id = product_taggings.product_tag_id
    where product_taggings.company_id = ${companyId}
      and product_taggings.item_id = page.id and product_taggings.product_tag_id > page.after
    order by product_taggings.product_tag_id`,
);

export const tagCountsByItem: Batch<number, number> = async (db, wanted) => {
  const counts = new Map((await countTaggings(db, wanted)).map(({ itemId, count }) => [itemId, count]));
  return wanted.keys.map((id) => counts.get(id) ?? 0);
};

type LinkKey = Record<'itemId' | 'productTagId', number>;

export const hasProductTag: Batch<LinkKey, boolean> = async (db, { companyId, keys }) => {
  const [itemIds, productTagIds] = (['itemId', 'productTagId'] as const).map((name) => keys.map((key) => key[name]));
  const { rows } = await sql<LinkKey>`
    select link.item_id as "itemId", link.product_tag_id as "productTagId"
    from unnest(${itemIds}::integer[], ${productTagIds}::integer[]) as wanted (item_id, product_tag_id)
    join product_taggings as link on link.company_id = ${companyId}
      and link.product_tag_id = wanted.product_tag_id and link.item_id = wanted.item_id`.execute(db);
  const found = new Set(rows.map(({ itemId, productTagId }) => `${itemId} ${productTagId}`));
  return keys.map(({ itemId, productTagId }) => found.has(`${itemId} ${productTagId}`));
};

const countTaggings = (db: Database, { companyId, keys }: TenantKeys) =>
  db
    .selectFrom('productTaggings')
    .select(['itemId', sql<number>`count(*)::integer`.as('count')])
    .where('companyId', '=', companyId)
    .where('itemId', '=', anyOf(keys))
    .groupBy('itemId')
    .execute();

export const itemsByProductTag = pagesByOwner<ItemRow>(
  (companyId) => sql`
    select ${columnsOf(items)}
    from product_taggings
    join items on items.company_id = product_taggings.company_id and items.id = product_taggings.item_id
    where product_taggings.company_id = ${companyId}
      and product_taggings.product_tag_id = page.id and product_taggings.item_id > page.after
    order by product_taggings.item_id`,
);
