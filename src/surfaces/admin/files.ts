import { createReadStream } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
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

/** Writes a file whole: until then, what was there before stays. */
export async function writeWhole(file: string, text: string): Promise<void> {
  await writeFile(`${file}.partial`, text);
  await rename(`${file}.partial`, file);
}
