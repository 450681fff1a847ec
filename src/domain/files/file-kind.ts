import { type RawBuilder, sql } from 'kysely';
import type { Columns } from './columns.ts';

/** A record of the file that breaks a rule. */
export interface Fault {
  line: number;
  column: string | null;
  message: string;
}

/** Ids in a column of the file that are rows of a table: the links from a record's row to others. */
interface Links {
  /** The column of the file. */
  column: string;
  table: string;
  /** The columns of that table. */
  owner: string;
  target: string;
}

/** A kind of file whose records are rows of a table. Statements about the records select them from the table `file`. */
export interface FileKind {
  /** The table, and its columns that a record writes. */
  table: string;
  written: readonly string[];
  /** One record, with its article. */
  one: string;
  /** Its columns, in the order of an export. Those of the table have the same name. */
  columns: Columns;
  /** What an export has in place of a column of the table; undefined leaves it out. */
  exported?: Record<string, RawBuilder<unknown> | undefined>;
  /** Columns with the id of a row of another table, and what that row is called. */
  references?: Record<string, { table: string; one: string }>;
  links?: Links;
  /** A record as the table has it, or the mistake in it. */
  toRow?(record: Record<string, unknown>): Record<string, unknown> | string;
  /** Further rules. */
  rules?: RawBuilder<Fault>[];
  /** Run before anything is written, and once everything is. */
  beforehand?: RawBuilder<unknown>;
  afterwards?: RawBuilder<unknown>;
}

export const isOfCompany = ({ columns }: FileKind): boolean => 'company_id' in columns;

/** The ids of a row's links, ascending, as an array. */
export function linkedIds({ table, owner, target }: Links, row: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`array(select ${sql.id(target)} from ${sql.table(table)} as link
    where link.company_id = ${row}.company_id and link.${sql.id(owner)} = ${row}.id order by 1)`;
}
