import type { Database } from '../database/database.ts';
import { inTransaction } from '../database/transaction.ts';
import { type Refusal, RefusedError } from '../errors/refusal.ts';
import { type Once, once } from '../idempotency/idempotency-key.service.ts';
import { lockItemTypes } from '../items/item.queries.ts';
import { normalizeName } from '../localization/name.ts';
import type { Caller } from '../request/context.ts';
import type { ProductTagRow } from './product-tag.queries.ts';
import * as queries from './product-tag.queries.ts';
import { refuseName } from './product-tag-name.ts';
import { matchesVersion, versionOf } from './product-tag-version.ts';

/** Most items that a tag can be given at once. */
export const maxItems = 10_000;

export interface ProductTagInput {
  nameEn: string;
  /** Absent leaves it as it is (unset on create), null unsets it. */
  nameAr?: string | null | undefined;
  /** The items the tag ends up with, exactly. Absent leaves them as they are (none on create). */
  itemIds?: number[] | null | undefined;
}

/** A tag as it was written, with its item ids (ascending). */
export type WrittenProductTag = ProductTagRow & { itemIds: number[] };

/**
 * Creates a tag under the caller's company, once for all requests of an idempotency key. Throws a RefusedError with every
 * broken rule, and then nothing is written.
 */
export async function createProductTag(
  db: Database,
  caller: Caller,
  input: ProductTagInput,
  idempotencyKey?: string,
): Promise<Once<WrittenProductTag>> {
  const { nameEn, nameAr = null, itemIds = [] } = normalize(input);
  const wanted = { nameEn, nameAr, itemIds };
  const request = { caller, key: idempotencyKey, operation: 'createProductTag', input: wanted };
  return inTransaction(db, (transaction) =>
    once(transaction, request, async () => {
      await ensureAllowed(transaction, caller, wanted);
      const tag = await queries.insertProductTag(transaction, { companyId: caller.companyId, nameEn, nameAr });
      if (itemIds && itemIds.length > 0) await queries.syncProductTaggings(transaction, tag, itemIds);
      return { ...tag, itemIds: itemIds ?? [] };
    }),
  );
}

/**
 * Updates a tag of the caller's company; what is the same already is not written. Throws a RefusedError like create, but
 * `product_tag_not_found` before all others, and then `version_mismatch` where `ifMatch` names another version.
 */
export async function updateProductTag(
  db: Database,
  caller: Caller,
  id: number,
  input: ProductTagInput,
  ifMatch?: string,
): Promise<WrittenProductTag> {
  const wanted = normalize(input);
  return inTransaction(db, async (transaction) => {
    const tag = await queries.lockProductTag(transaction, { companyId: caller.companyId, id });
    if (tag === undefined) throw notFound();
    // By a later statement than the lock, so that it sees what the one that had the lock before has written.
    const isRead = ifMatch !== undefined || wanted.itemIds === undefined;
    const before = isRead ? await queries.listItemIds(transaction, tag) : [];
    if (ifMatch !== undefined) ensureVersion(ifMatch, { ...tag, itemIds: before });
    await ensureAllowed(transaction, caller, wanted);
    const { nameEn, nameAr = tag.nameAr, itemIds } = wanted;
    const isRenamed = nameEn !== tag.nameEn || nameAr !== tag.nameAr;
    if (isRenamed) await queries.updateProductTag(transaction, tag, { nameEn, nameAr });
    if (itemIds) await queries.syncProductTaggings(transaction, tag, itemIds);
    return { ...tag, nameEn, nameAr, itemIds: itemIds ?? before };
  });
}

/** Deletes a tag of the caller's company and its links; the items stay. Throws a RefusedError when there is none. */
export async function deleteProductTag(db: Database, caller: Caller, id: number): Promise<void> {
  const key = { companyId: caller.companyId, id };
  if (!(await inTransaction(db, (transaction) => queries.deleteProductTag(transaction, key)))) throw notFound();
}

function notFound(): RefusedError {
  return new RefusedError([{ code: 'product_tag_not_found', field: 'id' }]);
}

function ensureVersion(ifMatch: string, tag: WrittenProductTag): void {
  if (matchesVersion(ifMatch, versionOf(tag))) return;
  throw new RefusedError([{ code: 'version_mismatch', field: 'ifMatch' }]);
}

function normalize(input: ProductTagInput): ProductTagInput {
  return {
    nameEn: normalizeName(input.nameEn),
    nameAr: typeof input.nameAr === 'string' ? normalizeName(input.nameAr) : input.nameAr,
    itemIds: input.itemIds && [...new Set(input.itemIds)].toSorted((a, b) => a - b),
  };
}

async function ensureAllowed(transaction: Database, caller: Caller, input: ProductTagInput): Promise<void> {
  const refusals = [
    ...refuseName('nameEn', input.nameEn),
    ...(typeof input.nameAr === 'string' ? refuseName('nameAr', input.nameAr) : []),
    ...(await refuseItems(transaction, caller, input.itemIds)),
  ];
  if (refusals.length > 0) throw new RefusedError(refusals);
}

// An item of another company and one that does not exist are one and the same to the caller.
async function refuseItems(
  transaction: Database,
  { companyId }: Caller,
  itemIds: ProductTagInput['itemIds'],
): Promise<Refusal<'itemIds'>[]> {
  const field = 'itemIds';
  if (itemIds === undefined) return [];
  if (itemIds === null) return [{ code: 'invalid_type', field, values: { expected: 'integers' } }];
  if (itemIds.length === 0) return [];
  if (itemIds.length > maxItems) return [{ code: 'too_many_items', field, values: { max: maxItems } }];

  const rows = await lockItemTypes(transaction, companyId, itemIds);
  const found = new Set(rows.map((row) => row.id));
  const missing = itemIds.filter((id) => !found.has(id));
  const others = rows.filter((row) => row.itemType !== 'product').map((row) => row.id);
  return [
    ...(missing.length > 0 ? [{ code: 'item_not_found', field, itemIds: missing } as const] : []),
    ...(others.length > 0 ? [{ code: 'item_not_product', field, itemIds: others } as const] : []),
  ];
}
