import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Level by level, because Node's recursive `mkdir` never ends below a folder such as /proc/1. */
export function makeFolder(folder: string, mode?: number): void {
  if (isFolder(folder)) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder), mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    if (!isFolder(folder)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Removes a link or file of that name first, so that neither its target nor its mode is used. */
export function replaceFile(path: string, text: string): void {
  rmSync(path, { recursive: true, force: true });
  writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
}
