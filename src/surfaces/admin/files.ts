import { constants, createReadStream, openSync } from 'node:fs';
import { rename, rm, stat, writeFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { addAbortSignal, type Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Command } from '@commander-js/extra-typings';
import type { Columns, FileRecord } from '../../domain/import/columns.ts';
import { Mistakes } from '../../domain/import/mistakes.ts';
import { readRecords } from '../../domain/import/read-records.ts';
import type { ImportOptions } from '../../domain/import/rows.ts';
import { ensureCompany } from '../../domain/partner/companies/company.queries.ts';
import type { Database } from '../../domain/tables.ts';
import { StartError } from '../../kernel/errors/start-error.ts';
import type { Admin } from './admin.ts';
import { parseDelimiter, parseId } from './options.ts';
import { csvOf, jsonOf, type Pages } from './output.ts';

/** Reads a file, or standard input for `-`. */
export async function readInput(path: string, admin: Admin): Promise<Buffer> {
  return buffer(await openInput(path, admin));
}

/** A file, or standard input for `-`, as a stream that ends with an error when the command is interrupted. */
export async function openInput(path: string, { host, signal, output }: Admin): Promise<Readable> {
  const { stdin } = host.streams;
  if (path === '-' && stdin.isTTY) output.note('Type the content, then press Ctrl-D.');
  return addAbortSignal(signal, path === '-' ? stdin : await openFile(path));
}

async function openFile(path: string): Promise<Readable> {
  const stats = await stat(path);
  if (stats.isDirectory()) throw new StartError(`${path} cannot be read: it is a folder.`);
  // Read as a file, a pipe would keep the process from ending until something comes.
  if (stats.isFIFO())
    return new Socket({ fd: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK), writable: false });
  return createReadStream(path);
}

/** Writes rows as CSV or, with --json, as a JSON array, to a file or standard output. */
export function exportRows(
  admin: Admin,
  file: string | undefined,
  columns: string[],
  read: (db: Database) => Pages,
): Promise<void> {
  return admin.withDatabase(async (db) => {
    const lines = admin.isJson ? jsonOf(read(db)) : csvOf(read(db), columns);
    if (file !== undefined) return writeLines(file, lines);
    for await (const text of lines) await admin.output.write(text);
  });
}

/** Writes a file whole or, after any error, not at all: what was there before stays. */
export async function writeLines(file: string, lines: Iterable<string> | AsyncIterable<string>): Promise<void> {
  // A device or a pipe cannot be replaced.
  const isOther = await stat(file).then(
    (stats) => !stats.isFile(),
    () => false,
  );
  const partial = isOther ? file : `${file}.partial`;
  try {
    await writeFile(partial, lines);
    if (!isOther) await rename(partial, file);
  } catch (error) {
    if (!isOther) await rm(partial, { force: true });
    throw error;
  }
}

/** The arguments of commands that import rows of a company. */
export function withFileOptions(command: Command) {
  return command
    .argument('<file>', 'the file; - reads standard input')
    .requiredOption('--company <id>', 'the company', parseId)
    .option('--dry-run', 'only check the file; write nothing')
    .option('--delimiter <character>', 'column separator; use tab for tabs', parseDelimiter, ',');
}

type ImportWork<C extends Columns> = (
  db: Database,
  records: FileRecord<C>[],
  mistakes: Mistakes,
  options: ImportOptions,
) => Promise<{ text: string; counts: { added: number; changed?: number } }>;

/** Imports rows of a company, all or nothing; reports the counts. */
export async function importRows<C extends Columns>(
  admin: Admin,
  file: string,
  { company, delimiter, dryRun = false }: { company: number; delimiter: string; dryRun?: boolean | undefined },
  columns: C,
  work: ImportWork<C>,
): Promise<void> {
  const content = await readInput(file, admin);
  const onProgress = (state: string) => admin.output.progress(state);
  const options = { companyId: company, isTrial: dryRun, signal: admin.signal, onProgress };
  await admin.change(async (db) => {
    await ensureCompany(db, company);
    const mistakes = new Mistakes();
    const records = readRecords(content, { columns, mistakes, delimiter });
    const { text, counts } = await work(db, records, mistakes, options);
    const heading = dryRun ? 'Nothing was written. It would be:' : 'Imported:';
    const isUnchanged = counts.added + (counts.changed ?? 0) === 0;
    return { text: `${heading} ${text}`, data: { ...counts, dry_run: dryRun }, isTrial: dryRun, isUnchanged };
  });
}
