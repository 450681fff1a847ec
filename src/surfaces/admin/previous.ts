import { existsSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExportedRows } from '../../domain/files/export-file.ts';
import type { ImportOptions } from '../../domain/files/stage-file.ts';
import { OperatorError } from '../../kernel/errors/operator-error.ts';
import { makeFolder } from '../../platform/files.ts';
import type { Admin } from './commands.ts';
import { fileName, renderFile } from './exports.ts';

export function ensureNew(path: string): void {
  if (existsSync(path)) throw new OperatorError(`--previous would replace ${path}, which exists. Choose another path.`);
}

/**
 * Runs an import that saves the rows as they were to a new file, or to a folder if there are several files. Returns its result
 * and the commands that bring the rows back. Removes the files if it fails.
 */
export async function withPrevious<Result>(
  admin: Admin,
  path: string | undefined,
  work: (onPrevious?: ImportOptions['onPrevious']) => Promise<Result>,
): Promise<Result & { back: string[] }> {
  const back: string[] = [];
  if (path === undefined) return { ...(await work()), back };
  try {
    const result = await work(async (files) => {
      if (files.length > 1) makeFolder(path, 0o700);
      for (const rows of files) {
        const file = files.length > 1 ? join(path, fileName(admin, rows.kind)) : path;
        back.push(await save(admin, file, rows));
      }
    });
    return { ...result, back };
  } catch (error) {
    rmSync(path, { recursive: true, force: true });
    throw error;
  }
}

/** Writes a file that survives a crash of the machine, and returns the command that imports it. */
async function save(admin: Admin, path: string, rows: ExportedRows): Promise<string> {
  await writeFile(path, renderFile(admin, rows), { mode: 0o600, flush: true });
  const noun = rows.kind.one.replace(/^an? /, '');
  const quoted = /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
  return `${admin.host.programName} ${noun} import ${quoted} --update`;
}
