import { createReadStream, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

/** Opens a file, or standard input for `-`. */
export function openInput(path: string): Readable {
  return path === '-' ? process.stdin : createReadStream(path);
}

/** Reads a file, or standard input for `-`. */
export function readInput(path: string): Promise<Buffer> {
  return buffer(openInput(path));
}

/** Writes a file whole: until then, what was there before stays. A device or a pipe is not replaced. */
export function writeWhole(file: string, text: string, mode = 0o666): void {
  const isFile = statSync(file, { throwIfNoEntry: false })?.isFile() ?? true;
  const written = isFile ? `${file}.partial` : file;
  if (isFile) rmSync(written, { force: true });
  writeFileSync(written, text, { mode });
  if (isFile) renameSync(written, file);
}
