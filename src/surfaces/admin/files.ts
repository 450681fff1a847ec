import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
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

/** Replaces a file once it is complete. Writes to a device or pipe directly. */
export function writeWhole(file: string, text: string, mode = 0o666): void {
  const { name, complete, discard } = beginFile(file);
  try {
    writeFileSync(name, text, { mode });
    complete();
  } catch (error) {
    discard();
    throw error;
  }
}

/** A file that is written, but not in its place yet. */
export type WrittenFile = Pick<ReturnType<typeof beginFile>, 'complete' | 'discard'>;

/** Writes a file from parts. Call `complete` to replace the file, or `discard`. */
export async function writeParts(file: string, parts: AsyncIterable<string>, mode = 0o666): Promise<WrittenFile> {
  const { name, complete, discard } = beginFile(file);
  try {
    await writeFile(name, parts, { mode });
  } catch (error) {
    discard();
    throw error;
  }
  return { complete, discard };
}

function beginFile(file: string) {
  const isFile = statSync(file, { throwIfNoEntry: false })?.isFile() ?? true;
  if (!isFile) return { name: file, complete: () => {}, discard: () => {} };
  const name = `${file}.partial`;
  const discard = () => rmSync(name, { force: true });
  discard();
  return { name, complete: () => renameSync(name, file), discard };
}
