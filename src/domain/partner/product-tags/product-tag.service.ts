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
import { maxItems, nameLength, type ProductTagRow, productTags } from './product-tags.ts';

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

/** A written tag. Its items are read after the write, unless the write set them. */
export type WrittenProductTag = ProductTagRow & {
  /** The item ids that the write set, ascending. */
  itemIds?: number[];
  /** Whether it is the result of an earlier creation with the same idempotency key. */
  replayed?: boolean;
} & Partial<Times>;

export type TagOutcome = Outcome<WrittenProductTag>;

/** The versions that a tag must and must not have, as in If-Match and If-None-Match. */
export interface VersionConditions {
  ifMatch: string | undefined;
  ifNoneMatch?: string | undefined;
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
      const [, [linked = tag]] = await pipeline(transaction, [
        queries.addItems.with({ companyId, id: tag.id, itemIds: ids }),
        productTags.select.with({ companyId, keys: [tag.id] }),
      ]);
      return { ...linked, itemIds: ids };
    });
    if (!replayed) return { ...result, replayed };
    // The names and ids are those of the first response; the items are listed and counted as they are now.
    const [now] = await productTags.select(transaction, { companyId, keys: [result.id] });
    return { ...result, replayed, itemCount: now?.itemCount ?? 0 };
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
  conditions: VersionConditions,
): Promise<TagOutcome> {
  const { wanted, refusals, ids } = normalizeInput(input);
  const { nameEn = null, nameAr = null, itemIds } = wanted;
  const names = { ...key, nameEn, nameAr, setsNameAr: wanted.nameAr !== undefined };
  const write = itemIds
    ? queries.replaceProductTag.with({ ...names, itemIds: ids })
    : queries.renameProductTag.with(names);
  const outcome = await changeProductTag(context, key, { ...conditions, itemIds: ids, refusals }, write);
  return outcome.result && itemIds ? { result: { ...outcome.result, itemIds } } : outcome;
}

/** Adds items to a tag of the caller's company, by the rules of `updateProductTag`. */
export function addProductTagItems(
  context: WriteContext,
  key: TenantKey,
  itemIds: number[],
  ifMatch: string | undefined,
): Promise<TagOutcome> {
  const { ids, refusals } = checkCount(distinct(itemIds));
  const write = queries.addItems.with({ ...key, itemIds: ids });
  return changeProductTag(context, key, { ifMatch, itemIds: ids, refusals, mayExceed: true }, write);
}

/** Removes items from a tag of the caller's company, by the rules of `updateProductTag`. */
export function removeProductTagItems(
  context: WriteContext,
  key: TenantKey,
  itemIds: number[],
  ifMatch: string | undefined,
): Promise<TagOutcome> {
  const { ids, refusals } = checkCount(distinct(itemIds));
  const write = queries.removeItems.with({ ...key, itemIds: ids });
  return changeProductTag(context, key, { ifMatch, itemIds: [], refusals }, write);
}

interface Change extends VersionConditions {
  /** Items that must be products of the company. */
  itemIds: number[];
  /** The broken rules of the input. */
  refusals: Refusal[];
  /** Whether the tag can have too many items after the write. */
  mayExceed?: boolean;
}

function changeProductTag(
  context: WriteContext,
  key: TenantKey,
  { itemIds, refusals, mayExceed, ...conditions }: Change,
  write: Query<never>,
): Promise<TagOutcome> {
  const { companyId, id } = key;
  return oneWriterPerTag(context, key, async (transaction) => {
    const lock = queries.lockProductTag.with(key);
    const lockItems = queries.lockItems.with({ companyId, itemIds });
    if (refusals.length > 0) {
      const [[tag], offending] = await pipeline(transaction, [lock, lockItems]);
      checkTag(tag, conditions);
      throw new RefusedError(...refusals, ...refuseItems(offending));
    }
    // All in one round trip: an error below rolls the write back.
    const [[tag], offending, , [written], excess = []] = await pipeline(transaction, [
      lock,
      lockItems,
      write,
      productTags.select.with({ companyId, keys: [id] }),
      ...(mayExceed ? [queries.findExcess.with({ ...key, maxItems })] : []),
    ]);
    checkTag(tag, conditions);
    const all = [...refuseItems(offending), ...(excess.length > 0 ? [tooManyItems] : [])];
    if (all.length > 0) throw new RefusedError(...all);
    // It exists, because its row is locked.
    return written as ProductTagRow;
  });
}

/** Deletes a tag of the caller's company and its links, if it has the version of `ifMatch`. The items stay. */
export function deleteProductTag(
  context: WriteContext,
  key: TenantKey,
  ifMatch: string | undefined,
): Promise<TagOutcome> {
  return oneWriterPerTag(context, key, async (transaction) => {
    const [deleted] = await queries.deleteProductTag(transaction, key);
    return { ...checkTag(deleted, { ifMatch }), itemCount: 0 };
  });
}

function checkTag<Tag extends ProductTagRow>(tag: Tag | undefined, { ifMatch, ifNoneMatch }: VersionConditions): Tag {
  if (tag === undefined) throw new RefusedError({ code: 'product_tag_not_found', field: 'id' });
  if (ifMatch !== undefined && !matchesVersion(ifMatch, tag.version))
    throw new RefusedError({ code: 'version_mismatch', field: 'ifMatch' });
  if (ifNoneMatch !== undefined && matchesVersion(ifNoneMatch, tag.version, { isWeak: true }))
    throw new RefusedError({ code: 'version_mismatch', field: 'ifNoneMatch' });
  return tag;
}

/** Whether a condition names a version. Weak entity tags match in If-None-Match, but not in If-Match. */
function matchesVersion(condition: string, version: string, { isWeak = false } = {}): boolean {
  const tags = condition.split(/[\s,]+/);
  const isNamed = tags.includes(`"${version}"`) || (isWeak && tags.includes(`W/"${version}"`));
  return isNamed || condition === '*' || condition === version;
}

/** Runs a write in its own transaction, after the earlier writes of the same tag. A RefusedError rolls it back. */
function oneWriterPerTag(
  { admission, db }: WriteContext,
  { companyId, id }: TenantKey,
  write: (transaction: Database) => Promise<WrittenProductTag>,
): Promise<TagOutcome> {
  return admission.write(`tag ${companyId}:${id}`, () => outcomeOf(inTransaction(db, write)));
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
