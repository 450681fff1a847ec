import { type Selectable, sql } from 'kysely';
import { anyOf } from '../database/any-of.ts';
import type { Database } from '../database/database.ts';
import { type ItemRow, itemColumns } from '../items/item.queries.ts';
import { groupByKey } from '../request/group.ts';
import type { Batch } from '../request/loaders.ts';
import type { ProductTagsTable } from './product-tag.table.ts';

export type ProductTagRow = Selectable<ProductTagsTable>;

/** A row of one company: what tenant batches are keyed by, so that each of their statements names the company. */
interface TenantKey {
  companyId: number;
  id: number;
}

const columns = ['productTags.id', 'productTags.companyId', 'productTags.nameEn', 'productTags.nameAr'] as const;

export async function insertProductTag(
  db: Database,
  tag: { companyId: number; nameEn: string; nameAr: string | null },
): Promise<ProductTagRow> {
  return db.insertInto('productTags').values(tag).returning(columns).executeTakeFirstOrThrow();
}

/** Locks a tag of the company until the transaction ends, so that updates of one tag follow one another. */
export async function lockProductTag(
  transaction: Database,
  { companyId, id }: TenantKey,
): Promise<ProductTagRow | undefined> {
  return transaction
    .selectFrom('productTags')
    .select(columns)
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Sets the names of a tag. */
export async function updateProductTag(
  db: Database,
  { companyId, id }: TenantKey,
  { nameEn, nameAr }: Pick<ProductTagRow, 'nameEn' | 'nameAr'>,
): Promise<void> {
  await db
    .updateTable('productTags')
    .set({ nameEn, nameAr })
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .execute();
}

/** Deletes a tag of the company, its links with it; false when the company has no such tag. */
export async function deleteProductTag(db: Database, { companyId, id }: TenantKey): Promise<boolean> {
  const result = await db
    .deleteFrom('productTags')
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/**
 * Links a tag to exactly these products: unlinks the absent, links the new, touches no other link. The tag must have been
 * locked by an earlier statement of the transaction: a lock and a diff in one statement see the links as they were
 * before the lock was had.
 */
export async function syncProductTaggings(
  transaction: Database,
  { companyId, id }: TenantKey,
  itemIds: readonly number[],
): Promise<void> {
  await transaction
    .deleteFrom('productTaggings')
    .where('companyId', '=', companyId)
    .where('productTagId', '=', id)
    .where((where) => where.not(where('itemId', '=', anyOf(itemIds))))
    .execute();
  await transaction
    .insertInto('productTaggings')
    .columns(['companyId', 'productTagId', 'itemId'])
    .expression((query) =>
      query
        .selectFrom(sql<{ itemId: number }>`unnest(${itemIds}::integer[])`.as<'wanted'>(sql`wanted(item_id)`))
        .select([
          sql<number>`${companyId}::integer`.as('companyId'),
          sql<number>`${id}::integer`.as('productTagId'),
          'wanted.itemId',
        ]),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The ids of a tag's items, ascending: within a transaction, those that it sees. */
export async function listItemIds(db: Database, { companyId, id }: TenantKey): Promise<number[]> {
  const rows = await db
    .selectFrom('productTaggings')
    .select('itemId')
    .where('companyId', '=', companyId)
    .where('productTagId', '=', id)
    .orderBy('itemId')
    .execute();
  return rows.map((row) => row.itemId);
}

/** The ids of each tag's items, ascending. */
export const itemIdsByProductTag: Batch<TenantKey, number[]> = {
  keyId: (tag) => tag.id,
  async load(db, tags) {
    const rows = await db
      .selectFrom('productTaggings')
      .select(['productTagId', 'itemId'])
      .where('companyId', '=', anyOf(companiesOf(tags)))
      .where('productTagId', '=', anyOf(idsOf(tags)))
      .orderBy('itemId')
      .execute();
    return groupByKey(idsOf(tags), rows, (row) => row.productTagId).map((group) => group.map((row) => row.itemId));
  },
};

/** A tag's items, by id. */
export const itemsByProductTag: Batch<TenantKey, ItemRow[]> = {
  keyId: (tag) => tag.id,
  async load(db, tags) {
    const rows = await db
      .selectFrom('productTaggings')
      .innerJoin('items', (join) =>
        join
          .onRef('items.companyId', '=', 'productTaggings.companyId')
          .onRef('items.id', '=', 'productTaggings.itemId'),
      )
      .select(['productTaggings.productTagId', ...itemColumns])
      .where('productTaggings.companyId', '=', anyOf(companiesOf(tags)))
      .where('productTaggings.productTagId', '=', anyOf(idsOf(tags)))
      .orderBy('items.id')
      .execute();
    return groupByKey(idsOf(tags), rows, (row) => row.productTagId);
  },
};

/** An item's tags, by id. */
export const productTagsByItem: Batch<TenantKey, ProductTagRow[]> = {
  keyId: (item) => item.id,
  async load(db, items) {
    const rows = await db
      .selectFrom('productTaggings')
      .innerJoin('productTags', (join) =>
        join
          .onRef('productTags.companyId', '=', 'productTaggings.companyId')
          .onRef('productTags.id', '=', 'productTaggings.productTagId'),
      )
      .select(['productTaggings.itemId', ...columns])
      .where('productTaggings.companyId', '=', anyOf(companiesOf(items)))
      .where('productTaggings.itemId', '=', anyOf(idsOf(items)))
      .orderBy('productTags.id')
      .execute();
    return groupByKey(idsOf(items), rows, (row) => row.itemId);
  },
};

function idsOf(keys: readonly TenantKey[]): number[] {
  return keys.map((key) => key.id);
}

function companiesOf(keys: readonly TenantKey[]): number[] {
  return [...new Set(keys.map((key) => key.companyId))];
}
