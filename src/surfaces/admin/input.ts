import { constants, createReadStream, openSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import { addAbortSignal } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { StartError } from '../../kernel/errors/start-error.ts';
import type { Admin } from './admin.ts';

/** Reads a file, or standard input for `-`. */
export async function readInput(path: string, { host, output, signal }: Admin): Promise<Buffer> {
  const { stdin } = host.streams;
  if (path === '-' && stdin.isTTY) output.note('Type the content, then press Ctrl-D.');
  try {
    return await buffer(addAbortSignal(signal, path === '-' ? stdin : await openFile(path)));
  } catch (error) {
    signal.throwIfAborted();
    throw new StartError(`The file ${path} cannot be read: ${(error as Error).message}`);
  }
}

async function openFile(path: string) {
  const stats = await stat(path);
  if (stats.isDirectory()) throw new Error('it is a folder');
  // Read as a file, a pipe would keep the process from ending until something comes.
  if (stats.isFIFO())
    return new Socket({ fd: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK), writable: false });
  return createReadStream(path);
}
