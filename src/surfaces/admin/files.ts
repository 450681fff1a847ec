import { renameSync, rmSync, statSync } from 'node:fs';
import { open, writeFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { OperatorError } from '../../kernel/errors/operator-error.ts';

/**
 * Opens a file, or standard input for `-`. A transaction that the database gave up runs again and opens its input again,
 * so call this inside the transaction. Throws an OperatorError if standard input was read already.
 */
export async function openInput(path: string): Promise<Readable> {
  if (path !== '-') return (await open(path)).createReadStream();
  if (process.stdin.readableDidRead) {
    throw new OperatorError(
      'Standard input can be read only once. If the database gave this change up to let another proceed, nothing was ' +
        'changed: run the command again.',
    );
  }
  return process.stdin;
}

/** A file that is written, but not in its place yet. */
export type WrittenFile = Awaited<ReturnType<typeof writeParts>>;

/** Writes a file from parts. Call `complete` to replace the file, or `discard`. Writes to a device or pipe directly. */
export async function writeParts(file: string, parts: AsyncIterable<string>, mode = 0o666) {
  const isFile = statSync(file, { throwIfNoEntry: false })?.isFile() ?? true;
  const name = isFile ? `${file}.partial` : file;
  const discard = () => {
    if (isFile) rmSync(name, { force: true });
  };
  const complete = () => {
    if (isFile) renameSync(name, file);
  };
  discard();
  try {
    await writeFile(name, parts, { mode });
  } catch (error) {
    discard();
    throw error;
  }
  return { complete, discard };
}
