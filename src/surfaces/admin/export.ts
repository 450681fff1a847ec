import { writeFile } from 'node:fs/promises';
import type { Database } from '../../domain/tables.ts';
import { StartError } from '../../kernel/errors/start-error.ts';
import type { Admin } from './admin.ts';
import { csvLine, type Pages } from './output.ts';

/** Writes rows as CSV or, with --json, as a JSON array, to a file or standard output. */
export async function exportRows(
  admin: Admin,
  file: string | undefined,
  columns: string[],
  read: (db: Database) => Pages,
): Promise<void> {
  await admin.withDatabase(async (db) => {
    const lines = linesOf(read(db), columns, admin.isJson);
    if (file !== undefined) return writeLines(file, lines);
    for await (const text of lines) await admin.output.write(text);
  });
}

export async function writeLines(file: string, lines: Iterable<string> | AsyncIterable<string>): Promise<void> {
  try {
    await writeFile(file, lines);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw new StartError(`The file ${file} cannot be written: ${(error as Error).message}`);
  }
}

/** Rows as the text of a file, page by page. */
export async function* linesOf(pages: Pages, columns: string[], isJson: boolean): AsyncGenerator<string> {
  let isFirst = true;
  if (!isJson) yield `${csvLine(columns)}\n`;
  for await (const rows of pages) {
    if (rows.length === 0) continue;
    const lines = isJson ? rows.map((row) => JSON.stringify(row)) : rows.map((row) => csvLine(Object.values(row)));
    yield isJson ? `${isFirst ? '[\n' : ',\n'}${lines.join(',\n')}` : `${lines.join('\n')}\n`;
    isFirst = false;
  }
  if (isJson) yield isFirst ? '[]\n' : '\n]\n';
}
