import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The size of a folder's files, in MiB. */
export async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size;
  }
  return Math.ceil(bytes / 1024 / 1024);
}
