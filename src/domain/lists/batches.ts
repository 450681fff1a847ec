import { type RawBuilder, sql } from 'kysely';
import type { Database, Tables } from '../tables.ts';

export interface TenantKey {
  companyId: number;
  id: number;
}

/** Every statement filters by the company. */
export interface TenantKeys<Key = number> {
  companyId: number;
  keys: readonly Key[];
}

export interface Page {
  after: number;
  limit: number;
}

export type PageKey = { id: number } & Page;

export type BatchKey = number | object;

/** Returns one value for each key, in the order of the keys. */
export type Batch<Key extends BatchKey, Value> = (db: Database, keys: TenantKeys<Key>) => Promise<Value[]>;

export function rowsById<Request extends { keys: readonly number[] }, Row extends { id: number }>(
  select: (db: Database, requested: Request) => Promise<Row[]>,
): (db: Database, requested: Request) => Promise<(Row | undefined)[]> {
  return async (db, requested) =>
    groupByKey(requested.keys, await select(db, requested), ({ id }) => id).map(([row]) => row);
}

export interface Times {
  createdAt: Date;
  updatedAt: Date;
}

/** A row that was deleted since it was read counts as changed now. */
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

/** In the order of the keys; a key without rows gets an empty list. */
export function groupByKey<Key, Row>(keys: readonly Key[], rows: readonly Row[], getKey: (row: Row) => Key): Row[][] {
  const lists = Map.groupBy(rows, getKey);
  return keys.map((key) => lists.get(key) ?? []);
}

/** One statement for the pages of all owners. `list` selects rows of `page.id` with ids above `page.after`, by id. */
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
    return groupByKey([...keys.keys()], rows, ({ place }) => place - 1);
  };
}
