import { DatabaseUnavailableError } from '../../../kernel/errors/database-errors.ts';
import { type Refusal, RefusedError } from '../../../kernel/errors/refusal.ts';
import { faultOfName, normalizeName } from '../../../kernel/localization/name.ts';
import { currentDeadline } from '../../../kernel/request/scope.ts';
import { Turns } from '../../../kernel/turns.ts';
import { run, together } from '../../../platform/database/statement.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { TenantKey } from '../../request/batches.ts';
import type { Database } from '../../tables.ts';
import { type Once, once } from '../idempotency/idempotency-key.service.ts';
import type { Caller } from '../tokens/token.queries.ts';
import type { UpdateProductTagInput } from './product-tag.input.ts';
import * as queries from './product-tag.queries.ts';
import { matchesVersion, versionOf } from './product-tag-version.ts';

/** Most items that a tag can be given at once. */
export const maxItems = 10_000;

/** Length of a tag's name in characters (Unicode code points); the database checks it too. */
export const nameLength = { min: 3, max: 50 };

/** Writers of one tag wait here, not on connections to the database. */
const writers = new Turns<string>({ perKey: 1, maxWaiting: 100 });

/** A tag as it was written, with its item ids (ascending). */
export type WrittenProductTag = queries.ProductTagRow & { itemIds: number[] };

/**
 * Creates a tag under the caller's company, once for all requests of an idempotency key. Throws a RefusedError with every
 * broken rule, and then nothing is written.
 */
export async function createProductTag(
  db: Database,
  caller: Caller,
  input: UpdateProductTagInput,
  idempotencyKey?: string,
): Promise<Once<WrittenProductTag>> {
  const { nameEn, nameAr = null, itemIds = [] } = normalize(input);
  const wanted = { nameEn, nameAr, itemIds };
  const { refusals, ids } = checkFields(wanted);
  const { companyId } = caller;
  return inTransaction(db, (transaction) =>
    once(transaction, caller, idempotencyKey, wanted, async () => {
      const check = queries.lockItems.with({ companyId, itemIds: ids });
      if (refusals.length > 0) throw new RefusedError([...refusals, ...refuseItems(await run(transaction, check))]);
      const insert = queries.insertProductTag.with({ companyId, nameEn, nameAr });
      if (ids.length === 0) return { ...(await run(transaction, insert))[0], itemIds: ids } as WrittenProductTag;
      const [[tag], offending] = await together(transaction, [insert, check]);
      if (offending.length > 0) throw new RefusedError(refuseItems(offending));
      const written = { ...tag, itemIds: ids } as WrittenProductTag;
      await queries.linkItems(transaction, { companyId, ...written });
      return written;
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
  input: UpdateProductTagInput,
  ifMatch?: string,
): Promise<WrittenProductTag> {
  const wanted = normalize(input);
  const { refusals, ids } = checkFields(wanted);
  const key = { companyId: caller.companyId, id };
  const { nameEn, nameAr } = wanted;
  const items = { ...key, itemIds: ids };
  const writes = [
    queries.renameProductTag.with({ ...key, nameEn, nameAr: nameAr ?? null, setsNameAr: nameAr !== undefined }),
    ...(wanted.itemIds ? [queries.unlinkOtherItems.with(items), queries.linkItems.with(items)] : []),
  ];
  return inTurn(key, () =>
    inTransaction(db, async (transaction) => {
      if (ifMatch !== undefined) await ensureVersion(transaction, key, ifMatch);
      // An error below rolls these writes back.
      const [[tag], offending] = await together(transaction, [
        queries.lockProductTag.with(key),
        queries.lockItems.with(items),
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
  const deleted = await inTurn(key, () =>
    inTransaction(db, (transaction) => queries.deleteProductTag(transaction, key)),
  );
  if (deleted.length === 0) throw notFound();
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
  // By a later statement than the lock, so that it sees what the lock's last holder has written.
  const statements = [queries.lockProductTag.with(key), queries.listTaggings.with(key)] as const;
  const [[tag], taggings] = await together(transaction, statements);
  if (tag === undefined) throw notFound();
  if (matchesVersion(ifMatch, versionOf({ ...tag, itemIds: taggings.map(({ itemId }) => itemId) }))) return;
  throw new RefusedError([{ code: 'version_mismatch', field: 'ifMatch' }]);
}

function normalize({ nameEn, nameAr, itemIds }: UpdateProductTagInput): UpdateProductTagInput {
  return {
    nameEn: normalizeName(nameEn),
    nameAr: typeof nameAr === 'string' ? normalizeName(nameAr) : nameAr,
    itemIds: itemIds && [...new Set(itemIds)].toSorted((a, b) => a - b),
  };
}

// The refusals that need no database, and the items that the database has to check: not a list that is too long.
function checkFields({ nameEn, nameAr, itemIds }: UpdateProductTagInput): { refusals: Refusal[]; ids: number[] } {
  const field = 'itemIds';
  const refusals = [
    ...refuseName('nameEn', nameEn),
    ...(typeof nameAr === 'string' ? refuseName('nameAr', nameAr) : []),
  ];
  if (itemIds === null) refusals.push({ code: 'invalid_type', field, values: { expected: 'integers' } });
  const ids = itemIds ?? [];
  if (ids.length <= maxItems) return { refusals, ids };
  return { refusals: [...refusals, { code: 'too_many_items', field, values: { max: maxItems } }], ids: [] };
}

function refuseName(field: string, name: string): Refusal[] {
  const code = faultOfName(name, nameLength);
  return code === undefined ? [] : [{ code, field, values: nameLength }];
}

function refuseItems(offending: queries.OffendingItem[]): Refusal[] {
  return [...Map.groupBy(offending, ({ code }) => code)].map(([code, items]) => {
    return { code, field: 'itemIds', itemIds: items.map(({ id }) => id) };
  });
}
