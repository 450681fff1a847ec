import { sql } from 'kysely';
import type { Database } from '../tables.ts';
import { type FileKind, isOfCompany, linkedIds } from './file-kind.ts';
import { readJsonRows } from './rows.ts';

/** Rows of a table in the format that its import reads. */
export interface ExportedRows {
  columns: string[];
  /** JSON objects with these columns, by company and id, in batches of a few thousand. */
  batches: AsyncGenerator<string[]>;
}

/** Reads the rows of a table in a transaction: all, or those of `company` without the column `company_id`. */
export function exportFile(transaction: Database, kind: FileKind, company?: number): ExportedRows {
  const { table, links, exported = {} } = kind;
  const isLeftOut = (column: string) =>
    (column === 'company_id' && company !== undefined) || (column in exported && exported[column] === undefined);
  const columns = Object.keys(kind.columns).filter((column) => !isLeftOut(column));
  const selected = columns.map((column) => {
    const value = column === links?.column ? linkedIds(links, sql`source`) : exported[column];
    return sql`${value ?? sql.id(column)} as ${sql.id(column)}`;
  });
  const condition = company === undefined ? sql`` : sql`where company_id = ${company}`;
  const order = isOfCompany(kind) ? sql`company_id, id` : sql`id`;
  const query = sql`select ${sql.join(selected)} from ${sql.table(table)} as source ${condition} order by ${order}`;
  return { columns, batches: readJsonRows(transaction, query) };
}
