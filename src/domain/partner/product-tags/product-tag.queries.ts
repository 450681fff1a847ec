import { type Selectable, sql } from 'kysely';
import { anyOf } from '../../../platform/database/any-of.ts';
import { statement } from '../../../platform/database/statement.ts';
import { groupByKey, pickByKey } from '../../request/group.ts';
import { type Batch, ensureAllRows, maxRows } from '../../request/loaders.ts';
import { type TenantKey, type TenantKeys, tenantKeys } from '../../request/tenant-key.ts';
import type { Database } from '../../tables.ts';
import type { ItemRow } from '../items/item.queries.ts';
import type { ItemPage } from '../items/item-connection.type.ts';
import type { ProductTagsTable } from './product-tag.table.ts';

export type ProductTagRow = Selectable<ProductTagsTable>;

const columns = ['productTags.id', 'productTags.companyId', 'productTags.nameEn', 'productTags.nameAr'] as const;

const selectByIds = statement((db: Database, { companyId, ids }: TenantKeys) =>
  db.selectFrom('productTags').select(columns).where('companyId', '=', companyId).where('id', '=', anyOf(ids)),
);

/** A tag of the company; undefined when it has none of that id. */
export const productTagsById: Batch<TenantKey, ProductTagRow | undefined> = {
  keyId: (tag) => tag.id,
  async load(db, tags) {
    const { companyId, ids } = tenantKeys(tags);
    return pickByKey(ids, await selectByIds(db, { companyId, ids }), (row) => row.id);
  },
};

export const insertProductTag = statement((db: Database, { companyId, nameEn, nameAr }: Omit<ProductTagRow, 'id'>) =>
  db.insertInto('productTags').values({ companyId, nameEn, nameAr }).returning(columns),
);

/** Locks a tag of the company until the transaction ends, so that updates of one tag follow one another. */
export const lockProductTag = statement((db: Database, { companyId, id }: TenantKey) =>
  db.selectFrom('productTags').select(columns).where('companyId', '=', companyId).where('id', '=', id).forNoKeyUpdate(),
);

const deleteTag = statement((db: Database, { companyId, id }: TenantKey) =>
  db.deleteFrom('productTags').where('companyId', '=', companyId).where('id', '=', id).returning('id'),
);

/** Deletes a tag of the company, its links with it; false when the company has no such tag. */
export async function deleteProductTag(db: Database, key: TenantKey): Promise<boolean> {
  const deleted = await deleteTag(db, key);
  return deleted.length > 0;
}

const selectItemIds = statement((db: Database, { companyId, ids }: TenantKeys) =>
  db
    .selectFrom('productTaggings')
    .select(['productTagId', 'itemId'])
    .where('companyId', '=', companyId)
    .where('productTagId', '=', anyOf(ids))
    .orderBy('itemId')
    .limit(maxRows),
);

/** A tag's links to its items, by item: within a transaction, those that it sees. */
export const listTaggings = statement((db: Database, { companyId, id }: TenantKey) =>
  db
    .selectFrom('productTaggings')
    .select('itemId')
    .where('companyId', '=', companyId)
    .where('productTagId', '=', id)
    .orderBy('itemId'),
);

/** The ids of each tag's items, ascending. */
export const itemIdsByProductTag: Batch<TenantKey, number[]> = {
  keyId: (tag) => tag.id,
  async load(db, tags) {
    const { companyId, ids } = tenantKeys(tags);
    const rows = ensureAllRows(await selectItemIds(db, { companyId, ids }));
    return groupByKey(ids, rows, (row) => row.productTagId).map((group) => group.map((row) => row.itemId));
  },
};

const selectItemPages = statement(
  (_: Database, { companyId, ids, afters, limits }: TenantKeys & { afters: number[]; limits: number[] }) =>
    sql<ItemRow & { place: number }>`
      select page.place, item.*
      from rows from (
        unnest(${ids}::integer[]), unnest(${afters}::integer[]), unnest(${limits}::integer[])
      ) with ordinality as page (product_tag_id, after_id, length, place)
      cross join lateral (
        select items.id, items.company_id, items.item_type, items.name_en, items.name_ar
        from product_taggings
        join items on items.company_id = product_taggings.company_id and items.id = product_taggings.item_id
        where product_taggings.company_id = ${companyId}
          and product_taggings.product_tag_id = page.product_tag_id and product_taggings.item_id > page.after_id
        order by product_taggings.item_id
        limit page.length
      ) as item
      order by page.place, item.id`,
  { isRead: true },
);

/** A page of a tag's items, by id. */
export const itemsByProductTag: Batch<TenantKey & ItemPage, ItemRow[]> = {
  keyId: ({ id, after, limit }) => `${id} ${after} ${limit}`,
  async load(db, pages) {
    const afters = pages.map(({ after }) => after);
    const limits = pages.map(({ limit }) => limit);
    const rows = await selectItemPages(db, { ...tenantKeys(pages), afters, limits });
    // PostgreSQL counts from 1, in bigints.
    return groupByKey([...pages.keys()], rows, (row) => Number(row.place) - 1);
  },
};

const selectProductTags = statement((db: Database, { companyId, ids }: TenantKeys) =>
  db
    .selectFrom('productTaggings')
    .innerJoin('productTags', (join) =>
      join
        .onRef('productTags.companyId', '=', 'productTaggings.companyId')
        .onRef('productTags.id', '=', 'productTaggings.productTagId'),
    )
    .select(['productTaggings.itemId', ...columns])
    .where('productTaggings.companyId', '=', companyId)
    .where('productTaggings.itemId', '=', anyOf(ids))
    .orderBy('productTags.id')
    .limit(maxRows),
);

/** An item's tags, by id. */
export const productTagsByItem: Batch<TenantKey, ProductTagRow[]> = {
  keyId: (item) => item.id,
  async load(db, items) {
    const { companyId, ids } = tenantKeys(items);
    return groupByKey(ids, ensureAllRows(await selectProductTags(db, { companyId, ids })), (row) => row.itemId);
  },
};
