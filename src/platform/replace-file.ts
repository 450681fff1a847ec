import { rmSync, writeFileSync } from 'node:fs';

/** Writes a file that other users cannot read. A link or a file of its name is removed first, so that neither another file nor an old mode is used. */
export function replaceFile(path: string, text: string): void {
  rmSync(path, { recursive: true, force: true });
  writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
}
