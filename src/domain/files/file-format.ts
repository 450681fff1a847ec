import { type RawBuilder, sql } from 'kysely';
import type { Columns } from './columns.ts';

/** An error in a line of a file. */
export interface ImportError {
  line: number;
  column: string | null;
  message: string;
}

/** A column of ids, each of which becomes a row of a table: a link from the row to another one of its company. */
interface Links {
  /** The column of the file. */
  column: string;
  table: string;
  /** The columns of the link table. */
  owner: string;
  target: string;
}

/** A CSV file whose lines are the rows of a table. */
export interface FileFormat {
  table: string;
  /** The columns of the file in the order of exports, named as in the table. */
  columns: Columns;
  /** The tables that columns refer to. */
  references?: Record<string, string>;
  links?: Links;
  /** A column that foreign keys include: to set it locks the row against requests that refer to it. */
  keyColumn?: string;
  /** Whether `--delete-missing` may delete rows. */
  isDeletable?: boolean;
  /** Queries for errors in the lines, which are in the temporary table `file`, with their numbers in the column `line`. */
  rules?: RawBuilder<ImportError>[];
}

export const isOfCompany = ({ columns }: FileFormat): boolean => 'company_id' in columns;

/** SQL for the array of the ids that the row `present` links to, ascending. */
export function linkedIds({ table, owner, target }: Links): RawBuilder<unknown> {
  return sql`array(select ${sql.id(target)} from ${sql.table(table)} as link
    where link.company_id = present.company_id and link.${sql.id(owner)} = present.id order by 1)`;
}
