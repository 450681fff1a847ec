import { type RawBuilder, sql } from 'kysely';
import type { Locale } from '../../kernel/localization/locale.ts';
import { statement } from '../../platform/database/statement.ts';
import type { Database } from '../tables.ts';

/** The key of a row of a company. */
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

/** Keys of rows that all companies share. */
export interface ReferenceKeys<Key = number> {
  keys: readonly Key[];
}

/** A batched read: returns one value for each key, in the order of the keys. */
export type Batch<Key, Value> = (db: Database, keys: TenantKeys<Key>) => Promise<Value[]>;

/** The same for reference data. */
export type ReferenceBatch<Key, Value> = (db: Database, keys: ReferenceKeys<Key>) => Promise<Value[]>;

/** Reads rows by id; undefined where there is none. */
export function rowsById<Wanted extends ReferenceKeys, Row extends { id: number }>(
  select: (db: Database, wanted: Wanted) => Promise<Row[]>,
): (db: Database, wanted: Wanted) => Promise<(Row | undefined)[]> {
  return async (db, wanted) => inLists(wanted.keys, await select(db, wanted), ({ id }) => id).map(([row]) => row);
}

/** Groups rows by key, in the order of the keys; a key without rows gets an empty list. */
export function inLists<Key, Row>(keys: readonly Key[], rows: readonly Row[], keyOf: (row: Row) => Key): Row[][] {
  const lists = Map.groupBy(rows, keyOf);
  return keys.map((key) => lists.get(key) ?? []);
}

type PageColumns = { companyId: number } & Record<'ids' | 'afters' | 'limits', readonly number[]>;

/**
 * Reads one page for each of several owners in one statement. `list` is the SQL of one page: the rows of the owner
 * `page.id` with ids above `page.after`, by id.
 */
export function rowsInPages<Row extends { id: number }>(
  list: (companyId: number) => RawBuilder<Row>,
): Batch<{ id: number } & Page, Row[]> {
  const select = statement(
    (_: Database, { companyId, ids, afters, limits }: PageColumns) => sql<Row & { place: number }>`
      select page.place::integer, entry.*
      from unnest(${ids}::integer[], ${afters}::integer[], ${limits}::integer[])
        with ordinality as page (id, after, length, place)
      cross join lateral (${list(companyId)} limit page.length) as entry
      order by page.place, entry.id`,
    { isRead: true },
  );
  return async (db, { companyId, keys }) => {
    const [ids, afters, limits] = (['id', 'after', 'limit'] as const).map((name) => keys.map((key) => key[name]));
    const rows = await select(db, { companyId, ids, afters, limits } as PageColumns);
    // PostgreSQL counts from 1.
    return inLists([...keys.keys()], rows, ({ place }) => place - 1);
  };
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
