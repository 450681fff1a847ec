import { constants, openSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { StartError } from '../../kernel/errors/start-error.ts';
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
    const stats = await stat(path);
    if (stats.isDirectory()) throw new Error('it is a folder');
    if (stats.isFIFO()) return input(openPipe(path), () => '');
    const { size } = stats;
    const stream = (await open(path)).createReadStream();
    return input(stream, () => (size > 0 ? ` (${Math.floor((100 * stream.bytesRead) / size)}%)` : ''));
  } catch (error) {
    throw new StartError(`The file ${path} cannot be read: ${(error as Error).message}`);
  }
}

// A pipe that is read as a file keeps the process from ending until something comes.
function openPipe(path: string): Socket {
  return new Socket({ fd: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK), writable: false });
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
