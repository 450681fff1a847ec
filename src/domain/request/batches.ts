import { type RawBuilder, sql } from 'kysely';
import type { Locale } from '../../kernel/localization/locale.ts';
import { statement } from '../../platform/database/statement.ts';
import type { Database } from '../tables.ts';

/** The key of a row of a company. */
export interface TenantKey {
  companyId: number;
  id: number;
}

/** Ids of rows of one company; every statement filters by the company. */
export interface TenantKeys {
  companyId: number;
  keys: readonly number[];
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
export type Batch<Value> = (db: Database, wanted: TenantKeys) => Promise<Value[]>;

/** The same for one page of the lists of several owners, by the owner's id. */
export type PageBatch<Row> = (db: Database, wanted: TenantKeys & Page) => Promise<Row[][]>;

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

/**
 * Reads the same page of the lists of several owners in one statement. `list` is the SQL of a list: the rows of the
 * owner `owner.id` with ids above `after`, by id.
 */
export function rowsInPages<Row extends { id: number }>(
  list: (wanted: Pick<TenantKeys & Page, 'companyId' | 'after'>) => RawBuilder<Row>,
): PageBatch<Row> {
  const select = statement(
    (_: Database, { companyId, keys, after, limit }: TenantKeys & Page) => sql<Row & { ownerId: number }>`
      select owner.id as "ownerId", entry.*
      from unnest(${keys}::integer[]) as owner (id)
      cross join lateral (${list({ companyId, after })} limit ${limit}) as entry
      order by owner.id, entry.id`,
    { isRead: true },
  );
  return async (db, wanted) => inLists(wanted.keys, await select(db, wanted), ({ ownerId }) => ownerId);
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
