import { type RawBuilder, sql } from 'kysely';
import type { Page } from './batches.ts';

/** What a list can be sorted by, before the id. */
interface SortKey<Row> {
  /** The key in SQL, and of a row, which cursors have. */
  sql: RawBuilder<unknown>;
  get(row: Row): string | number;
  /** Texts sort in the order of both alphabets. */
  type: 'text' | 'integer';
  /** Folds a text in SQL: texts sort by this first, and then by the key itself. */
  fold?(key: RawBuilder<unknown>): RawBuilder<unknown>;
}

/** The keys of a list by the names of its orders. The order `ID` has none. */
export type SortKeys<Row> = Readonly<Record<string, SortKey<Row>>>;

interface NamedRow {
  nameEn: string;
  nameAr: string | null;
}

/** The names that every list sorts by. */
export const nameKeys = {
  NAME_EN: { sql: sql`name_en`, get: ({ nameEn }) => nameEn, type: 'text' },
  NAME_AR: {
    sql: sql`name_ar`,
    get: ({ nameEn, nameAr }) => nameAr ?? nameEn,
    type: 'text',
    fold: (key) => sql`arabic_order(${key})`,
  },
} satisfies SortKeys<NamedRow>;

/** A page of a list in an order, or in its reverse: the rows after a key (none in the order of ids) and an id. */
export interface OrderedPage extends Page {
  order: string;
  isReverse: boolean;
  /** Whether it has a cursor. Without one, it is the first page, and `after` is 0. */
  hasCursor: boolean;
  afterKey?: string | number;
}

/** A page of a list; `list` is a select that ends with its conditions. */
export function keyset<Row>(
  list: RawBuilder<Row>,
  keys: SortKeys<NoInfer<Row>>,
  { order, isReverse, hasCursor, after, afterKey, limit }: OrderedPage,
): RawBuilder<Row> {
  const by = keys[order];
  const columns = [...(by ? sortColumns(by, by.sql) : []), sql`id`];
  const cursor = [...(by ? sortColumns(by, sql`${afterKey}::${sql.raw(by.type)}`) : []), sql`${after}::integer`];
  const direction = sql.raw(isReverse ? 'desc' : 'asc');
  const follows = sql.raw(isReverse ? '<' : '>');
  const isAfter = hasCursor ? sql`and (${sql.join(columns)}) ${follows} (${sql.join(cursor)})` : sql``;
  return sql<Row>`
    ${list} ${isAfter}
    order by ${sql.join(columns.map((column) => sql`${column} ${direction}`))}
    limit ${limit}`;
}

function sortColumns({ type, fold }: SortKey<never>, key: RawBuilder<unknown>): RawBuilder<unknown>[] {
  if (type !== 'text') return [key];
  return [...(fold ? [fold(key)] : []), key].map((column) => sql`${column} collate "und-x-icu"`);
}
