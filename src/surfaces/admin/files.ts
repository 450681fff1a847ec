import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { open, writeFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';

/** Opens a file, or standard input for `-`. */
export async function openInput(path: string): Promise<Readable> {
  return path === '-' ? process.stdin : (await open(path)).createReadStream();
}

/** Replaces a file once it is complete. Writes to a device or pipe directly. */
export function writeWhole(file: string, text: string, mode = 0o666): void {
  const { name, complete } = beginFile(file);
  writeFileSync(name, text, { mode });
  complete();
}

/** Writes a file from parts. Call `complete` to replace the file. */
export async function writeParts(file: string, parts: AsyncIterable<string>, mode = 0o666) {
  const { name, complete } = beginFile(file);
  await writeFile(name, parts, { mode });
  return { complete };
}

function beginFile(file: string) {
  const isFile = statSync(file, { throwIfNoEntry: false })?.isFile() ?? true;
  if (!isFile) return { name: file, complete: () => {} };
  const name = `${file}.partial`;
  rmSync(name, { force: true });
  return { name, complete: () => renameSync(name, file) };
}
