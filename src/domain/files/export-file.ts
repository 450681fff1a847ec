import { sql } from 'kysely';
import type { Database } from '../tables.ts';
import { type FileFormat, hasCompany, selectLinkedIds } from './file-format.ts';

const batchSize = 5_000;

/** With `company`, exports only its rows, without the column `company_id`. */
export async function* exportFile(db: Database, format: FileFormat, company?: number): AsyncGenerator<string> {
  const columns = Object.keys(format.columns).filter((column) => column !== 'company_id' || company === undefined);
  const selected = columns.map((column) =>
    column === format.links?.column ? selectLinkedIds(format.links) : sql.id(column),
  );
  // JSON keeps the microseconds of times, which a Date lacks.
  await sql`declare exported cursor for select json_build_array(${sql.join(selected)})::text as row
    from ${sql.table(format.table)} as present
    ${company === undefined ? sql`` : sql`where company_id = ${company}`}
    order by ${hasCompany(format) ? sql`company_id, id` : sql`id`}`.execute(db);
  yield formatLine(columns);
  for (;;) {
    const { rows } = await sql<{ row: string }>`fetch ${sql.lit(batchSize)} from exported`.execute(db);
    if (rows.length === 0) return;
    yield rows.map(({ row }) => formatLine(JSON.parse(row))).join('');
  }
}

function formatLine(cells: readonly unknown[]): string {
  const texts = cells.map((cell) => (Array.isArray(cell) ? cell.join(';') : String(cell ?? '')));
  const quoted = texts.map((text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text));
  return `${quoted.join(',')}\n`;
}
