import { type Selectable, sql } from 'kysely';
import { anyId } from '../../../platform/database/queries.ts';
import { retryRead } from '../../../platform/database/transaction.ts';
import { type Batch, groupByKey, pagesByOwner, rowsById, type TenantKeys, timesById } from '../../lists/batches.ts';
import { buildConditions, containsWords, toStorableTime } from '../../lists/filters.ts';
import { buildPage, nameKeys, type OrderedPage, type SortKeys } from '../../lists/keyset.ts';
import type { ProductTags } from '../../tables.generated.ts';
import type { Database } from '../../tables.ts';
import { type ItemRow, itemColumns } from '../items/items.queries.ts';

export const maxItems = 10_000;

/** In Unicode code points; the database checks it too. */
export const nameLength = { min: 3, max: 50 };

/** For the texts of validation errors. */
export const messageValues = { ...nameLength, maxItems, expected: 'integers' } as const;

export type ProductTagRow = Pick<Selectable<ProductTags>, 'id' | 'nameEn' | 'nameAr' | 'version' | 'itemCount'>;

export const productTagColumns = sql`product_tags.id, product_tags.name_en as "nameEn",
  product_tags.name_ar as "nameAr", product_tags.version, product_tags.item_count as "itemCount"`;

export const productTagKeys = {
  ...nameKeys,
  NAME_AR: { ...nameKeys.NAME_AR, sql: sql`coalesce(name_ar, name_en)` },
  // No index: a page reads all tags of the company.
  ITEM_COUNT: { sql: sql`item_count`, get: ({ itemCount }) => itemCount, type: 'integer' },
} satisfies SortKeys<ProductTagRow>;

export interface ProductTagFilter {
  search?: readonly string[] | undefined;
  updatedAfter?: Date | null;
}

export async function listProductTags(db: Database, companyId: number, filter: ProductTagFilter, page: OrderedPage) {
  const tags = sql<ProductTagRow>`select ${productTagColumns} from product_tags where ${toConditions(companyId, filter)}`;
  return (await retryRead(() => buildPage(tags, productTagKeys, page).execute(db))).rows;
}

export async function countProductTags(db: Database, companyId: number, filter: ProductTagFilter): Promise<number> {
  const count = sql<{ count: number }>`
    select count(*)::integer as count from product_tags where ${toConditions(companyId, filter)}`;
  return (await retryRead(() => count.execute(db))).rows[0]?.count ?? 0;
}

function toConditions(companyId: number, { search, updatedAfter }: ProductTagFilter) {
  return buildConditions(
    sql`company_id = ${companyId}`,
    search && containsWords(search),
    updatedAfter && sql`updated_at > ${toStorableTime(updatedAfter)}::timestamptz`,
  );
}

export const selectProductTags = ({ companyId, keys }: TenantKeys) => sql<ProductTagRow>`
  select ${productTagColumns} from product_tags where company_id = ${companyId} and id = ${anyId(keys)}`;

export const productTagsById = rowsById(
  async (db: Database, requested: TenantKeys) => (await selectProductTags(requested).execute(db)).rows,
);

/** Separate, because few responses have times. */
export const productTagTimes = timesById('productTags');

const listTaggings = (db: Database, { companyId, keys }: TenantKeys) =>
  db
    .selectFrom('productTaggings')
    .select(['productTagId', 'itemId'])
    .where('companyId', '=', companyId)
    .where('productTagId', '=', anyId(keys))
    .orderBy('companyId')
    .orderBy('productTagId')
    .orderBy('itemId')
    .execute();

export const itemIdsByProductTag: Batch<number, number[]> = async (db, requested) => {
  const lists = groupByKey(requested.keys, await listTaggings(db, requested), ({ productTagId }) => productTagId);
  return lists.map((list) => list.map(({ itemId }) => itemId));
};

export const productTagsByItem = pagesByOwner<ProductTagRow>(
  (companyId) => sql`
    select ${productTagColumns}
    from product_taggings
    join product_tags on product_tags.company_id = product_taggings.company_id
      and product_tags.id = product_taggings.product_tag_id
    where product_taggings.company_id = ${companyId}
      and product_taggings.item_id = page.id and product_taggings.product_tag_id > page.after
    order by product_taggings.product_tag_id`,
);

export const tagCountsByItem: Batch<number, number> = async (db, requested) => {
  const counts = new Map((await countTaggings(db, requested)).map(({ itemId, count }) => [itemId, count]));
  return requested.keys.map((id) => counts.get(id) ?? 0);
};

type LinkKey = Record<'itemId' | 'productTagId', number>;

export const hasProductTag: Batch<LinkKey, boolean> = async (db, { companyId, keys }) => {
  const [itemIds, productTagIds] = (['itemId', 'productTagId'] as const).map((name) => keys.map((key) => key[name]));
  const { rows } = await sql<LinkKey>`
    select link.item_id as "itemId", link.product_tag_id as "productTagId"
    from unnest(${itemIds}::integer[], ${productTagIds}::integer[]) as requested (item_id, product_tag_id)
    join product_taggings as link on link.company_id = ${companyId}
      and link.product_tag_id = requested.product_tag_id and link.item_id = requested.item_id`.execute(db);
  const found = new Set(rows.map(({ itemId, productTagId }) => `${itemId} ${productTagId}`));
  return keys.map(({ itemId, productTagId }) => found.has(`${itemId} ${productTagId}`));
};

const countTaggings = (db: Database, { companyId, keys }: TenantKeys) =>
  db
    .selectFrom('productTaggings')
    .select(['itemId', sql<number>`count(*)::integer`.as('count')])
    .where('companyId', '=', companyId)
    .where('itemId', '=', anyId(keys))
    .groupBy('itemId')
    .execute();

export const itemsByProductTag = pagesByOwner<ItemRow>(
  (companyId) => sql`
    select ${itemColumns}
    from product_taggings
    join items on items.company_id = product_taggings.company_id and items.id = product_taggings.item_id
    where product_taggings.company_id = ${companyId}
      and product_taggings.product_tag_id = page.id and product_taggings.item_id > page.after
    order by product_taggings.item_id`,
);
