import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { statement } from '../../platform/database/statement.ts';
import type { Database, Tables } from '../tables.ts';
import type { Page } from './batches.ts';

/** The orders of a list: by id, or by a name and then by id. */
export type Order = 'ID' | 'NAME_EN' | 'NAME_AR';

/** A page of a list in an order: the rows after a name (empty in the order of ids) and an id. */
export interface OrderedPage extends Page {
  order: Order;
  afterName: string;
}

// biome-ignore lint/suspicious/noExplicitAny: statements only pass them on
export type Parameters = Record<string, any>;

interface Source<Row> {
  /** The rows of `parameters.companyId` that meet the conditions of these keys. */
  // biome-ignore lint/suspicious/noExplicitAny: each list has a table of its own
  rows: (db: Database, keys: ReadonlySet<string>, parameters: Parameters) => SelectQueryBuilder<Tables, any, Row>;
  /** The name that sorts in Arabic. */
  nameAr: RawBuilder<unknown>;
}

/**
 * The pages and the length of a company's list, filtered by the defined values of a filter. Every order and set of
 * conditions has its own statement, because PostgreSQL plans a statement once.
 */
export function orderedList<Filter extends object, Row extends { id: number }>({ rows, nameAr }: Source<Row>) {
  const names = { NAME_EN: sql`name_en`, NAME_AR: nameAr };
  const statements = new Map<string, (db: Database, parameters: Parameters) => Promise<unknown[]>>();

  function run<Result>(
    db: Database,
    filter: Filter,
    order: Order | 'count',
    parameters: Parameters,
  ): Promise<Result[]> {
    const values: Parameters = { ...filter, ...parameters };
    const keys = Object.keys(filter).filter((key) => values[key] !== undefined);
    const name = [order, ...keys.toSorted()].join(' ');
    const known = statements.get(name);
    const found = known ?? statement((each: Database, all: Parameters) => build(each, new Set(keys), all, order));
    if (known === undefined) statements.set(name, found);
    return found(db, values) as Promise<Result[]>;
  }

  function build(db: Database, keys: ReadonlySet<string>, parameters: Parameters, order: Order | 'count') {
    const all = rows(db, keys, parameters);
    if (order === 'count') return all.clearSelect().select(sql<number>`count(*)::integer`.as('count'));
    const { after, limit } = parameters;
    if (order === 'ID') return all.where('id', '>', after).orderBy('id').limit(limit);
    const name = sql`${names[order]} collate "und-x-icu"`;
    return all
      .where(sql<boolean>`(${name}, id) > (${parameters.afterName}::text, ${after}::integer)`)
      .orderBy(name)
      .orderBy('id')
      .limit(limit);
  }

  return {
    list: (db: Database, companyId: number, filter: Filter, page: OrderedPage): Promise<Row[]> => {
      const { order, after, afterName, limit } = page;
      return run(db, filter, order, { companyId, after, limit, ...(order !== 'ID' && { afterName }) });
    },
    count: async (db: Database, companyId: number, filter: Filter): Promise<number> => {
      const [row] = await run<{ count: number }>(db, filter, 'count', { companyId });
      return row?.count ?? 0;
    },
  };
}

/**
 * Whether a row contains all words, each in one of its names. A word that normalizes to nothing is everywhere. PostgreSQL
 * expects too few matches of the condition alone, and would sort all of them instead of reading rows in order.
 */
export function containsWords({ words }: Parameters): RawBuilder<boolean> {
  return sql<boolean>`case when search_text like all ((
    select array_agg('%' || regexp_replace(search_form(word), '[\\\\%_]', '\\\\\\&', 'g') || '%')
    from unnest(${words}::text[]) as word
  )::text[]) then true else false end`;
}
