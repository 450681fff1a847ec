import { type Outcome, outcomeOf, type Refusal, RefusedError } from '../../../kernel/errors/refusal.ts';
import { faultOfName, normalizeName } from '../../../kernel/localization/name.ts';
import type { Admission } from '../../../platform/admission/admission.ts';
import { pipeline, type Query } from '../../../platform/database/statement.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { TenantKey, Times } from '../../lists/batches.ts';
import type { Database } from '../../tables.ts';
import { runIdempotently } from '../idempotency/idempotency-keys.ts';
import type { Caller } from '../tokens/tokens.ts';
import * as queries from './product-tag.queries.ts';
import { maxItems, nameLength, type ProductTagRow } from './product-tags.ts';

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
export type WrittenProductTag = ProductTagRow & {
  itemIds?: number[] | null;
  /** The items that the write added or removed, by id; null if there are more than a response shows. */
  changedItemIds?: number[] | null;
  replayed?: boolean;
} & Partial<Times>;

/** The outcome of a write of a tag; `current` is the tag that did not have the version of a condition. */
export type TagOutcome = Outcome<WrittenProductTag> & { current?: ProductTagRow };

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
 * list all of them. Waits for no other writers, because nobody else has its tag yet.
 */
export async function createProductTag(db: Database, caller: Caller, input: NewProductTag, idempotencyKey?: string) {
  const { nameEn, nameAr = null, itemIds } = input;
  // Some clients send null for an empty list.
  const { wanted, refusals, ids } = normalizeInput({ nameEn, nameAr, itemIds: itemIds ?? [] });
  const { companyId } = caller;
  const creation = inTransaction(db, async (transaction) => {
    const { result, replayed } = await runIdempotently(transaction, caller, idempotencyKey, wanted, async () => {
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
        queries.linkWrites.add.with({ ...created, itemIds: ids }),
        queries.findProductTags.with({ companyId, keys: [tag.id], selectsItemIds: false }),
      ]);
      return { ...linked, itemIds: ids };
    });
    const changedItemIds = changedIdsOf(result.itemIds);
    if (!replayed) return { ...result, changedItemIds, replayed };
    // The names and ids are those of the first response; the items are listed and counted as they are now.
    const now = await queries.findProductTags(transaction, { companyId, keys: [result.id], selectsItemIds: false });
    return { ...result, changedItemIds, replayed, itemCount: now[0]?.itemCount ?? 0 };
  });
  return outcomeOf(creation);
}

/**
 * Updates a tag of the caller's company; does not write unchanged rows. The refusals are
 * `product_tag_not_found` alone, or else `version_mismatch` alone if the tag's version does not meet the conditions, or else
 * every broken rule.
 */
export async function updateProductTag(
  context: WriteContext,
  key: TenantKey,
  input: ProductTagChanges,
  { selectsItemIds, ...others }: WriteOptions,
): Promise<TagOutcome> {
  const { wanted, refusals, ids } = normalizeInput(input);
  const { nameEn, nameAr } = wanted;
  const names = { nameEn: nameEn ?? null, nameAr: nameAr ?? null };
  const change = { ...key, itemIds: ids, ...names, setsNameAr: nameAr !== undefined };
  const options = { ...others, selectsItemIds: selectsItemIds && !wanted.itemIds };
  const write = wanted.itemIds ? queries.linkWrites.replace.with(change) : queries.renameProductTag.with(change);
  const outcome = await changeProductTag(context, { ...change, ...options, refusals }, write);
  const { result } = outcome;
  return result && wanted.itemIds ? { result: { ...result, itemIds: wanted.itemIds } } : outcome;
}

/** Adds items to a tag of the caller's company, by the rules of `updateProductTag`. */
export function addProductTagItems(context: WriteContext, key: TenantKey, itemIds: number[], options: WriteOptions) {
  const { ids, refusals } = checkCount(distinct(itemIds));
  const links = { ...key, itemIds: ids };
  const write = queries.linkWrites.add.with(links);
  return changeProductTag(context, { ...links, ...options, refusals, mayExceed: true }, write);
}

/** Removes items from a tag of the caller's company, by the rules of `updateProductTag`. */
export function removeProductTagItems(context: WriteContext, key: TenantKey, itemIds: number[], options: WriteOptions) {
  const { ids, refusals } = checkCount(distinct(itemIds));
  const write = queries.linkWrites.remove.with({ ...key, itemIds: ids });
  return changeProductTag(context, { ...key, ...options, itemIds: [], refusals }, write);
}

interface Change extends TenantKey, WriteOptions {
  /** Items that must be products of the company. */
  itemIds: number[];
  /** The broken rules of the input. */
  refusals: Refusal[];
  /** Whether the tag can have too many items after the write. */
  mayExceed?: boolean;
}

function changeProductTag(
  context: WriteContext,
  { companyId, id, itemIds, refusals, mayExceed, selectsItemIds, ...conditions }: Change,
  write: Query<queries.ChangedItem>,
): Promise<TagOutcome> {
  const key = { companyId, id };
  return oneWriterPerTag(context, key, async (transaction) => {
    const lock = queries.lockProductTag.with(key);
    const lockItems = queries.lockItems.with({ companyId, itemIds });
    if (refusals.length > 0) {
      const [[tag], offending] = await pipeline(transaction, [lock, lockItems]);
      checkTag(tag, conditions);
      throw new RefusedError(...refusals, ...refuseItems(offending));
    }
    // All in one round trip: an error below rolls the write back.
    const [[tag], offending, changed, [written], excess = []] = await pipeline(transaction, [
      lock,
      lockItems,
      write,
      queries.findProductTags.with({ companyId, keys: [id], selectsItemIds }),
      ...(mayExceed ? [queries.findExcess.with({ ...key, maxItems })] : []),
    ]);
    checkTag(tag, conditions);
    const all = [...refuseItems(offending), ...(excess.length > 0 ? [tooManyItems] : [])];
    if (all.length > 0) throw new RefusedError(...all);
    // It exists, because its row is locked.
    const result = written as WrittenProductTag;
    return { ...result, changedItemIds: changedIdsOf(idsOf(changed)) };
  });
}

function idsOf(changed: queries.ChangedItem[]): number[] {
  return distinct(changed.map(({ itemId }) => itemId));
}

function changedIdsOf(ids: number[]): number[] | null {
  return ids.length > queries.maxChangedItems ? null : ids;
}

/** Deletes a tag of the caller's company and its links, if it has the version of `ifMatch`. The items stay. */
export function deleteProductTag(
  context: WriteContext,
  key: TenantKey,
  ifMatch: string | undefined,
): Promise<TagOutcome> {
  return oneWriterPerTag(context, key, async (transaction) => {
    // The links of a locked tag stay until it is deleted.
    const [, links] = await pipeline(transaction, [queries.lockProductTag.with(key), queries.listLinks.with(key)]);
    const [deleted] = await queries.deleteProductTag(transaction, key);
    checkTag(deleted, { ifMatch });
    // It exists, because it has been checked.
    const tag = { ...(deleted as ProductTagRow & Times), itemCount: 0, itemIds: [] };
    return { ...tag, changedItemIds: changedIdsOf(idsOf(links)) };
  });
}

function checkTag(
  tag: ProductTagRow | undefined,
  { ifMatch, ifNoneMatch }: Pick<WriteOptions, 'ifMatch' | 'ifNoneMatch'>,
): ProductTagRow {
  if (tag === undefined) throw new RefusedError({ code: 'product_tag_not_found', field: 'id' });
  if (ifMatch !== undefined && !matchesVersion(ifMatch, tag.version)) throw new VersionMismatch(tag, 'ifMatch');
  if (ifNoneMatch !== undefined && matchesVersion(ifNoneMatch, tag.version, { isWeak: true }))
    throw new VersionMismatch(tag, 'ifNoneMatch');
  return tag;
}

/** Whether a condition names a version. Weak entity tags match in If-None-Match, but not in If-Match. */
function matchesVersion(condition: string, version: string, { isWeak = false } = {}): boolean {
  const tags = condition.split(/[\s,]+/);
  const isNamed = tags.includes(`"${version}"`) || (isWeak && tags.includes(`W/"${version}"`));
  return isNamed || condition === '*' || condition === version;
}

class VersionMismatch extends RefusedError {
  readonly tag: ProductTagRow;

  constructor(tag: ProductTagRow, field: string) {
    super({ code: 'version_mismatch', field });
    this.tag = tag;
  }
}

// Runs a write in its own transaction, after the earlier writes of the same tag. A RefusedError rolls it back.
async function oneWriterPerTag(
  context: WriteContext,
  { companyId, id }: TenantKey,
  write: (transaction: Database) => Promise<WrittenProductTag>,
): Promise<TagOutcome> {
  let current: ProductTagRow | undefined;
  const run = () =>
    inTransaction(context.db, write).catch((error) => {
      if (error instanceof VersionMismatch) current = error.tag;
      throw error;
    });
  const outcome = await context.admission.write(`tag ${companyId}:${id}`, () => outcomeOf(run()));
  return current ? { ...outcome, current } : outcome;
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

function distinct(ids: number[]): number[] {
  return [...new Set(ids)].toSorted((a, b) => a - b);
}

function refuseItems(offending: queries.OffendingItem[]): Refusal[] {
  return [...Map.groupBy(offending, ({ code }) => code)].map(([code, items]) => {
    return { code, field: 'itemIds', ids: { itemIds: items.map(({ id }) => id) } };
  });
}
