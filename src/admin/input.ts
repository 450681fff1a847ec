import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { StartError } from '../errors/start-error.ts';
import type { Terminal } from './terminal.ts';

interface Input extends AsyncDisposable {
  stream: Readable;
  /** How much of it was read, as ` (40%)`; empty where its size is not known. */
  share(): string;
}

/** Opens a file to read, or standard input for `-`. */
export async function openInput(path: string, terminal: Terminal): Promise<Input> {
  if (path === '-') {
    if (terminal.input.isTTY) terminal.note('Reading what you type; Ctrl-D ends it.');
    return input(terminal.input, () => '');
  }
  try {
    const file = await open(path);
    const stats = await file.stat();
    if (stats.isDirectory()) throw new Error('it is a folder');
    const { size } = stats;
    const stream = file.createReadStream();
    return input(stream, () => (size > 0 ? ` (${Math.floor((100 * stream.bytesRead) / size)}%)` : ''));
  } catch (error) {
    throw new StartError(`The file ${path} cannot be read: ${(error as Error).message}`);
  }
}

function input(stream: Readable, share: () => string): Input {
  return {
    stream,
    share,
    async [Symbol.asyncDispose]() {
      stream.destroy();
    },
  };
}
