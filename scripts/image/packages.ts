import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Throws when a folder has other packages than those that its lock file says production needs. */
export async function checkPackages(folder: string): Promise<void> {
  const lock = JSON.parse(await readFile(new URL('../../package-lock.json', import.meta.url), 'utf8'));
  const wanted = Object.entries<{ dev?: boolean; optional?: boolean }>(lock.packages)
    .filter(([path, { dev, optional }]) => path !== '' && !dev && !optional)
    .map(([path]) => path)
    .toSorted();
  const installed = JSON.parse(await readFile(join(folder, 'node_modules/.package-lock.json'), 'utf8'));
  const found = Object.keys(installed.packages).toSorted();
  if (found.join() !== wanted.join()) throw new Error(`production needs ${wanted}, and there are ${found}`);
}

/** The size of a folder's files, in MiB. */
export async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size;
  }
  return Math.ceil(bytes / 1024 / 1024);
}
