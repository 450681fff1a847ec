import {
  type Result,
  toResult,
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

export interface WriteContext {
  admission: Pick<Admission, 'runExclusively'>;
  db: Database;
}

export interface NewProductTag {
  nameEn: string;
  nameAr?: string | null | undefined;
  itemIds?: number[] | null | undefined;
}

export type ProductTagChanges = { [Field in keyof NewProductTag]?: NewProductTag[Field] | null | undefined };

/** Without `itemIds`, items are read after the write. */
export type WrittenProductTag = ProductTagRow & {
  /** Set by the write, ascending. */
  itemIds?: number[];
  replayed?: boolean;
};

export type TagResult = Result<WrittenProductTag>;

/** `match` versions are required, `noneMatch` versions rejected. */
export interface VersionCondition {
  match?: Versions;
  noneMatch?: Versions;
}

type Versions = 'any' | readonly string[];

/** Does not wait for other writers, because no other request has the tag yet. */
export function createProductTag(
  { db }: Pick<WriteContext, 'db'>,
  caller: Caller,
  { nameEn, nameAr = null, itemIds: requestedIds }: NewProductTag,
  idempotencyKey?: string,
): Promise<TagResult> {
  // Some clients send null for an empty list.
  const values = normalize({ nameEn, nameAr, itemIds: requestedIds ?? [] });
  const validationErrors = validate(values);
  const itemIds = emptyIfTooMany(values.itemIds);
  const { companyId } = caller;
  const creation = inTransaction(db, async (transaction) => {
    const { result, replayed } = await runIdempotently(transaction, caller, idempotencyKey, values, async () => {
      const [offending, [tag] = []] = await pipeline(transaction, [
        writes.lockItems({ companyId, itemIds }),
        ...(validationErrors.length === 0 ? [writes.insertProductTag({ companyId, ...values })] : []),
      ]);
      const all = [...validationErrors, ...toValidationErrors(offending, inputItemIds)];
      if (tag === undefined || all.length > 0) throw new ValidationFailedError(...all);
      if (itemIds.length === 0) return { ...tag, itemIds };
      const [, [linked = tag]] = await pipeline(transaction, [
        writes.addItems({ companyId, id: tag.id, itemIds }),
        selectProductTags({ companyId, keys: [tag.id] }),
      ]);
      return { ...linked, itemIds };
    });
    if (!replayed) return { ...result, replayed };
    // Names and ids come from the first response; items are counted as they are now.
    const [current] = await productTagsById(transaction, { companyId, keys: [result.id] });
    return { ...result, replayed, itemCount: current?.itemCount ?? 0 };
  });
  return toResult(creation);
}

/** Errors: `product_tag_not_found` alone, else `version_mismatch` alone, else every broken rule. Skips unchanged rows. */
export async function updateProductTag(
  context: WriteContext,
  key: TenantKey,
  input: ProductTagChanges,
  condition: VersionCondition,
): Promise<TagResult> {
  const values = normalize(input);
  const { nameEn = null, nameAr = null } = values;
  const itemIds = emptyIfTooMany(values.itemIds ?? []);
  const names = { ...key, nameEn, nameAr, setsNameAr: values.nameAr !== undefined };
  const setsItems = Array.isArray(values.itemIds);
  const write = setsItems ? writes.replaceProductTag({ ...names, itemIds }) : writes.renameProductTag(names);
  const change = { condition, itemIds, itemIdsPath: inputItemIds, validationErrors: validate(values) };
  const result = await changeProductTag(context, key, change, write);
  return result.value && setsItems ? { value: { ...result.value, itemIds } } : result;
}

export function addProductTagItems(
  context: WriteContext,
  key: TenantKey,
  ids: number[],
  condition: VersionCondition,
): Promise<TagResult> {
  const requestedIds = distinct(ids);
  const [itemIds, validationErrors] = [emptyIfTooMany(requestedIds), validateCount(requestedIds, argumentItemIds)];
  const write = writes.addItems({ ...key, itemIds });
  const change = { condition, itemIds, itemIdsPath: argumentItemIds, validationErrors, mayExceed: true };
  return changeProductTag(context, key, change, write);
}

export function removeProductTagItems(
  context: WriteContext,
  key: TenantKey,
  ids: number[],
  condition: VersionCondition,
): Promise<TagResult> {
  const requestedIds = distinct(ids);
  const write = writes.removeItems({ ...key, itemIds: emptyIfTooMany(requestedIds) });
  const validationErrors = validateCount(requestedIds, argumentItemIds);
  return changeProductTag(
    context,
    key,
    { condition, itemIds: [], itemIdsPath: argumentItemIds, validationErrors },
    write,
  );
}

interface Change {
  condition: VersionCondition;
  itemIds: number[];
  itemIdsPath: Path;
  validationErrors: ValidationError[];
  mayExceed?: boolean;
}

function changeProductTag(
  context: WriteContext,
  key: TenantKey,
  { condition, itemIds, itemIdsPath, validationErrors, mayExceed }: Change,
  write: Query<never>,
): Promise<TagResult> {
  const { companyId, id } = key;
  return runExclusively(context, key, async (transaction) => {
    const lock = writes.lockProductTag(key);
    const lockItems = writes.lockItems({ companyId, itemIds });
    if (validationErrors.length > 0) {
      const [[tag], offending] = await pipeline(transaction, [lock, lockItems]);
      checkTag(tag, condition);
      throw new ValidationFailedError(...validationErrors, ...toValidationErrors(offending, itemIdsPath));
    }
    // One round trip: an error below rolls the write back.
    const [[tag], offending, , [written], excess = []] = await pipeline(transaction, [
      lock,
      lockItems,
      write,
      selectProductTags({ companyId, keys: [id] }),
      ...(mayExceed ? [writes.findExcess({ ...key, maxItems })] : []),
    ]);
    checkTag(tag, condition);
    const all = [
      ...toValidationErrors(offending, itemIdsPath),
      ...(excess.length > 0 ? [tooManyItems(itemIdsPath)] : []),
    ];
    if (all.length > 0) throw new ValidationFailedError(...all);
    // Its row is locked, so it exists.
    return written as ProductTagRow;
  });
}

export function deleteProductTag(
  context: WriteContext,
  key: TenantKey,
  condition: VersionCondition,
): Promise<Result<TenantKey>> {
  return runExclusively(context, key, async (transaction) => {
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
  const isMatch = (versions: Versions) => versions === 'any' || versions.includes(tag.version);
  if (!isMatch(match)) throw new ValidationFailedError({ code: 'version_mismatch', path: ['ifMatch'] });
  if (isMatch(noneMatch)) throw new ValidationFailedError({ code: 'version_mismatch', path: ['ifNoneMatch'] });
}

/** Waits for earlier writes of the same tag. A ValidationFailedError rolls the transaction back. */
function runExclusively<Value>(
  { admission, db }: WriteContext,
  { companyId, id }: TenantKey,
  write: (transaction: Database) => Promise<Value>,
): Promise<Result<Value>> {
  const work = () => toResult(inTransaction(db, write));
  const waitForRowLock = () => writes.lockProductTag({ companyId, id }).execute(db);
  return admission.runExclusively(`tag ${companyId}:${id}`, work, waitForRowLock);
}

/** Trims names, applies NFC, and sorts and deduplicates item ids. */
function normalize<Values extends ProductTagChanges>(values: Values) {
  const { nameEn, nameAr, itemIds } = values;
  return {
    ...values,
    ...(nameEn && { nameEn: normalizeName(nameEn) }),
    ...(nameAr && { nameAr: normalizeName(nameAr) }),
    ...(itemIds && { itemIds: distinct(itemIds) }),
  };
}

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

const inputItemIds = ['input', 'itemIds'];
const argumentItemIds = ['itemIds'];

function validateCount(itemIds: number[], path: Path): ValidationError[] {
  return itemIds.length > maxItems ? [tooManyItems(path)] : [];
}

const tooManyItems = (path: Path): ValidationError => ({ code: 'too_many_items', path });

/** Skips the lookup of a list that is rejected for its length. */
function emptyIfTooMany(itemIds: number[]): number[] {
  return itemIds.length > maxItems ? [] : itemIds;
}

function distinct(ids: number[]): number[] {
  return [...new Set(ids)].toSorted((a, b) => a - b);
}

function toValidationErrors(offending: writes.OffendingItem[], path: Path): ValidationError[] {
  return [...Map.groupBy(offending, ({ code }) => code)].map(([code, items]) => {
    return { code, path, ids: { itemIds: items.map(({ id }) => id) } };
  });
}
