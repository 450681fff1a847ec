import { join } from 'node:path';
import { sql } from 'kysely';
import { type ExportedRows, exportFile } from '../../domain/files/export-file.ts';
import type { FileKind } from '../../domain/files/file-kind.ts';
import type { Database } from '../../domain/tables.ts';
import { makeFolder } from '../../platform/files.ts';
import type { Admin } from './commands.ts';
import { type WrittenFile, writeParts } from './files.ts';
import { countsOf, csvRow } from './output.ts';

/** Writes all rows of each kind to a file of its own, and reports their numbers. */
export async function exportFolder(
  admin: Admin,
  folder: string,
  kinds: readonly FileKind[],
  { ownerOnly, excel }: { ownerOnly: boolean; excel?: boolean | undefined },
): Promise<void> {
  makeFolder(folder, ownerOnly ? 0o700 : undefined);
  const exported: Record<string, number> = {};
  const files: WrittenFile[] = [];
  const written = admin.withDatabase((db) =>
    readTogether(db, async (transaction) => {
      for (const kind of kinds) {
        const path = join(folder, fileName(admin, kind));
        const onProgress = (rows: number) => {
          exported[kind.file] = rows;
          admin.output.progress(`${kind.file}: ${rows} rows`);
        };
        const text = renderFile(admin, exportFile(transaction, kind), { excel, onProgress });
        files.push(await writeParts(path, text, ownerOnly ? 0o600 : undefined));
      }
    }),
  );
  await written.catch((error) => {
    for (const { discard } of files) discard();
    throw error;
  });
  // Replace the files together, so that all are from the same moment.
  for (const { complete } of files) complete();
  admin.report({ text: countsOf(exported), data: { exported } });
}

export function fileName(admin: Admin, { file }: FileKind): string {
  return `${file}.${admin.isJson ? 'ndjson' : 'csv'}`;
}

/** Reads all tables at the same moment, with times in UTC. */
export function readTogether<Result>(db: Database, work: (transaction: Database) => Promise<Result>): Promise<Result> {
  const transaction = db.transaction().setIsolationLevel('repeatable read');
  return transaction.execute(async (own) => {
    await sql`set local timezone to 'UTC'`.execute(own);
    return work(own);
  });
}

interface Format {
  /** Whether to write CSV as Excel opens it. */
  excel?: boolean | undefined;
  onProgress?(rows: number): void;
}

/** The text of a file: JSON lines with --json, otherwise CSV. */
export async function* renderFile(
  admin: Admin,
  { columns, batches }: ExportedRows,
  { excel = false, onProgress = () => {} }: Format = {},
): AsyncGenerator<string> {
  const [start, delimiter, end] = excel ? ['\uFEFF', ';', '\r\n'] : ['', ',', '\n'];
  let rows = 0;
  onProgress(rows);
  if (!admin.isJson) yield `${start}${columns.join(delimiter)}${end}`;
  for await (const batch of batches) {
    const lines = admin.isJson ? batch : batch.map((row) => csvRow(Object.values(JSON.parse(row)), delimiter));
    yield lines.map((line) => `${line}${end}`).join('');
    rows += batch.length;
    onProgress(rows);
  }
}
