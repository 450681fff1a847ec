import { type RawBuilder, sql } from 'kysely';
import type { Database, Tables } from '../tables.ts';

export interface TenantKey {
  companyId: number;
  id: number;
}

/** Keys of rows of one company; every statement filters by the company. */
export interface TenantKeys<Key = number> {
  companyId: number;
  keys: readonly Key[];
}

/** A page of a list: at most `limit` rows after the id `after`. */
export interface Page {
  after: number;
  limit: number;
}

export type PageKey = { id: number } & Page;

/** An id, or an object whose values are the key. */
export type BatchKey = number | object;

/** A batched read: returns one value for each key, in the order of the keys. */
export type Batch<Key extends BatchKey, Value> = (db: Database, keys: TenantKeys<Key>) => Promise<Value[]>;

/** Reads rows by id; undefined where there is none. */
export function rowsById<Request extends { keys: readonly number[] }, Row extends { id: number }>(
  select: (db: Database, requested: Request) => Promise<Row[]>,
): (db: Database, requested: Request) => Promise<(Row | undefined)[]> {
  return async (db, requested) =>
    groupByKey(requested.keys, await select(db, requested), ({ id }) => id).map(([row]) => row);
}

/** When a row was added and last changed. */
export interface Times {
  createdAt: Date;
  updatedAt: Date;
}

/** Reads the times of rows by id. A row that has been deleted since it was read was changed by that, now. */
export function timesById(table: keyof Tables): Batch<number, Times> {
  return async (db, { companyId, keys }) => {
    const { rows } = await sql<Times>`
      select coalesce(created_at, now()) as "createdAt", coalesce(updated_at, now()) as "updatedAt"
      from unnest(${keys}::integer[]) with ordinality as requested (id, place)
      left join ${sql.table(table)} as present on present.company_id = ${companyId} and present.id = requested.id
      order by place`.execute(db);
    return rows;
  };
}

/** Groups rows by key, in the order of the keys; a key without rows gets an empty list. */
export function groupByKey<Key, Row>(keys: readonly Key[], rows: readonly Row[], keyOf: (row: Row) => Key): Row[][] {
  const lists = Map.groupBy(rows, keyOf);
  return keys.map((key) => lists.get(key) ?? []);
}

/**
 * Reads one page for each of several owners in one statement, whatever the pages, so that the number of statements of
 * an operation is the depth of its lists. `list` is the SQL of a list: the rows of the owner `page.id` with ids above
 * `page.after`, by id. Its columns have the names of the row, so that nothing renames each.
 */
export function pagesByOwner<Row extends { id: number }>(
  list: (companyId: number) => RawBuilder<Row>,
): Batch<PageKey, Row[]> {
  return async (db, { companyId, keys }) => {
    const [ids, afters, limits] = (['id', 'after', 'limit'] as const).map((name) => keys.map((key) => key[name]));
    const { rows } = await sql<Row & { place: number }>`
      select page.place::integer, entry.*
      from unnest(${ids}::integer[], ${afters}::integer[], ${limits}::integer[])
        with ordinality as page (id, after, length, place)
      cross join lateral (${list(companyId)} limit page.length) as entry
      order by page.place, entry.id`.execute(db);
    // PostgreSQL counts from 1.
    return groupByKey([...keys.keys()], rows, ({ place }) => place - 1);
  };
}
