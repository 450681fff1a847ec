import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ExportedRows } from '../../domain/files/export-file.ts';
import type { FileKind } from '../../domain/files/file-kind.ts';
import type { ImportOptions } from '../../domain/files/stage-file.ts';
import { OperatorError } from '../../kernel/errors/operator-error.ts';
import { makeFolder } from '../../platform/files.ts';
import type { Admin } from './commands.ts';
import { fileName, renderFile } from './exports.ts';
import { writeParts } from './files.ts';

export function ensureNew(path: string): void {
  if (existsSync(path)) throw new OperatorError(`--previous would replace ${path}, which exists. Choose another path.`);
}

const undoing =
  'The following brings them back, except that added rows stay, retired items get another createdAt and tags another ' +
  'version, and what changed since is lost:';

interface Previous {
  path: string | undefined;
  /** Whether the path becomes a folder even for one file. */
  isFolder?: boolean;
  /** The command that imports a file, or the folder. */
  importOf(path: string, kind: FileKind): string;
}

/**
 * Runs an import that saves the rows as they were to a new file, or to a folder if there are several files. Returns its
 * result, the commands that bring the rows back, and lines that say so. Leaves no file if it fails or there are no such rows.
 */
export async function withPrevious<Result>(
  admin: Admin,
  { path, isFolder = false, importOf }: Previous,
  work: (onPrevious?: ImportOptions['onPrevious']) => Promise<Result>,
) {
  const undo = new Set<string>();
  if (path === undefined) return { ...(await work()), undo, undoLines: [] };
  let undoLines: string[] = [];
  const save = async (files: ExportedRows[]) => {
    const inFolder = isFolder || files.length > 1;
    if (inFolder) makeFolder(path, 0o700);
    for (const rows of files) {
      const file = inFolder ? join(path, fileName(admin, rows.kind)) : path;
      if (!(await saveRows(admin, file, rows))) continue;
      const imported = isFolder ? path : file;
      const quoted = /^[\w./-]+$/.test(imported) ? imported : `'${imported.replaceAll("'", "'\\''")}'`;
      undo.add(`${admin.host.programName} ${importOf(quoted, rows.kind)}`);
    }
    undoLines = [`${path} has the rows as they were. ${undoing}`, ...undo];
    if (undo.size > 0) return;
    rmSync(path, { recursive: true, force: true });
    undoLines = [`${path} is not written: no row was changed or removed.`];
  };
  try {
    const result = await work(save);
    return { ...result, undo, undoLines };
  } catch (error) {
    rmSync(path, { recursive: true, force: true });
    throw error;
  }
}

/** Writes a file unless there are no rows. Returns whether there are any. */
async function saveRows(admin: Admin, path: string, rows: ExportedRows): Promise<boolean> {
  let count = 0;
  const onProgress = (saved: number) => {
    count = saved;
  };
  const text = renderFile(admin, rows, { onProgress });
  const { complete, discard } = await writeParts(path, text, 0o600);
  if (count > 0) complete();
  else discard();
  return count > 0;
}
