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

/** A batched read, as a plain function beside the feature's queries: it returns one value for each key, in their order. */
export type Batch<Key, Value> = (db: Database, keys: TenantKeys<Key>) => Promise<Value[]>;

/** Reads rows of a company by id; undefined where it has none. */
export function rowsById<Row extends { id: number }>(
  select: (db: Database, keys: TenantKeys) => Promise<Row[]>,
): Batch<number, Row | undefined> {
  return async (db, wanted) => inLists(wanted.keys, await select(db, wanted), ({ id }) => id).map(([row]) => row);
}

/** The rows of each key, in the keys' order; a key without rows gets an empty list. */
export function inLists<Key, Row>(keys: readonly Key[], rows: readonly Row[], keyOf: (row: Row) => Key): Row[][] {
  const lists = Map.groupBy(rows, keyOf);
  return keys.map((key) => lists.get(key) ?? []);
}
