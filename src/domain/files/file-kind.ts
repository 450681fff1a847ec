import { type RawBuilder, sql } from 'kysely';
import type { Columns } from './columns.ts';

/** A record of the file that breaks a rule; `kind` is a sentence without ids, `message` is about this record. */
export interface Fault {
  line: number;
  column: string | null;
  kind: string;
  message: string;
}

/** A column of ids, each of which becomes a row of a table: a link from the record's row to another row. */
interface Links {
  /** The column of the file. */
  column: string;
  table: string;
  /** The columns of the link table. */
  owner: string;
  target: string;
}

/**
 * A kind of file whose records become rows of a table. SQL checks read the records from the temporary table `file`, which has
 * the columns of the table, `line`, `absent`, the names of the columns that the record lacks, and `is_valid`, whether all cells are.
 */
export interface FileKind {
  /** The name of the file without its extension. */
  file: string;
  table: string;
  /** The noun for a record with its article, such as `a branch`. */
  one: string;
  /** The columns of the file in export order. Columns of the table have the same names. */
  columns: Columns;
  /** The columns of the table to write; by default, those of the file except for links. */
  written?: readonly string[];
  /** SQL to export in place of a column; undefined leaves the column out. */
  exported?: Record<string, RawBuilder<unknown> | undefined>;
  /** A unique column besides `id` that the import checks. */
  unique?: string;
  /** A column that foreign keys include: to set it locks the row against requests that refer to it. */
  keyColumn?: string;
  /** Columns with ids of another table, and the noun for its rows. */
  references?: Record<string, { table: string; one: string }>;
  /** Columns of other tables that keep a row from being retired, and the key of those tables. */
  referencedBy?: [table: string, column: string, key: string][];
  links?: Links;
  /** Whether the file has tokens, so that no report shows its cells. */
  isSecret?: boolean;
  /** Converts a record to a row of the table, or returns an error message. */
  toRow?(record: Record<string, unknown>): Record<string, unknown> | string;
  /** Queries for the records that break a rule: line, column, kind and message. */
  rules?: RawBuilder<Fault>[];
}

export const isOfCompany = ({ columns }: FileKind): boolean => 'company_id' in columns;

export const keyOf = (kind: FileKind): string[] => (isOfCompany(kind) ? ['company_id', 'id'] : ['id']);

/** The columns of the table to write besides its key. */
export function valuesOf({ columns, links, written = Object.keys(columns) }: FileKind): string[] {
  return written.filter((column) => !['company_id', 'id', links?.column].includes(column));
}

/** SQL for a list of columns, of the table or file that is named. */
export function columnList(columns: readonly string[], of?: 'present' | 'file'): RawBuilder<unknown> {
  return sql.join(columns.map((column) => sql.ref(of === undefined ? column : `${of}.${column}`)));
}

/** SQL for whether the row `present` has the key of a record. */
export function isSameRow(kind: FileKind): RawBuilder<boolean> {
  return sql`(${columnList(keyOf(kind), 'present')}) = (${columnList(keyOf(kind), 'file')})`;
}

/** SQL for whether the row `present` has other values than a record in these columns. */
export function differs(columns: readonly string[]): RawBuilder<boolean> {
  return sql`(${columnList(columns, 'present')}) is distinct from (${columnList(columns, 'file')})`;
}

/** SQL for whether the row `present` has other values or links than a record. */
export function isChanged(kind: FileKind): RawBuilder<boolean> {
  const { links } = kind;
  if (links === undefined) return differs(valuesOf(kind));
  const listed = sql`array(select unnest(${sql.ref(`file.${links.column}`)}) order by 1)`;
  return sql`(${differs(valuesOf(kind))} or ${linkedIds(links, sql`present`)} <> ${listed})`;
}

/** SQL for the array of the ids that a row links to, ascending. */
export function linkedIds({ table, owner, target }: Links, row: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`array(select ${sql.id(target)} from ${sql.table(table)} as link
    where link.company_id = ${row}.company_id and link.${sql.id(owner)} = ${row}.id order by 1)`;
}
