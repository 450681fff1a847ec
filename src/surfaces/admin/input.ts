import { constants, createReadStream, openSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import { addAbortSignal, type Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { StartError } from '../../kernel/errors/start-error.ts';
import type { Admin } from './admin.ts';

/** Reads a file, or standard input for `-`. */
export async function readInput(path: string, admin: Admin): Promise<Buffer> {
  const input = await openInput(path, admin);
  try {
    return await buffer(input);
  } catch (error) {
    throw unreadable(path, error, admin);
  }
}

/** A file, or standard input for `-`, as a stream that ends with an error when the command is interrupted. */
export async function openInput(path: string, admin: Admin): Promise<Readable> {
  const { stdin } = admin.host.streams;
  if (path === '-' && stdin.isTTY) admin.output.note('Type the content, then press Ctrl-D.');
  try {
    return addAbortSignal(admin.signal, path === '-' ? stdin : await openFile(path));
  } catch (error) {
    throw unreadable(path, error, admin);
  }
}

/** What to throw when a file cannot be read. */
export function unreadable(path: string, error: unknown, { signal }: Admin): unknown {
  if (signal.aborted) return signal.reason;
  return new StartError(`The file ${path} cannot be read: ${(error as Error).message}`);
}

async function openFile(path: string) {
  const stats = await stat(path);
  if (stats.isDirectory()) throw new Error('it is a folder');
  // Read as a file, a pipe would keep the process from ending until something comes.
  if (stats.isFIFO())
    return new Socket({ fd: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK), writable: false });
  return createReadStream(path);
}
