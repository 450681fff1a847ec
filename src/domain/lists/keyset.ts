import { type RawBuilder, sql } from 'kysely';
import type { Page } from './batches.ts';

interface SortKey<Row> {
  sql: RawBuilder<unknown>;
  get(row: Row): string | number;
  type: 'text' | 'integer';
  fold?(key: RawBuilder<unknown>): RawBuilder<unknown>;
}

/** By order name. The order `ID` has no key. */
export type SortKeys<Row> = Readonly<Record<string, SortKey<Row>>>;

interface NamedRow {
  nameEn: string;
  nameAr: string | null;
}

export const nameKeys = {
  NAME_EN: { sql: sql`name_en`, get: ({ nameEn }) => nameEn, type: 'text' },
  NAME_AR: {
    sql: sql`name_ar`,
    get: ({ nameEn, nameAr }) => nameAr ?? nameEn,
    type: 'text',
    fold: (key) => sql`arabic_order(${key})`,
  },
} satisfies SortKeys<NamedRow>;

/** The rows after `afterKey` and the id `after`. */
export interface OrderedPage extends Page {
  order: string;
  isReverse: boolean;
  /** Without a cursor, it is the first page. */
  hasCursor: boolean;
  afterKey?: string | number;
}

/** `list` is a select that ends with its conditions. */
export function buildPage<Row>(
  list: RawBuilder<Row>,
  keys: SortKeys<NoInfer<Row>>,
  { order, isReverse, hasCursor, after, afterKey, limit }: OrderedPage,
): RawBuilder<Row> {
  const sortKey = keys[order];
  const columns = [...(sortKey ? buildSortColumns(sortKey, sortKey.sql) : []), sql`id`];
  const cursor = [
    ...(sortKey ? buildSortColumns(sortKey, sql`${afterKey}::${sql.raw(sortKey.type)}`) : []),
    sql`${after}::integer`,
  ];
  const direction = sql.raw(isReverse ? 'desc' : 'asc');
  const comparison = sql.raw(isReverse ? '<' : '>');
  const afterCursor = hasCursor ? sql`and (${sql.join(columns)}) ${comparison} (${sql.join(cursor)})` : sql``;
  return sql<Row>`
    ${list} ${afterCursor}
    order by ${sql.join(columns.map((column) => sql`${column} ${direction}`))}
    limit ${limit}`;
}

function buildSortColumns({ type, fold }: SortKey<never>, key: RawBuilder<unknown>): RawBuilder<unknown>[] {
  if (type !== 'text') return [key];
  return [...(fold ? [fold(key)] : []), key].map((column) => sql`${column} collate "und-x-icu"`);
}
