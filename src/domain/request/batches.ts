import type { Database } from '../tables.ts';

/**
 * A batched read, as a plain function beside the feature's queries: it returns one value for each key, in the order of the
 * keys. Keys are ids or objects; objects with the same `keyId` are the same key.
 */
export interface Batch<Key, Value> {
  load(db: Database, keys: readonly Key[]): Promise<ArrayLike<Value | Error>>;
  keyId?(key: Key): string | number;
}

/** A batch of lists that callers can make long: undefined when they have more than `maxRows` rows together. */
export interface ListBatch<Key, Entry> {
  load(db: Database, keys: readonly Key[], maxRows: number): Promise<Entry[][] | undefined>;
  keyId(key: Key): string | number;
}

/** A row of one company: tenant batches have it as their key, so that each of their statements names the company. */
export interface TenantKey {
  companyId: number;
  id: number;
}

/** The keys of a tenant batch as its statement takes them. */
export interface TenantKeys {
  companyId: number;
  ids: readonly number[];
}

type Select<Keys, Row> = (db: Database, keys: Keys) => Promise<Row[]>;

/** Reads rows by id; undefined where there is none. */
export function rowsById<Row extends { id: number }>(
  select: Select<{ ids: readonly number[] }, Row>,
): Batch<number, Row | undefined> {
  return {
    async load(db, ids) {
      return inOrder(ids, await select(db, { ids }));
    },
  };
}

/** Reads rows of a company by id; undefined where the company has none. */
export function tenantRowsById<Row extends { id: number }>(
  select: Select<TenantKeys, Row>,
): Batch<TenantKey, Row | undefined> {
  return {
    keyId: ({ id }) => id,
    async load(db, keys) {
      const { companyId, ids } = tenantKeys(keys);
      return inOrder(ids, await select(db, { companyId, ids }));
    },
  };
}

/**
 * Reads a list for each row of a company: the entries of those rows whose `keyOf` is the id. `select` returns at most `limit`
 * rows.
 */
export function tenantLists<Row, Entry>(
  select: Select<TenantKeys & { limit: number }, Row>,
  keyOf: (row: Row) => number,
  entryOf: (row: Row) => Entry,
): ListBatch<TenantKey, Entry> {
  return {
    keyId: ({ id }) => id,
    async load(db, keys, maxRows) {
      const { companyId, ids } = tenantKeys(keys);
      const rows = await select(db, { companyId, ids, limit: maxRows + 1 });
      return rows.length > maxRows ? undefined : inLists(ids, rows, keyOf, entryOf);
    },
  };
}

/** The entries of each key, in the keys' order; a key without rows gets an empty list. */
export function inLists<Key, Row, Entry>(
  keys: readonly Key[],
  rows: readonly Row[],
  keyOf: (row: Row) => Key,
  entryOf: (row: Row) => Entry,
): Entry[][] {
  const groups = Map.groupBy(rows, keyOf);
  return keys.map((key) => groups.get(key)?.map(entryOf) ?? []);
}

/** A request acts for one company, so all keys of a batch are that company's. */
export function tenantKeys(keys: readonly TenantKey[]): TenantKeys {
  const [{ companyId } = { companyId: 0 }] = keys;
  return { companyId, ids: keys.map(({ id }) => id) };
}

function inOrder<Row extends { id: number }>(ids: readonly number[], rows: Row[]): (Row | undefined)[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id));
}
