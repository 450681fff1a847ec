import { type RawBuilder, sql } from 'kysely';
import type { Locale } from '../../kernel/localization/locale.ts';
import { statement } from '../../platform/database/statement.ts';
import type { Database } from '../tables.ts';

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

export type PageKey = { id: number } & Page;

/** A batched read: returns one value for each key, in the order of the keys. */
export type Batch<Key extends number | PageKey, Value> = (db: Database, keys: TenantKeys<Key>) => Promise<Value[]>;

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
 * Reads one page for each of several owners in one statement, whatever the pages, so that the number of statements of
 * an operation is the depth of its lists. `list` is the SQL of a list: the rows of the owner `page.id` with ids above
 * `page.after`, by id.
 */
export function rowsInPages<Row extends { id: number }>(
  list: (companyId: number) => RawBuilder<Row>,
): Batch<PageKey, Row[]> {
  const select = statement(
    (_: Database, { companyId, ids, afters, limits }: PageColumns) => sql<Row & { place: number }>`
      select page.place, entry.*
      from (
        select id, place::integer, coalesce((${afters}::integer[])[place], (${afters}::integer[])[1]) as after,
          coalesce((${limits}::integer[])[place], (${limits}::integer[])[1]) as length
        from unnest(${ids}::integer[]) with ordinality as key (id, place)
      ) as page
      cross join lateral (${list(companyId)} limit page.length) as entry
      order by page.place, entry.id`,
    { isRead: true },
  );
  return async (db, { companyId, keys }) => {
    const ids = keys.map(({ id }) => id);
    const [afters, limits] = [shared(keys.map(({ after }) => after)), shared(keys.map(({ limit }) => limit))];
    const rows = await select(db, { companyId, ids, afters, limits });
    // PostgreSQL counts from 1.
    return inLists([...keys.keys()], rows, ({ place }) => place - 1);
  };
}

// Usually, all pages are alike. A single value takes less time to send and to read than a list.
function shared(values: number[]): number[] {
  return new Set(values).size === 1 ? values.slice(0, 1) : values;
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
