import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { statement } from '../../platform/database/statement.ts';
import type { Database, Tables } from '../tables.ts';
import type { Page } from './batches.ts';
import type { Filters, FilterValues } from './filters.ts';

/** The orders of a list: by id, or by a key of its rows and then by id. */
export type Order = 'ID' | 'NAME_EN' | 'NAME_AR' | 'ITEM_COUNT';

/** A page of a list in an order, or in its reverse: the rows after a key (none in the order of ids) and an id. */
export interface OrderedPage extends Page {
  order: Order;
  isReverse: boolean;
  /** Whether it has a cursor. Without one, it is the first page, and `after` is 0. */
  hasCursor: boolean;
  afterKey?: string | number;
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

/** The statements with more filters than these are thousands, and rarely used: they are built and planned each time. */
const commonFilters = 2;

/** The type of the key of each order. */
const keyTypes = { NAME_EN: sql`text`, NAME_AR: sql`text`, ITEM_COUNT: sql`integer` };

/**
 * The pages and the length of a company's list, with the values of its filters. Every order, with a cursor or without, and set
 * of filters has its own statement, because PostgreSQL plans a statement once.
 */
export function orderedList<Table extends keyof Tables, Row extends { id: number }>(source: Source<Table, Row>) {
  const keys = {
    NAME_EN: sql`name_en collate "und-x-icu"`,
    NAME_AR: sql`${source.nameAr} collate "und-x-icu"`,
    ITEM_COUNT: sql`item_count`,
  };
  const needsValue = (name: string) => source.filters[name]?.needsValue === true;
  const statements = new Map<string, (db: Database, parameters: Parameters) => Promise<unknown[]>>();

  function run<Result>(
    db: Database,
    values: FilterValues,
    page: OrderedPage | undefined,
    parameters: Parameters,
  ): Promise<Result[]> {
    const kind = page ? [page.order, page.isReverse, page.hasCursor] : ['count'];
    const set = Object.entries(values).map(([name, value]) => (typeof value === 'boolean' ? `${name}=${value}` : name));
    const name = [...kind, ...set.toSorted()].join(' ');
    const known = statements.get(name);
    // The name has what the text of a statement depends on; a filter that needs its value in the text is not stored.
    const isPrepared = set.length <= commonFilters && !Object.keys(values).some(needsValue);
    // Most lists with filters are scans: those of a partner run one after the other, and have nobody to share with.
    const options = { isPrepared, isShared: set.length === 0 };
    const found = known ?? statement((each: Database, all: Parameters) => build(each, values, all, page), options);
    if (known === undefined && isPrepared) statements.set(name, found);
    return found(db, { ...values, ...parameters }) as Promise<Result[]>;
  }

  function build(db: Database, values: FilterValues, parameters: Parameters, page: OrderedPage | undefined) {
    // biome-ignore lint/suspicious/noExplicitAny: Kysely infers no columns of a table that it does not know
    let all: SelectQueryBuilder<any, any, Row> = source.rows(db, parameters.companyId);
    for (const [name, value] of Object.entries(values)) {
      const given = typeof value === 'boolean' || needsValue(name) ? value : parameters[name];
      const { condition } = source.filters[name] as Filters[string];
      all = all.where((where) => condition(where, given as never, parameters.companyId));
    }
    if (page === undefined) return all.clearSelect().select(sql<number>`count(*)::integer`.as('count'));
    const { order, isReverse, hasCursor } = page;
    const direction = isReverse ? 'desc' : 'asc';
    const follows = sql.raw(isReverse ? '<' : '>');
    if (order === 'ID') {
      return all
        .$if(hasCursor, (rows) => rows.where(sql<boolean>`id ${follows} ${parameters.after}::integer`))
        .orderBy('id', direction)
        .limit(parameters.limit);
    }
    const key = keys[order];
    return all
      .$if(hasCursor, (rows) =>
        rows.where(
          sql<boolean>`(${key}, id) ${follows} (${parameters.afterKey}::${keyTypes[order]}, ${parameters.after}::integer)`,
        ),
      )
      .orderBy(key, direction)
      .orderBy('id', direction)
      .limit(parameters.limit);
  }

  return {
    list: (db: Database, companyId: number, values: FilterValues, page: OrderedPage): Promise<Row[]> => {
      const { after, afterKey, limit } = page;
      return run(db, values, page, { companyId, after, afterKey, limit });
    },
    count: async (db: Database, companyId: number, values: FilterValues): Promise<number> => {
      const [row] = await run<{ count: number }>(db, values, undefined, { companyId });
      return row?.count ?? 0;
    },
  };
}
