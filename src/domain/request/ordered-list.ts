import { type RawBuilder, sql } from 'kysely';
import { statement } from '../../platform/database/statement.ts';
import type { Database } from '../tables.ts';
import type { Page } from './batches.ts';
import type { Order } from './order.ts';

/** A page of a list in an order: the rows after a name (empty in the order of ids) and an id. */
export interface OrderedPage extends Page {
  order: Order;
  afterName: string;
}

// biome-ignore lint/suspicious/noExplicitAny: statements only pass them on
export type Parameters = Record<string, any>;

interface Source {
  table: string;
  columns: readonly string[];
  /** The name that sorts in Arabic. */
  nameAr: RawBuilder<unknown>;
  /** The conditions of a filter that has these keys. */
  conditions: (keys: ReadonlySet<string>, parameters: Parameters, order: Order) => RawBuilder<unknown>[];
  /** The keys of conditions that need nothing but an index by name. */
  indexed?: readonly string[];
  /** The ids of a page by id, if there is a faster way to them than the conditions. */
  idsOf?: (keys: ReadonlySet<string>, parameters: Parameters) => RawBuilder<unknown> | undefined;
}

/**
 * The pages and the length of a company's list, filtered by the defined values of a filter. Every order and set of
 * conditions has its own statement, because PostgreSQL plans a statement once.
 */
export function orderedList<Filter extends object, Row extends { id: number }>(source: Source) {
  const table = sql.table(source.table);
  const columns = sql.join(source.columns.map((name) => sql.ref(`${source.table}.${name}`)));
  const names = { NAME_EN: sql`name_en`, NAME_AR: source.nameAr };
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
    const options = { isRead: true };
    const found = known ?? statement((_: Database, each: Parameters) => build(new Set(keys), each, order), options);
    if (known === undefined) statements.set(name, found);
    return found(db, values) as Promise<Result[]>;
  }

  function build(keys: ReadonlySet<string>, parameters: Parameters, order: Order | 'count'): RawBuilder<unknown> {
    const where = (by: Order) =>
      sql.join([sql`company_id = ${parameters.companyId}`, ...source.conditions(keys, parameters, by)], sql` and `);
    if (order === 'count') {
      // In the order of ids, so that PostgreSQL merges indexes. A hash of all rows would not fit into its memory.
      return sql`select count(*)::integer as count
        from (select id from ${table} where ${where('ID')} order by id offset 0) as found`;
    }
    const { after, limit } = parameters;
    // Finds ids in indexes alone, and reads only the rows of the page.
    const rowsOf = (ids: RawBuilder<unknown>, by: RawBuilder<unknown>) => sql`select ${columns}
      from (${ids}) as found join ${table} using (id) where company_id = ${parameters.companyId} order by ${by} limit ${limit}`;
    if (order === 'ID') {
      const page = sql`where ${where(order)} and id > ${after} order by id limit ${limit}`;
      if (keys.size === 0) return sql`select ${columns} from ${table} ${page}`;
      return rowsOf(source.idsOf?.(keys, parameters) ?? sql`select id from ${table} ${page}`, sql`id`);
    }
    const by = sql`${names[order]} collate "und-x-icu", id`;
    const isAfter = sql`(${by}) > (${parameters.afterName}::text, ${after}::integer)`;
    if ([...keys].every((key) => source.indexed?.includes(key))) {
      return rowsOf(
        sql`select id from ${table} where ${where(order)} and ${isAfter} order by ${by} limit ${limit}`,
        by,
      );
    }
    // Reads all rows in the order of the table, because reading them in the order of names takes three times as long.
    return sql`select ${columns} from (
        select ${columns} from ${table} where ${where(order)} offset 0
      ) as ${table} where ${isAfter} order by ${by} limit ${limit}`;
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

/** Whether a row contains all words, each in one of its names. A word that normalizes to nothing is everywhere. */
export function containsWords({ words }: Parameters): RawBuilder<unknown> {
  return sql`search_text like all ((
    select array_agg('%' || regexp_replace(search_form(word), '[\\\\%_]', '\\\\\\&', 'g') || '%')
    from unnest(${words}::text[]) as word
  )::text[])`;
}
