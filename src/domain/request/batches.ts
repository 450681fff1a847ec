import type { Database } from '../tables.ts';

/** A row of one company. */
export interface TenantKey {
  companyId: number;
  id: number;
}

/** Ids of rows of one company: each statement about them names the company. */
export interface TenantKeys {
  companyId: number;
  ids: readonly number[];
}

/** A batched read, as a plain function beside the feature's queries: it returns one value for each id, in their order. */
export type Batch<Value> = (db: Database, keys: TenantKeys) => Promise<Value[]>;

/** A batch of lists that callers can make long: it reads at most `limit` rows. Keys with the same `keyId` are the same key. */
export interface ListBatch<Key, Entry> {
  load(db: Database, companyId: number, keys: readonly Key[], limit: number): Promise<Entry[][]>;
  keyId?(key: Key): string;
}

/** Reads rows of a company by id; undefined where it has none. */
export function rowsById<Row extends { id: number }>(
  select: (db: Database, keys: TenantKeys) => Promise<Row[]>,
): Batch<Row | undefined> {
  return async (db, keys) => {
    const rows = new Map((await select(db, keys)).map((row) => [row.id, row]));
    return keys.ids.map((id) => rows.get(id));
  };
}

/** The rows of each key, in the keys' order; a key without rows gets an empty list. */
export function inLists<Key, Row>(keys: readonly Key[], rows: readonly Row[], keyOf: (row: Row) => Key): Row[][] {
  const lists = Map.groupBy(rows, keyOf);
  return keys.map((key) => lists.get(key) ?? []);
}
