import { createReadStream } from 'node:fs';
import { rename, stat, writeFile } from 'node:fs/promises';
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
export async function writeWhole(file: string, text: string): Promise<void> {
  const isFile = await stat(file).then(
    (stats) => stats.isFile(),
    () => true,
  );
  const written = isFile ? `${file}.partial` : file;
  await writeFile(written, text);
  if (isFile) await rename(written, file);
}
