import { expressionBuilder, type RawBuilder, type SelectType, sql } from 'kysely';
import { plannedEachTime } from '../../platform/database/prepared-plans.ts';
import { anyOf } from '../../platform/database/queries.ts';
import { retryRead } from '../../platform/database/transaction.ts';
import { id as idColumn, snakeCase } from '../files/columns.ts';
import type { FileKind } from '../files/file-kind.ts';
import type { Database, Tables } from '../tables.ts';
import { type Batch, columnsOf, type Page, rowsById, type TenantKeys, type Times, timesById } from './batches.ts';
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
  select(keys: TenantKeys): RawBuilder<Row>;
  byId: Batch<number, Row | undefined>;
  /** Apart, because few responses show them. */
  times: Batch<number, Times>;
  list(db: Database, companyId: number, values: FilterValues, page: OrderedPage): Promise<Row[]>;
  count(db: Database, companyId: number, values: FilterValues): Promise<number>;
}

/** The statements with more filters than these are thousands, and rarely used: they are planned each time. */
const commonFilters = 2;

/** The reads and the file of a company's list. */
export function companyList<const Table extends keyof Tables, const Column extends keyof Tables[Table] & string>(
  descriptor: Descriptor<Table, Column, RowOf<Table, Column>>,
) {
  type Row = RowOf<Table, Column>;
  const { table } = descriptor;
  const filters: Filters = { search, ...descriptor.filters };
  const orders: Record<string, Order<Row>> = { ...nameOrders, ...descriptor.orders };
  // Plain SQL, because Kysely's methods would build these queries again for each request.
  const from = sql.raw(snakeCase(table));
  const columns = columnsOf(descriptor);
  const where = expressionBuilder<Tables, Table>();

  const select = ({ companyId, keys }: TenantKeys) =>
    sql<Row>`select ${columns} from ${from} where company_id = ${companyId} and id = ${anyOf(keys)}`;

  /** Whether a row is one of the company that meets all conditions. */
  function meets(companyId: number, values: FilterValues): RawBuilder<unknown> {
    const conditions = Object.entries(values).map(
      ([name, value]) => sql` and ${(filters[name] as Filters[string]).condition(where, value as never, companyId)}`,
    );
    const planning = conditions.length > commonFilters ? plannedEachTime : sql``;
    return sql`company_id = ${companyId}${sql.join(conditions, sql``)}${planning}`;
  }

  function page(
    values: FilterValues,
    companyId: number,
    { order, isReverse, hasCursor, after, afterKey, limit }: OrderedPage,
  ) {
    const by = orders[order];
    const direction = sql.raw(isReverse ? 'desc' : 'asc');
    const follows = sql.raw(isReverse ? '<' : '>');
    const keys = [...(by ? sortKeys(by, by.key) : []), sql.ref('id')];
    const cursor = [...(by ? sortKeys(by, sql`${afterKey}::${sql.raw(by.type)}`) : []), sql`${after}::integer`];
    const isAfter = hasCursor ? sql` and (${sql.join(keys)}) ${follows} (${sql.join(cursor)})` : sql``;
    return sql<Row>`
      select ${columns} from ${from} where ${meets(companyId, values)}${isAfter}
      order by ${sql.join(keys.map((key) => sql`${key} ${direction}`))} limit ${limit}`;
  }

  const list: CompanyList<Row> = {
    ...descriptor,
    orders,
    filters,
    select,
    byId: rowsById(async (db: Database, wanted: TenantKeys) => (await select(wanted).execute(db)).rows),
    times: timesById(table),
    async list(db, companyId, values, wanted) {
      return (await retryRead(() => page(values, companyId, wanted).execute(db))).rows;
    },
    async count(db, companyId, values) {
      const query = sql<{ count: number }>`
        select count(*)::integer as count from ${from} where ${meets(companyId, values)}`;
      return (await retryRead(() => query.execute(db))).rows[0]?.count ?? 0;
    },
    file: fileOf(descriptor.file, table),
  };
  return { ...list, columns: descriptor.columns };
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
