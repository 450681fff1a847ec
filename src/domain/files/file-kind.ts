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

/** A kind of file whose records become rows of a table. SQL checks read the records from the temporary table `file`. */
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

/** SQL for the array of the ids that a row links to, ascending. */
export function linkedIds({ table, owner, target }: Links, row: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`array(select ${sql.id(target)} from ${sql.table(table)} as link
    where link.company_id = ${row}.company_id and link.${sql.id(owner)} = ${row}.id order by 1)`;
}
