import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../tables.ts';
import { type FileKind, isOfCompany, linkedIds } from './file-kind.ts';
import { readJsonRows } from './rows.ts';

/** Rows of a table in the format that its import reads. */
export interface ExportedRows {
  kind: FileKind;
  columns: string[];
  /** JSON objects with these columns, by company and id, in batches of a few thousand. */
  batches: AsyncGenerator<string[]>;
}

/**
 * Reads the rows of a table in a transaction: all, those that meet a condition, which names them `present`, or those of
 * `company` without the column `company_id`.
 */
export function exportFile(
  transaction: Database,
  kind: FileKind,
  { company, condition = sql`true` }: { company?: number | undefined; condition?: RawBuilder<unknown> } = {},
): ExportedRows {
  const { table, links, exported = {} } = kind;
  const isLeftOut = (column: string) =>
    (column === 'company_id' && company !== undefined) || (column in exported && exported[column] === undefined);
  const columns = Object.keys(kind.columns).filter((column) => !isLeftOut(column));
  const selected = columns.map((column) => {
    const value = column === links?.column ? linkedIds(links, sql`present`) : exported[column];
    return sql`${value ?? sql.id(column)} as ${sql.id(column)}`;
  });
  const where = company === undefined ? condition : sql`company_id = ${company}`;
  const order = isOfCompany(kind) ? sql`company_id, id` : sql`id`;
  const query = sql`select ${sql.join(selected)} from ${sql.table(table)} as present where ${where} order by ${order}`;
  return { kind, columns, batches: readJsonRows(transaction, query) };
}
