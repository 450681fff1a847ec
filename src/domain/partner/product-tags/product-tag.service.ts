import { type Outcome, outcomeOf, type Refusal, RefusedError } from '../../../kernel/errors/refusal.ts';
import { faultOfName, normalizeName } from '../../../kernel/localization/name.ts';
import type { Admission } from '../../../platform/admission/admission.ts';
import { pipeline, type Query } from '../../../platform/database/statement.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { TenantKey } from '../../lists/batches.ts';
import type { Database } from '../../tables.ts';
import { runIdempotently } from '../idempotency/idempotency-key.service.ts';
import type { Caller } from '../tokens/token.queries.ts';
import * as queries from './product-tag.queries.ts';
import { matchesVersion } from './version-condition.ts';

export const maxItems = 10_000;

/** Length of a tag's name in characters (Unicode code points); the database checks it too. */
export const nameLength = { min: 3, max: 50 };

/** Values of the messages of refusals. */
export const messageValues = { ...nameLength, maxItems, expected: 'integers' } as const;

export interface WriteContext {
  admission: Pick<Admission, 'write'>;
  db: Database;
}

/** The values of a new tag; the rules of names and items are checked here. */
export interface NewProductTag {
  nameEn: string;
  nameAr?: string | null | undefined;
  itemIds?: number[] | null | undefined;
}

/** New values of a tag; absent ones stay. */
export type ProductTagChanges = { [Field in keyof NewProductTag]?: NewProductTag[Field] | null | undefined };

/** A written tag, with its item ids (ascending) if the write set them or the response shows its items. */
export type WrittenProductTag = queries.ProductTagRow & { itemIds?: number[] | null; replayed?: boolean };

export interface WriteOptions {
  /** The version that the tag must have. */
  ifMatch: string | undefined;
  /** The versions that the tag must not have, as in If-None-Match. */
  ifNoneMatch?: string | undefined;
  /** Whether the response shows the tag's items: they must be those of its version. */
  selectsItemIds: boolean;
}

/**
 * Creates a tag of the caller's company, once for each idempotency key. Writes nothing if a rule is broken; the refusals
 * list all of them.
 */
export async function createProductTag(db: Database, caller: Caller, input: NewProductTag, key?: string) {
  const { nameEn, nameAr = null, itemIds } = input;
  // Some clients send null for an empty list.
  const { wanted, refusals, ids } = normalizeInput({ nameEn, nameAr, itemIds: itemIds ?? [] });
  const { companyId } = caller;
  const creation = inTransaction(db, async (transaction) => {
    const { result, replayed } = await runIdempotently(transaction, caller, key, wanted, async () => {
      const [offending, [tag] = []] = await pipeline(transaction, [
        queries.lockItems.with({ companyId, itemIds: ids }),
        ...(refusals.length === 0
          ? [queries.insertProductTag.with({ companyId, ...wanted, nameAr: wanted.nameAr ?? null })]
          : []),
      ]);
      const all = [...refusals, ...refuseItems(offending)];
      if (tag === undefined || all.length > 0) throw new RefusedError(...all);
      if (ids.length === 0) return { ...tag, itemIds: ids };
      const created = { companyId, id: tag.id };
      const [, [linked = tag]] = await pipeline(transaction, [
        queries.linkItems.with({ ...created, itemIds: ids }),
        queries.findProductTags.with({ companyId, keys: [tag.id], selectsItemIds: false }),
      ]);
      return { ...linked, itemIds: ids };
    });
    if (!replayed) return { ...result, replayed };
    // The names and ids are those of the first response; the items are listed and counted as they are now.
    const now = await queries.findProductTags(transaction, { companyId, keys: [result.id], selectsItemIds: false });
    return { ...result, replayed, itemCount: now[0]?.itemCount ?? 0 };
  });
  return outcomeOf(creation);
}

/**
 * Updates a tag of the caller's company; does not write unchanged rows. The refusals are every broken rule, or
 * `product_tag_not_found` alone, or else `version_mismatch` alone if the tag's version does not meet the conditions.
 */
export async function updateProductTag(
  context: WriteContext,
  key: TenantKey,
  input: ProductTagChanges,
  { selectsItemIds, ...conditions }: WriteOptions,
): Promise<Outcome<WrittenProductTag>> {
  const { wanted, refusals, ids } = normalizeInput(input);
  const { nameEn, nameAr } = wanted;
  const names = { nameEn: nameEn ?? null, nameAr: nameAr ?? null };
  const change = { ...key, itemIds: ids, ...names, setsNameAr: nameAr !== undefined };
  const write = (wanted.itemIds ? queries.replaceProductTag : queries.renameProductTag).with(change);
  const options = { ...conditions, selectsItemIds: selectsItemIds && !wanted.itemIds };
  const outcome = await changeProductTag(context, { ...change, ...options, refusals }, [write]);
  const { result } = outcome;
  return result && wanted.itemIds ? { result: { ...result, itemIds: wanted.itemIds } } : outcome;
}

/** Adds items to a tag of the caller's company, by the rules of `updateProductTag`. */
export function addProductTagItems(context: WriteContext, key: TenantKey, itemIds: number[], options: WriteOptions) {
  const { ids, refusals } = checkCount(distinct(itemIds));
  const links = { ...key, itemIds: ids };
  const writes = [queries.linkItems.with(links), queries.findExcess.with({ ...key, maxItems })];
  return changeProductTag(context, { ...links, ...options, refusals }, writes);
}

/** Removes items from a tag of the caller's company, by the rules of `updateProductTag`. */
export function removeProductTagItems(context: WriteContext, key: TenantKey, itemIds: number[], options: WriteOptions) {
  const { ids, refusals } = checkCount(distinct(itemIds));
  const writes = [queries.unlinkItems.with({ ...key, itemIds: ids })];
  return changeProductTag(context, { ...key, ...options, itemIds: [], refusals }, writes);
}

interface Change extends TenantKey, WriteOptions {
  /** Items that must be products of the company. */
  itemIds: number[];
  /** The broken rules of the input. */
  refusals: Refusal[];
}

// A write returns a row if the tag has too many items after it.
function changeProductTag(
  context: WriteContext,
  { companyId, id, itemIds, refusals, selectsItemIds, ...conditions }: Change,
  writes: Query<unknown>[],
): Promise<Outcome<WrittenProductTag>> {
  const key = { companyId, id };
  return oneWriterPerTag(context, key, async (transaction) => {
    // An error below rolls these writes back.
    const [[tag], offending, ...results] = await pipeline(transaction, [
      queries.lockProductTag.with(key),
      queries.lockItems.with({ companyId, itemIds }),
      ...(refusals.length === 0 ? writes : []),
      queries.findProductTags.with({ companyId, keys: [id], selectsItemIds }),
    ]);
    const [written] = results.pop() as WrittenProductTag[];
    checkTag(tag, conditions);
    const all = [...refusals, ...refuseItems(offending), ...(results.flat().length > 0 ? [tooManyItems] : [])];
    if (all.length > 0) throw new RefusedError(...all);
    // It exists, because its row is locked.
    return written as WrittenProductTag;
  });
}

/** Deletes a tag of the caller's company and its links, if it has the version of `ifMatch`. The items stay. */
export function deleteProductTag(
  context: WriteContext,
  key: TenantKey,
  ifMatch: string | undefined,
): Promise<Outcome<WrittenProductTag>> {
  return oneWriterPerTag(context, key, async (transaction) => {
    const [deleted] = await queries.deleteProductTag(transaction, key);
    return { ...checkTag(deleted, { ifMatch }), itemCount: 0, itemIds: [] };
  });
}

function checkTag(
  tag: queries.ProductTagRow | undefined,
  { ifMatch, ifNoneMatch }: Pick<WriteOptions, 'ifMatch' | 'ifNoneMatch'>,
): queries.ProductTagRow {
  if (tag === undefined) throw new RefusedError({ code: 'product_tag_not_found', field: 'id' });
  if (ifMatch !== undefined && !matchesVersion(ifMatch, tag.version))
    throw new RefusedError({ code: 'version_mismatch', field: 'ifMatch' });
  if (ifNoneMatch !== undefined && matchesVersion(ifNoneMatch, tag.version, { isWeak: true }))
    throw new RefusedError({ code: 'version_mismatch', field: 'ifNoneMatch' });
  return tag;
}

// Runs a write in its own transaction, after the earlier writes of the same tag. A RefusedError rolls it back.
function oneWriterPerTag<Result>(
  context: WriteContext,
  { companyId, id }: TenantKey,
  write: (transaction: Database) => Promise<Result>,
): Promise<Outcome<Result>> {
  return context.admission.write(`tag ${companyId}:${id}`, () => outcomeOf(inTransaction(context.db, write)));
}

// Normalizes the input and checks the rules that need no database. Returns no `ids` to check if there are too many.
function normalizeInput<NameEn extends string | null | undefined>({
  nameEn,
  nameAr,
  itemIds,
}: ProductTagChanges & { nameEn?: NameEn }) {
  const wanted = {
    nameEn: (typeof nameEn === 'string' ? normalizeName(nameEn) : nameEn) as NameEn,
    nameAr: typeof nameAr === 'string' ? normalizeName(nameAr) : nameAr,
    itemIds: itemIds && distinct(itemIds),
  };
  const refusals: Refusal[] = [];
  for (const field of ['nameEn', 'nameAr'] as const) {
    const name = wanted[field];
    const code = typeof name === 'string' ? faultOfName(name, nameLength) : undefined;
    if (code !== undefined) refusals.push({ code, field });
  }
  if (nameEn === null) refusals.push({ code: 'invalid_type', field: 'nameEn', values: { expected: 'text' } });
  if (itemIds === null) refusals.push({ code: 'invalid_type', field: 'itemIds' });
  const { ids, refusals: tooMany } = checkCount(wanted.itemIds ?? []);
  return { wanted, refusals: [...refusals, ...tooMany], ids };
}

const tooManyItems: Refusal = { code: 'too_many_items', field: 'itemIds' };

function checkCount(itemIds: number[]): { ids: number[]; refusals: Refusal[] } {
  return itemIds.length <= maxItems ? { ids: itemIds, refusals: [] } : { ids: [], refusals: [tooManyItems] };
}

export function distinct(ids: number[]): number[] {
  return [...new Set(ids)].toSorted((a, b) => a - b);
}

export function refuseItems(offending: queries.OffendingItem[], field = 'itemIds'): Refusal[] {
  return [...Map.groupBy(offending, ({ code }) => code)].map(([code, items]) => {
    return { code, field, itemIds: items.map(({ id }) => id) };
  });
}
