import {
  type Outcome,
  toOutcome,
  type ValidationError,
  ValidationFailedError,
} from '../../../kernel/errors/validation-error.ts';
import { normalizeName, validateName } from '../../../kernel/localization/name.ts';
import type { Admission } from '../../../platform/admission/admission.ts';
import { pipeline, type Query } from '../../../platform/database/queries.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { TenantKey } from '../../lists/batches.ts';
import type { Database } from '../../tables.ts';
import { runIdempotently } from '../idempotency/idempotency-keys.ts';
import type { Caller } from '../tokens/tokens.ts';
import * as writes from './product-tag.writes.ts';
import {
  maxItems,
  nameLength,
  type ProductTagRow,
  productTagsById,
  selectProductTags,
} from './product-tags.queries.ts';

/** Values of the messages of validation errors. */
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
};

export type TagOutcome = Outcome<WrittenProductTag>;

/** The versions of which a tag must have one, and those that it must not have. */
export interface VersionCondition {
  match?: Versions;
  noneMatch?: Versions;
}

type Versions = 'any' | readonly string[];

/**
 * Creates a tag of the caller's company, once for each idempotency key. Writes nothing if a rule is broken; the validation errors
 * list all of them. Waits for no other writers, because nobody else has its tag yet.
 */
export function createProductTag(
  { db }: Pick<WriteContext, 'db'>,
  caller: Caller,
  { nameEn, nameAr = null, itemIds: requestedIds }: NewProductTag,
  idempotencyKey?: string,
): Promise<TagOutcome> {
  // Some clients send null for an empty list.
  const values = normalize({ nameEn, nameAr, itemIds: requestedIds ?? [] });
  const validationErrors = validate(values);
  const itemIds = withinLimit(values.itemIds);
  const { companyId } = caller;
  const creation = inTransaction(db, async (transaction) => {
    const { result, replayed } = await runIdempotently(transaction, caller, idempotencyKey, values, async () => {
      const [offending, [tag] = []] = await pipeline(transaction, [
        writes.lockItems({ companyId, itemIds }),
        ...(validationErrors.length === 0 ? [writes.insertProductTag({ companyId, ...values })] : []),
      ]);
      const all = [...validationErrors, ...rejectItems(offending, inputItemIds)];
      if (tag === undefined || all.length > 0) throw new ValidationFailedError(...all);
      if (itemIds.length === 0) return { ...tag, itemIds };
      const [, [linked = tag]] = await pipeline(transaction, [
        writes.addItems({ companyId, id: tag.id, itemIds }),
        selectProductTags({ companyId, keys: [tag.id] }),
      ]);
      return { ...linked, itemIds };
    });
    if (!replayed) return { ...result, replayed };
    // The names and ids come from the first response; items are listed and counted as they are now.
    const [now] = await productTagsById(transaction, { companyId, keys: [result.id] });
    return { ...result, replayed, itemCount: now?.itemCount ?? 0 };
  });
  return toOutcome(creation);
}

/**
 * Updates a tag of the caller's company; does not write unchanged rows. The validation errors are
 * `product_tag_not_found` alone, or else `version_mismatch` alone if the tag's version does not meet the condition, or else
 * every broken rule.
 */
export async function updateProductTag(
  context: WriteContext,
  key: TenantKey,
  input: ProductTagChanges,
  condition: VersionCondition,
): Promise<TagOutcome> {
  const values = normalize(input);
  const { nameEn = null, nameAr = null } = values;
  const itemIds = withinLimit(values.itemIds ?? []);
  const names = { ...key, nameEn, nameAr, setsNameAr: values.nameAr !== undefined };
  const setsItems = Array.isArray(values.itemIds);
  const write = setsItems ? writes.replaceProductTag({ ...names, itemIds }) : writes.renameProductTag(names);
  const change = { condition, itemIds, itemIdsPath: inputItemIds, validationErrors: validate(values) };
  const outcome = await changeProductTag(context, key, change, write);
  return outcome.result && setsItems ? { result: { ...outcome.result, itemIds } } : outcome;
}

/** Adds items to a tag of the caller's company, by the rules of `updateProductTag`. */
export function addProductTagItems(
  context: WriteContext,
  key: TenantKey,
  ids: number[],
  condition: VersionCondition,
): Promise<TagOutcome> {
  const requestedIds = distinct(ids);
  const [itemIds, validationErrors] = [withinLimit(requestedIds), validateCount(requestedIds, ownItemIds)];
  const write = writes.addItems({ ...key, itemIds });
  const change = { condition, itemIds, itemIdsPath: ownItemIds, validationErrors, mayExceed: true };
  return changeProductTag(context, key, change, write);
}

/** Removes items from a tag of the caller's company, by the rules of `updateProductTag`. */
export function removeProductTagItems(
  context: WriteContext,
  key: TenantKey,
  ids: number[],
  condition: VersionCondition,
): Promise<TagOutcome> {
  const requestedIds = distinct(ids);
  const write = writes.removeItems({ ...key, itemIds: withinLimit(requestedIds) });
  const validationErrors = validateCount(requestedIds, ownItemIds);
  return changeProductTag(context, key, { condition, itemIds: [], itemIdsPath: ownItemIds, validationErrors }, write);
}

interface Change {
  condition: VersionCondition;
  /** Items that must be products of the company. */
  itemIds: number[];
  /** The argument that has them. */
  itemIdsPath: Path;
  /** The broken rules of the input. */
  validationErrors: ValidationError[];
  /** Whether the tag can have too many items after the write. */
  mayExceed?: boolean;
}

function changeProductTag(
  context: WriteContext,
  key: TenantKey,
  { condition, itemIds, itemIdsPath, validationErrors, mayExceed }: Change,
  write: Query<never>,
): Promise<TagOutcome> {
  const { companyId, id } = key;
  return oneWriterPerTag(context, key, async (transaction) => {
    const lock = writes.lockProductTag(key);
    const lockItems = writes.lockItems({ companyId, itemIds });
    if (validationErrors.length > 0) {
      const [[tag], offending] = await pipeline(transaction, [lock, lockItems]);
      checkTag(tag, condition);
      throw new ValidationFailedError(...validationErrors, ...rejectItems(offending, itemIdsPath));
    }
    // All in one round trip: an error below rolls the write back.
    const [[tag], offending, , [written], excess = []] = await pipeline(transaction, [
      lock,
      lockItems,
      write,
      selectProductTags({ companyId, keys: [id] }),
      ...(mayExceed ? [writes.findExcess({ ...key, maxItems })] : []),
    ]);
    checkTag(tag, condition);
    const all = [...rejectItems(offending, itemIdsPath), ...(excess.length > 0 ? [tooManyItems(itemIdsPath)] : [])];
    if (all.length > 0) throw new ValidationFailedError(...all);
    // It exists, because its row is locked.
    return written as ProductTagRow;
  });
}

/** Deletes a tag of the caller's company and its links, if its version meets the condition. The items stay. */
export function deleteProductTag(
  context: WriteContext,
  key: TenantKey,
  condition: VersionCondition,
): Promise<Outcome<TenantKey>> {
  return oneWriterPerTag(context, key, async (transaction) => {
    const [deleted] = (await writes.deleteProductTag(key).execute(transaction)).rows;
    checkTag(deleted, condition);
    return key;
  });
}

function checkTag(
  tag: Pick<ProductTagRow, 'version'> | undefined,
  { match = 'any', noneMatch = [] }: VersionCondition,
): void {
  if (tag === undefined) throw new ValidationFailedError({ code: 'product_tag_not_found', path: ['id'] });
  const isNamed = (versions: Versions) => versions === 'any' || versions.includes(tag.version);
  if (!isNamed(match)) throw new ValidationFailedError({ code: 'version_mismatch', path: ['ifMatch'] });
  if (isNamed(noneMatch)) throw new ValidationFailedError({ code: 'version_mismatch', path: ['ifNoneMatch'] });
}

/** Runs a write in its own transaction, after the earlier writes of the same tag. A ValidationFailedError rolls it back. */
function oneWriterPerTag<Result>(
  { admission, db }: WriteContext,
  { companyId, id }: TenantKey,
  write: (transaction: Database) => Promise<Result>,
): Promise<Outcome<Result>> {
  const work = () => toOutcome(inTransaction(db, write));
  // Its lock ends with the statement.
  const untilUnlocked = () => writes.lockProductTag({ companyId, id }).execute(db);
  return admission.write(`tag ${companyId}:${id}`, work, untilUnlocked);
}

/** Trims names and puts them into NFC; sorts item ids and drops repeated ones. */
function normalize<Values extends ProductTagChanges>(values: Values) {
  const { nameEn, nameAr, itemIds } = values;
  return {
    ...values,
    ...(nameEn && { nameEn: normalizeName(nameEn) }),
    ...(nameAr && { nameAr: normalizeName(nameAr) }),
    ...(itemIds && { itemIds: distinct(itemIds) }),
  };
}

/** Checks the rules of normalized values that need no database. */
function validate({ nameEn, nameAr, itemIds }: ProductTagChanges): ValidationError[] {
  const validationErrors: ValidationError[] = [];
  for (const [field, name] of Object.entries({ nameEn, nameAr })) {
    const code = typeof name === 'string' ? validateName(name, nameLength) : undefined;
    if (code !== undefined) validationErrors.push({ code, path: ['input', field] });
  }
  if (nameEn === null)
    validationErrors.push({ code: 'invalid_type', path: ['input', 'nameEn'], values: { expected: 'text' } });
  if (itemIds === null) validationErrors.push({ code: 'invalid_type', path: inputItemIds });
  return [...validationErrors, ...validateCount(itemIds ?? [], inputItemIds)];
}

type Path = ValidationError['path'];

/** The arguments with item ids: of creations and updates, and of the other mutations. */
const inputItemIds = ['input', 'itemIds'];
const ownItemIds = ['itemIds'];

function validateCount(itemIds: number[], path: Path): ValidationError[] {
  return itemIds.length > maxItems ? [tooManyItems(path)] : [];
}

const tooManyItems = (path: Path): ValidationError => ({ code: 'too_many_items', path });

/** The item ids to look up: none of a list that is rejected for its length. */
function withinLimit(itemIds: number[]): number[] {
  return itemIds.length > maxItems ? [] : itemIds;
}

function distinct(ids: number[]): number[] {
  return [...new Set(ids)].toSorted((a, b) => a - b);
}

function rejectItems(offending: writes.OffendingItem[], path: Path): ValidationError[] {
  return [...Map.groupBy(offending, ({ code }) => code)].map(([code, items]) => {
    return { code, path, ids: { itemIds: items.map(({ id }) => id) } };
  });
}
