import { DatabaseUnavailableError } from '../../../kernel/errors/database-errors.ts';
import { type Refusal, RefusedError } from '../../../kernel/errors/refusal.ts';
import { normalizeName } from '../../../kernel/localization/name.ts';
import { currentDeadline } from '../../../kernel/request/scope.ts';
import { Turns } from '../../../kernel/turns.ts';
import { run, together } from '../../../platform/database/statement.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Caller } from '../../request/context.ts';
import type { TenantKey } from '../../request/tenant-key.ts';
import type { Database } from '../../tables.ts';
import { type Once, once } from '../idempotency/idempotency-key.service.ts';
import type { ProductTagRow } from './product-tag.queries.ts';
import * as queries from './product-tag.queries.ts';
import { refuseName } from './product-tag-name.ts';
import { matchesVersion, versionOf } from './product-tag-version.ts';
import {
  linkItems,
  lockItems,
  type OffendingItem,
  renameProductTag,
  unlinkOtherItems,
} from './product-tag-write.queries.ts';

/** Most items that a tag can be given at once. */
export const maxItems = 10_000;

/** Writers of one tag wait here, not on connections to the database. */
const writers = new Turns<string>(1, 100);

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
  const { companyId } = caller;
  const ids = itemIdsOf(wanted);
  const request = { caller, key: idempotencyKey, operation: 'createProductTag', input: wanted };
  return inTransaction(db, (transaction) =>
    once(transaction, request, async () => {
      const check = lockItems.with({ companyId, itemIds: ids });
      if (refusals.length > 0) throw new RefusedError([...refusals, ...refuseItems(await run(transaction, check))]);
      const insert = queries.insertProductTag.with({ companyId, nameEn, nameAr });
      if (ids.length === 0) return { ...(await run(transaction, insert))[0], itemIds: ids } as WrittenProductTag;
      const [[tag], offending] = await together(transaction, [insert, check]);
      if (offending.length > 0) throw new RefusedError(refuseItems(offending));
      await linkItems(transaction, { companyId, id: (tag as ProductTagRow).id, itemIds: ids });
      return { ...(tag as ProductTagRow), itemIds: ids };
    }),
  );
}

/**
 * Updates a tag of the caller's company; unchanged rows are not written. Throws a RefusedError like create, but
 * `product_tag_not_found` before all others, and then `version_mismatch` if `ifMatch` names another version.
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
  const { nameEn, nameAr } = wanted;
  const items = { ...key, itemIds: itemIdsOf(wanted) };
  const writes = [
    renameProductTag.with({ ...key, nameEn, nameAr: nameAr ?? null, setsNameAr: nameAr !== undefined }),
    ...(wanted.itemIds ? [unlinkOtherItems.with(items), linkItems.with(items)] : []),
  ];
  return inTurn(key, () =>
    inTransaction(db, async (transaction) => {
      if (ifMatch !== undefined) await ensureVersion(transaction, key, ifMatch);
      // An error below rolls these writes back.
      const [[tag], offending] = await together(transaction, [
        queries.lockProductTag.with(key),
        lockItems.with(items),
        ...(refusals.length === 0 ? writes : []),
      ]);
      if (tag === undefined) throw notFound();
      const all = [...refusals, ...refuseItems(offending)];
      if (all.length > 0) throw new RefusedError(all);
      const itemIds = wanted.itemIds ?? (await queries.listTaggings(transaction, key)).map(({ itemId }) => itemId);
      return { ...tag, nameEn, nameAr: nameAr === undefined ? tag.nameAr : nameAr, itemIds };
    }),
  );
}

/** Deletes a tag of the caller's company and its links; the items stay. Throws a RefusedError if there is none. */
export async function deleteProductTag(db: Database, caller: Caller, id: number): Promise<void> {
  const key = { companyId: caller.companyId, id };
  const isDeleted = await inTurn(key, () =>
    inTransaction(db, (transaction) => queries.deleteProductTag(transaction, key)),
  );
  if (!isDeleted) throw notFound();
}

async function inTurn<Result>({ companyId, id }: TenantKey, write: () => Promise<Result>): Promise<Result> {
  const deadline = currentDeadline();
  const timeLeft = deadline === undefined ? undefined : deadline - performance.now();
  const late = () => new DatabaseUnavailableError('Too many writes of one tag at a time');
  const end = await writers.take(`${companyId}:${id}`, timeLeft, late);
  return write().finally(end);
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
  if (matchesVersion(ifMatch, versionOf({ ...tag, itemIds: taggings.map(({ itemId }) => itemId) }))) return;
  throw new RefusedError([{ code: 'version_mismatch', field: 'ifMatch' }]);
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

/** The items that the database is to check: not a list that is too long. */
function itemIdsOf({ itemIds }: ProductTagInput): number[] {
  return hasTooMany(itemIds) ? [] : (itemIds ?? []);
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
