import { type RawBuilder, type SelectQueryBuilder, type SelectType, sql } from 'kysely';
import { anyOf, statement } from '../../platform/database/statement.ts';
import { id as idColumn, snakeCase } from '../files/columns.ts';
import type { FileKind } from '../files/file-kind.ts';
import type { Database, Tables } from '../tables.ts';
import { type Batch, type Page, rowsById, type TenantKeys, type Times, timesById } from './batches.ts';
import { type Filters, type FilterValues, search } from './filters.ts';

/** An order of a list: by a key of its rows, and then by id. */
export interface Order<Row> {
  /** The description of its value in GraphQL. */
  description: string;
  /** The key in SQL, and that of a row, which cursors have. */
  key: RawBuilder<unknown>;
  keyOf(row: Row): string | number;
  /** Texts sort in the order of both alphabets. */
  type: 'text' | 'integer';
  /** Folds a text in SQL: texts sort by this first, and then by the key itself, which cursors have. */
  fold?(key: RawBuilder<unknown>): RawBuilder<unknown>;
  /** Whether no index has this order, so that a page reads all rows of the company. */
  isScan?: true;
}

/** The orders by names, which every list has. */
export const nameOrders = {
  NAME_EN: { description: 'By English name.', key: sql`name_en`, keyOf: ({ nameEn }) => nameEn, type: 'text' },
  NAME_AR: {
    description: 'By Arabic name: spellings of one name together, and Arabic before Latin.',
    key: sql`name_ar`,
    keyOf: ({ nameEn, nameAr }) => nameAr ?? nameEn,
    type: 'text',
    fold: (key) => sql`arabic_order(${key})`,
  },
} satisfies Record<string, Order<NamedRow>>;

/** A page of a list in an order, or in its reverse: the rows after a key (none in the order of ids) and an id. */
export interface OrderedPage extends Page {
  /** `ID`, or the name of an order of the list. */
  order: string;
  isReverse: boolean;
  /** Whether it has a cursor. Without one, it is the first page, and `after` is 0. */
  hasCursor: boolean;
  afterKey?: string | number;
}

/** A list of a company's entries: its table, columns and filters, from which everything else follows. */
interface Descriptor<Table extends keyof Tables, Column, Row> {
  table: Table;
  /** The nouns for its entries, in texts and cursors. */
  one: string;
  many: string;
  /** The description of the list in GraphQL, in whose schema it has the name of its table. */
  description: string;
  /** The columns that every read of its rows selects. */
  columns: readonly Column[];
  /** Its filters besides `search`. */
  filters?: Filters<Table>;
  /** Its orders besides those by id and names, or in place of those by names. */
  orders?: Record<string, Order<Row>>;
  /** Its file for the operator, besides the company of each row. */
  file: ListFile;
}

type ListFile = Omit<FileKind, 'table'>;

export interface NamedRow {
  id: number;
  nameEn: string;
  nameAr: string | null;
}

type RowOf<Table extends keyof Tables, Column extends keyof Tables[Table]> = NamedRow & {
  [Name in Column]: SelectType<Tables[Table][Name]>;
};

/** A descriptor, and what follows from it. */
// biome-ignore lint/suspicious/noExplicitAny: each list has rows of its own
export interface CompanyList<Row extends NamedRow = any> extends Descriptor<keyof Tables, string, Row> {
  orders: Record<string, Order<Row>>;
  filters: Filters;
  file: FileKind;
  select: ReturnType<typeof statement<Tables, TenantKeys, Row>>;
  byId: Batch<number, Row | undefined>;
  /** Apart, because few responses show them. */
  times: Batch<number, Times>;
  list(db: Database, companyId: number, values: FilterValues, page: OrderedPage): Promise<Row[]>;
  count(db: Database, companyId: number, values: FilterValues): Promise<number>;
}

// biome-ignore lint/suspicious/noExplicitAny: statements only pass them on
type Parameters = Record<string, any>;

/** The statements with more filters than these are thousands, and rarely used: they are built and planned each time. */
const commonFilters = 2;

/**
 * The reads and the file of a company's list. Every order, with a cursor or without, and set of filters has its own
 * statement, because PostgreSQL plans a statement once.
 */
export function companyList<const Table extends keyof Tables, const Column extends keyof Tables[Table] & string>(
  descriptor: Descriptor<Table, Column, RowOf<Table, Column>>,
) {
  type Row = RowOf<Table, Column>;
  const { table, columns } = descriptor;
  const filters: Filters = { search, ...descriptor.filters };
  const orders: Record<string, Order<Row>> = { ...nameOrders, ...descriptor.orders };
  const needsValue = (name: string) => filters[name]?.needsValue === true;
  const statements = new Map<string, (db: Database, parameters: Parameters) => Promise<unknown[]>>();

  /** The rows of a company. */
  const rows = (db: Database, companyId: number) =>
    // biome-ignore lint/suspicious/noExplicitAny: Kysely infers no columns of a table that it does not know
    db.selectFrom<any>(table).select(columns).where('companyId', '=', companyId) as SelectQueryBuilder<any, any, Row>;

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
    let all = rows(db, parameters.companyId);
    for (const [name, value] of Object.entries(values)) {
      const given = typeof value === 'boolean' || needsValue(name) ? value : parameters[name];
      const { condition } = filters[name] as Filters[string];
      all = all.where((where) => condition(where, given as never, parameters.companyId));
    }
    if (page === undefined) return all.clearSelect().select(sql<number>`count(*)::integer`.as('count'));
    const { order, isReverse, hasCursor } = page;
    const direction = isReverse ? 'desc' : 'asc';
    const follows = sql.raw(isReverse ? '<' : '>');
    const by = orders[order];
    if (by === undefined) {
      return all
        .$if(hasCursor, (each) => each.where(sql<boolean>`id ${follows} ${parameters.after}::integer`))
        .orderBy('id', direction)
        .limit(parameters.limit);
    }
    const keys = [...sortKeys(by, by.key), sql.ref('id')];
    if (hasCursor) {
      const { afterKey, after } = parameters;
      const afterKeys = [...sortKeys(by, sql`${afterKey}::${sql.raw(by.type)}`), sql`${after}::integer`];
      all = all.where(sql<boolean>`(${sql.join(keys)}) ${follows} (${sql.join(afterKeys)})`);
    }
    for (const key of keys) all = all.orderBy(key, direction);
    return all.limit(parameters.limit);
  }

  const select: CompanyList<Row>['select'] = statement<Tables, TenantKeys, Row>((db, { companyId, keys }) =>
    rows(db, companyId).where('id', '=', anyOf(keys)),
  );

  const list: CompanyList<Row> = {
    ...descriptor,
    orders,
    filters,
    select,
    byId: rowsById(select),
    times: timesById(table),
    list(db, companyId, values, page) {
      const { after, afterKey, limit } = page;
      return run(db, values, page, { companyId, after, afterKey, limit });
    },
    async count(db, companyId, values) {
      const [row] = await run<{ count: number }>(db, values, undefined, { companyId });
      return row?.count ?? 0;
    },
    file: fileOf(descriptor.file, table),
  };
  return { ...list, columns };
}

/** What rows sort by before their id: a key of an order in SQL, after its folded form. */
function sortKeys({ type, fold }: Order<never>, key: RawBuilder<unknown>): RawBuilder<unknown>[] {
  if (type !== 'text') return [key];
  return [...(fold ? [fold(key)] : []), key].map((each) => sql`${each} collate "und-x-icu"`);
}

/** The file of a list, which also has the company of each row. */
function fileOf(file: ListFile, table: string): FileKind {
  const { id = idColumn, ...columns } = file.columns;
  return {
    ...file,
    table: snakeCase(table),
    columns: { id, company_id: idColumn, ...columns },
    references: { company_id: 'companies', ...file.references },
  };
}
