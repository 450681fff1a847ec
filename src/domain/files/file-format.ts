import { type RawBuilder, sql } from 'kysely';
import type { Columns } from './columns.ts';

export interface ImportError {
  line: number;
  column: string | null;
  message: string;
}

interface Links {
  column: string;
  table: string;
  owner: string;
  target: string;
}

export interface FileFormat {
  table: string;
  columns: Columns;
  references?: Record<string, string>;
  links?: Links;
  /** A column that foreign keys include: updating it locks the row. */
  keyColumn?: string;
  isDeletable?: boolean;
  /** Select errors from the temporary table `file`, which has the lines with their numbers. */
  rules?: RawBuilder<ImportError>[];
}

export const hasCompany = ({ columns }: FileFormat): boolean => 'company_id' in columns;

/** SQL for the ids that the row `present` links to, ascending. */
export function selectLinkedIds({ table, owner, target }: Links): RawBuilder<unknown> {
  return sql`array(select ${sql.id(target)} from ${sql.table(table)} as link
    where link.company_id = present.company_id and link.${sql.id(owner)} = present.id order by 1)`;
}
