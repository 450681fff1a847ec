import { DatabaseUnavailableError } from '../../../kernel/errors/database-errors.ts';
import { type Refusal, RefusedError } from '../../../kernel/errors/refusal.ts';
import { faultOfName, normalizeName } from '../../../kernel/localization/name.ts';
import { Semaphore } from '../../../kernel/semaphore.ts';
import { type Query, together } from '../../../platform/database/statement.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { TenantKey } from '../../request/batches.ts';
import type { RequestContext } from '../../request/context.ts';
import type { Database } from '../../tables.ts';
import { once } from '../idempotency/idempotency-key.service.ts';
import type { Caller } from '../tokens/token.queries.ts';
import type { UpdateProductTagInput } from './product-tag.input.ts';
import * as queries from './product-tag.queries.ts';
import { matchesVersion } from './version-condition.ts';

/** Most items that a tag can be given at once. */
export const maxItems = 10_000;

/** Length of a tag's name in characters (Unicode code points); the database checks it too. */
export const nameLength = { min: 3, max: 50 };

/** Writers of one tag wait here, not on connections to the database. */
const writers = new Semaphore<string>({ perKey: 1, maxWaiting: 100 });

/** What a write of an existing tag needs of its request. */
type Writing = Pick<RequestContext, 'db' | 'scope'>;

/** A tag as it was written, with its item ids (ascending) if the write named them. */
export type WrittenProductTag = queries.ProductTagRow & { itemIds?: number[] };

/**
 * Creates a tag under the caller's company, once for all requests of an idempotency key. Throws a RefusedError with every
 * broken rule, and then nothing is written.
 */
export async function createProductTag(db: Database, caller: Caller, input: UpdateProductTagInput, key?: string) {
  const { nameAr = null, itemIds = [] } = input;
  const { wanted, refusals, ids } = prepare({ ...input, nameAr, itemIds });
  const { companyId } = caller;
  return inTransaction(db, (transaction) =>
    once(transaction, caller, key, wanted, async () => {
      const [offending, [tag] = []] = await together(transaction, [
        queries.lockItems.with({ companyId, itemIds: ids }),
        ...(refusals.length === 0
          ? [queries.insertProductTag.with({ companyId, ...wanted, nameAr: wanted.nameAr ?? null })]
          : []),
      ]);
      const all = [...refusals, ...refuseItems(offending)];
      if (tag === undefined || all.length > 0) throw new RefusedError(...all);
      if (ids.length === 0) return { ...tag, itemIds: ids };
      const created = { companyId, id: tag.id };
      const [, [linked = tag]] = await together(transaction, [
        queries.linkItems.with({ ...created, itemIds: ids }),
        queries.findProductTag.with(created),
      ]);
      return { ...linked, itemIds: ids };
    }),
  );
}

/**
 * Updates a tag of the caller's company; unchanged rows are not written. Throws a RefusedError like create, but
 * `product_tag_not_found` before all others, and then `version_mismatch` if `ifMatch` names another version.
 */
export async function updateProductTag(
  writing: Writing,
  caller: Caller,
  id: number,
  input: UpdateProductTagInput,
  ifMatch?: string,
): Promise<WrittenProductTag> {
  const { wanted, refusals, ids } = prepare(input);
  const { nameEn, nameAr } = wanted;
  const links = { companyId: caller.companyId, id, itemIds: ids };
  const written = await changeProductTag(writing, { ...links, refusals, ifMatch }, [
    queries.renameProductTag.with({ ...links, nameEn, nameAr: nameAr ?? null, setsNameAr: nameAr !== undefined }),
    ...(wanted.itemIds ? [queries.unlinkOtherItems.with(links), queries.linkItems.with(links)] : []),
  ]);
  return { ...written, ...(wanted.itemIds && { itemIds: wanted.itemIds }) };
}

/** Links a tag of the caller's company to further items. Throws a RefusedError like update. */
export function addProductTagItems(
  writing: Writing,
  { companyId }: Caller,
  id: number,
  itemIds: number[],
  ifMatch?: string,
): Promise<WrittenProductTag> {
  const { ids, refusals } = checkCount(distinct(itemIds));
  const links = { companyId, id, itemIds: ids };
  const writes = [queries.linkItems.with(links), queries.findExcess.with({ companyId, id, maxItems })];
  return changeProductTag(writing, { ...links, refusals, ifMatch }, writes);
}

/** Unlinks a tag of the caller's company from those items that it is linked to. Throws a RefusedError like update. */
export function removeProductTagItems(
  writing: Writing,
  { companyId }: Caller,
  id: number,
  itemIds: number[],
  ifMatch?: string,
): Promise<WrittenProductTag> {
  const { ids, refusals } = checkCount(distinct(itemIds));
  const writes = [queries.unlinkItems.with({ companyId, id, itemIds: ids })];
  return changeProductTag(writing, { companyId, id, itemIds: [], refusals, ifMatch }, writes);
}

interface Change extends TenantKey {
  /** Items that must be products of the company. */
  itemIds: number[];
  /** What is wrong with the input. */
  refusals: Refusal[];
  ifMatch: string | undefined;
}

// A write that returns a row has given the tag too many items.
function changeProductTag(
  writing: Writing,
  { companyId, id, itemIds, refusals, ifMatch }: Change,
  writes: Query<unknown>[],
): Promise<queries.ProductTagRow> {
  const key = { companyId, id };
  return inTurn(writing, key, async (transaction) => {
    // An error below rolls these writes back.
    const [[tag], offending, ...results] = await together(transaction, [
      queries.lockProductTag.with(key),
      queries.lockItems.with({ companyId, itemIds }),
      ...(refusals.length === 0 ? writes : []),
      queries.findProductTag.with(key),
    ]);
    const [written] = results.pop() as queries.ProductTagRow[];
    if (tag === undefined || written === undefined)
      throw new RefusedError({ code: 'product_tag_not_found', field: 'id' });
    if (ifMatch !== undefined && !matchesVersion(ifMatch, tag.version))
      throw new RefusedError({ code: 'version_mismatch', field: 'ifMatch' });
    const all = [...refusals, ...refuseItems(offending), ...(results.flat().length > 0 ? [tooManyItems] : [])];
    if (all.length > 0) throw new RefusedError(...all);
    return written;
  });
}

/** Deletes a tag of the caller's company and its links; the items stay. Throws a RefusedError if there is none. */
export async function deleteProductTag(writing: Writing, caller: Caller, id: number): Promise<void> {
  const key = { companyId: caller.companyId, id };
  const [deleted] = await inTurn(writing, key, (transaction) => queries.deleteProductTag(transaction, key));
  if (deleted === undefined) throw new RefusedError({ code: 'product_tag_not_found', field: 'id' });
}

// In a transaction of its own, after the earlier writes of the same tag.
async function inTurn<Result>(
  { db, scope }: Writing,
  { companyId, id }: TenantKey,
  write: (transaction: Database) => Promise<Result>,
): Promise<Result> {
  const late = () => new DatabaseUnavailableError('Too many writes of one tag at a time');
  const end = await writers.acquire(`${companyId}:${id}`, scope.startDatabaseTime(), late);
  return inTransaction(db, write).finally(end);
}

// The input as it is stored, what is wrong with it without the database, and the items to check: not a list that is too long.
function prepare({ nameEn, nameAr, itemIds }: UpdateProductTagInput) {
  const wanted = {
    nameEn: normalizeName(nameEn),
    nameAr: typeof nameAr === 'string' ? normalizeName(nameAr) : nameAr,
    itemIds: itemIds && distinct(itemIds),
  };
  const refusals: Refusal[] = [];
  for (const field of ['nameEn', 'nameAr'] as const) {
    const name = wanted[field];
    const code = typeof name === 'string' ? faultOfName(name, nameLength) : undefined;
    if (code !== undefined) refusals.push({ code, field, values: nameLength });
  }
  if (itemIds === null) refusals.push({ code: 'invalid_type', field: 'itemIds', values: { expected: 'integers' } });
  const { ids, refusals: tooMany } = checkCount(wanted.itemIds ?? []);
  return { wanted, refusals: [...refusals, ...tooMany], ids };
}

const tooManyItems: Refusal = { code: 'too_many_items', field: 'itemIds', values: { max: maxItems } };

// The items to check, unless there are too many.
function checkCount(itemIds: number[]): { ids: number[]; refusals: Refusal[] } {
  return itemIds.length <= maxItems ? { ids: itemIds, refusals: [] } : { ids: [], refusals: [tooManyItems] };
}

function distinct(itemIds: number[]): number[] {
  return [...new Set(itemIds)].toSorted((a, b) => a - b);
}

function refuseItems(offending: queries.OffendingItem[]): Refusal[] {
  return [...Map.groupBy(offending, ({ code }) => code)].map(([code, items]) => {
    return { code, field: 'itemIds', itemIds: items.map(({ id }) => id) };
  });
}
