import type { Locale } from '../../kernel/localization/locale.ts';
import type { Database } from '../tables.ts';

/** A row of one company. */
export interface TenantKey {
  companyId: number;
  id: number;
}

/** Keys of rows of one company: each statement about them names the company. It returns at most `limit` rows; null is all. */
export interface TenantKeys<Key = number> {
  companyId: number;
  keys: readonly Key[];
  limit: number | null;
}

/** Keys of rows that are the same for every company. */
export interface ReferenceKeys<Key = number> {
  keys: readonly Key[];
}

/** A batched read, as a plain function beside the feature's queries: it returns one value for each key, in their order. */
export type Batch<Key, Value> = (db: Database, keys: TenantKeys<Key>) => Promise<Value[]>;

/** The same for reference data. */
export type ReferenceBatch<Key, Value> = (db: Database, keys: ReferenceKeys<Key>) => Promise<Value[]>;

/** Reads rows by id; undefined where there is none. */
export function rowsById<Wanted extends ReferenceKeys, Row extends { id: number }>(
  select: (db: Database, wanted: Wanted) => Promise<Row[]>,
): (db: Database, wanted: Wanted) => Promise<(Row | undefined)[]> {
  return async (db, wanted) => inLists(wanted.keys, await select(db, wanted), ({ id }) => id).map(([row]) => row);
}

/** The rows of each key, in the keys' order; a key without rows gets an empty list. */
export function inLists<Key, Row>(keys: readonly Key[], rows: readonly Row[], keyOf: (row: Row) => Key): Row[][] {
  const lists = Map.groupBy(rows, keyOf);
  return keys.map((key) => lists.get(key) ?? []);
}

/** Reads a whole list once, and sorts it for each locale. */
export function rowsInOrder<Row>(
  select: (db: Database) => Promise<Row[]>,
  order: (rows: Row[], locale: Locale) => Row[] = (rows) => rows,
): ReferenceBatch<Locale, Row[]> {
  return async (db, { keys: locales }) => {
    const rows = await select(db);
    return locales.map((locale) => order(rows, locale));
  };
}
