import { type Refusal, RefusedError } from '../../../kernel/errors/refusal.ts';
import { normalizeName } from '../../../kernel/localization/name.ts';
import { type BoundStatement, run } from '../../../platform/database/statement.ts';
import { together } from '../../../platform/database/together.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Caller } from '../../request/context.ts';
import type { TenantKey } from '../../request/tenant-key.ts';
import type { Database, Tables } from '../../tables.ts';
import { type Once, once } from '../idempotency/idempotency-key.service.ts';
import type { ProductTagRow } from './product-tag.queries.ts';
import * as queries from './product-tag.queries.ts';
import { refuseName } from './product-tag-name.ts';
import { matchesVersion, versionOf } from './product-tag-version.ts';
import { type OffendingItem, writeProductTag } from './product-tag-write.queries.ts';

/** Most items that a tag can be given at once. */
export const maxItems = 10_000;

/** The id of no tag: of one whose names are refused. */
const none = 0;

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
  const refusals = refuseFields(wanted);
  const names = { companyId: caller.companyId, nameEn, nameAr };
  const request = { caller, key: idempotencyKey, operation: 'createProductTag', input: wanted };
  return inTransaction(db, (transaction) =>
    once(transaction, request, async () => {
      const tag = refusals.length === 0 ? await queries.insertProductTag(transaction, names) : { id: none, ...names };
      if (itemIds?.length !== 0 || refusals.length > 0) {
        ensureWritten(refusals, await run(transaction, writeOf(tag, wanted, refusals)));
      }
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
  const refusals = refuseFields(wanted);
  const key = { companyId: caller.companyId, id };
  return inTransaction(db, async (transaction) => {
    if (ifMatch !== undefined) await ensureVersion(transaction, key, ifMatch);
    const write = writeOf(key, wanted, refusals);
    const [[tag], offending] = await together(transaction, [queries.lockProductTag.with(key), write]);
    if (tag === undefined) throw notFound();
    ensureWritten(refusals, offending);
    const { nameEn, nameAr = tag.nameAr, itemIds = itemIdsOf(await queries.listTaggings(transaction, key)) } = wanted;
    return { ...tag, nameEn, nameAr, itemIds: itemIds ?? [] };
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

// Keeps the tag locked, so that the version is still the same when it is written.
async function ensureVersion(transaction: Database, key: TenantKey, ifMatch: string): Promise<void> {
  // By a later statement than the lock, so that it sees what the one that had the lock before has written.
  const statements = [queries.lockProductTag.with(key), queries.listTaggings.with(key)] as const;
  const [[tag], taggings] = await together(transaction, statements);
  if (tag === undefined) throw notFound();
  if (matchesVersion(ifMatch, versionOf({ ...tag, itemIds: itemIdsOf(taggings) }))) return;
  throw new RefusedError([{ code: 'version_mismatch', field: 'ifMatch' }]);
}

function itemIdsOf(taggings: { itemId: number }[]): number[] {
  return taggings.map(({ itemId }) => itemId);
}

function normalize(input: ProductTagInput): ProductTagInput {
  return {
    nameEn: normalizeName(input.nameEn),
    nameAr: typeof input.nameAr === 'string' ? normalizeName(input.nameAr) : input.nameAr,
    itemIds: input.itemIds && [...new Set(input.itemIds)].toSorted((a, b) => a - b),
  };
}

// The refusals of what can be seen without the database; items may have their own besides.
function refuseFields({ nameEn, nameAr, itemIds }: ProductTagInput): Refusal[] {
  const field = 'itemIds';
  return [
    ...refuseName('nameEn', nameEn),
    ...(typeof nameAr === 'string' ? refuseName('nameAr', nameAr) : []),
    ...(itemIds === null ? [{ code: 'invalid_type', field, values: { expected: 'integers' } } as const] : []),
    ...(hasTooMany(itemIds) ? [{ code: 'too_many_items', field, values: { max: maxItems } } as const] : []),
  ];
}

function hasTooMany(itemIds: ProductTagInput['itemIds']): boolean {
  return (itemIds?.length ?? 0) > maxItems;
}

// Writes nothing where something is refused already; the items are then looked at so that all is told at once.
function writeOf(
  { companyId, id }: TenantKey,
  { nameEn, nameAr, itemIds }: ProductTagInput,
  refusals: Refusal[],
): BoundStatement<Tables, OffendingItem> {
  return writeProductTag({
    companyId,
    id,
    // Not all that is refused as a name could even be sent.
    names: refusals.length === 0 ? { nameEn, nameAr } : undefined,
    itemIds: hasTooMany(itemIds) ? undefined : (itemIds ?? undefined),
  });
}

function ensureWritten(refusals: Refusal[], offending: OffendingItem[]): void {
  const all = [...refusals, ...refuseItems(offending)];
  if (all.length > 0) throw new RefusedError(all);
}

// An item of another company and one that does not exist are one and the same to the caller.
function refuseItems(offending: OffendingItem[]): Refusal<'itemIds'>[] {
  const field = 'itemIds';
  const missing = offending.filter(({ itemType }) => itemType === null).map(({ id }) => id);
  const others = offending.filter(({ itemType }) => itemType !== null).map(({ id }) => id);
  return [
    ...(missing.length > 0 ? [{ code: 'item_not_found', field, itemIds: missing } as const] : []),
    ...(others.length > 0 ? [{ code: 'item_not_product', field, itemIds: others } as const] : []),
  ];
}
