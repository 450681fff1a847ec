import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder, and those above it, unless it exists. Level by level, because Node's recursive `mkdir` never ends if
 * a folder that exists accepts no new ones and says ENOENT, as /proc/1 does. Throws the error of the first that fails.
 */
export function makeFolder(folder: string, mode?: number): void {
  if (isFolder(folder)) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder), mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Another process may have created it meanwhile.
    if (!isFolder(folder)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Writes a file that other users cannot read. A link or a file of its name is removed first, so that neither another file nor an old mode is used. */
export function replaceFile(path: string, text: string): void {
  rmSync(path, { recursive: true, force: true });
  writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
}
