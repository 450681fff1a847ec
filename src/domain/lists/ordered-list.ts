import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { statement } from '../../platform/database/statement.ts';
import type { Database, Tables } from '../tables.ts';
import type { Page } from './batches.ts';
import type { Filters, FilterValues } from './filters.ts';

/** The orders of a list: by id, or by a name and then by id. */
export type Order = 'ID' | 'NAME_EN' | 'NAME_AR';

/** A page of a list in an order: the rows after a name (empty in the order of ids) and an id. */
export interface OrderedPage extends Page {
  order: Order;
  afterName: string;
}

// biome-ignore lint/suspicious/noExplicitAny: statements only pass them on
type Parameters = Record<string, any>;

interface Source<Table extends keyof Tables, Row> {
  /** The rows of a company. */
  rows: (db: Database, companyId: number) => SelectQueryBuilder<Tables, Table, Row>;
  filters: Filters<Table>;
  /** The name that sorts in Arabic. */
  nameAr: RawBuilder<unknown>;
}

/**
 * The pages and the length of a company's list, with the values of its filters. Every order and set of filters has its own
 * statement, because PostgreSQL plans a statement once.
 */
export function orderedList<Table extends keyof Tables, Row extends { id: number }>(source: Source<Table, Row>) {
  const names = { NAME_EN: sql`name_en`, NAME_AR: source.nameAr };
  const statements = new Map<string, (db: Database, parameters: Parameters) => Promise<unknown[]>>();

  function run<Result>(
    db: Database,
    values: FilterValues,
    order: Order | 'count',
    parameters: Parameters,
  ): Promise<Result[]> {
    const set = Object.entries(values).map(([name, value]) => (typeof value === 'boolean' ? `${name}=${value}` : name));
    const name = [order, ...set.toSorted()].join(' ');
    const known = statements.get(name);
    const found = known ?? statement((each: Database, all: Parameters) => build(each, values, all, order));
    if (known === undefined) statements.set(name, found);
    return found(db, { ...values, ...parameters }) as Promise<Result[]>;
  }

  function build(db: Database, values: FilterValues, parameters: Parameters, order: Order | 'count') {
    // biome-ignore lint/suspicious/noExplicitAny: Kysely infers no columns of a table that it does not know
    let all: SelectQueryBuilder<any, any, Row> = source.rows(db, parameters.companyId);
    for (const [name, value] of Object.entries(values)) {
      const given = typeof value === 'boolean' ? value : parameters[name];
      const { condition } = source.filters[name] as Filters[string];
      all = all.where((where) => condition(where, given as never, parameters.companyId));
    }
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
    list: (db: Database, companyId: number, values: FilterValues, page: OrderedPage): Promise<Row[]> => {
      const { order, after, afterName, limit } = page;
      return run(db, values, order, { companyId, after, limit, ...(order !== 'ID' && { afterName }) });
    },
    count: async (db: Database, companyId: number, values: FilterValues): Promise<number> => {
      const [row] = await run<{ count: number }>(db, values, 'count', { companyId });
      return row?.count ?? 0;
    },
  };
}
