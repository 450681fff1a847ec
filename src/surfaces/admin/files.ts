import { closeSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { open, writeFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { Mistake } from '../../domain/files/mistakes.ts';
import { OperatorError } from '../../kernel/errors/operator-error.ts';
import { csvRow } from './output.ts';

/**
 * Opens a file, or standard input for `-`. A transaction that the database gave up runs again and opens its input again,
 * so call this inside the transaction. Throws an OperatorError if standard input was read already.
 */
export async function openInput(path: string): Promise<Readable> {
  if (path !== '-') return (await open(path)).createReadStream().on('error', (error) => nameFile(error, path));
  if (process.stdin.readableDidRead) {
    throw new OperatorError(
      'Standard input can be read only once. If the database gave this change up to let another proceed, nothing was ' +
        'changed: run the command again.',
    );
  }
  return process.stdin.on('error', (error) => nameFile(error, 'of standard input'));
}

/** Adds the path to an error of reading or writing, which lacks it unlike one of opening. */
function nameFile(error: Error, path: string): Error {
  return Object.assign(error, { path });
}

/** A file that is written, but not in its place yet. */
export type WrittenFile = Awaited<ReturnType<typeof writeParts>>;

/**
 * Writes a file from parts, so that it survives a crash of the machine. Call `complete` to replace the file, or `discard`.
 * Writes to a device or pipe directly.
 */
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
    await writeFile(name, parts, { mode, flush: isFile });
  } catch (error) {
    discard();
    throw nameFile(error as Error, file);
  }
  return { complete, discard };
}

const mistakeColumns = ['line', 'id', 'column', 'value', 'mistake'] as const;

/** Number of rows of mistakes to write together. */
const mistakesAtOnce = 1_000;

/**
 * Writes the mistakes of `work` as CSV to a file, if it is named; with `file` as first column if there are several. Replaces
 * the file, so that it has those of this run alone. Throws an OperatorError if it is one of the `inputs`.
 */
export async function withMistakesFile<Result>(
  path: string | undefined,
  inputs: readonly string[],
  work: (onMistake?: (mistake: Mistake) => void) => Promise<Result>,
): Promise<Result> {
  if (path === undefined) return work();
  if (inputs.some((input) => input === path || isSameFile(input, path)))
    throw new OperatorError(`--mistakes would replace ${path}, which is imported. Choose another file.`);
  const columns = inputs.length > 1 ? ['file', ...mistakeColumns] : mistakeColumns;
  const file = openSync(path, 'w');
  const rows = [columns.join(',')];
  const flush = () => {
    const lines = rows.splice(0).map((row) => `${row}\n`);
    try {
      writeSync(file, lines.join(''));
    } catch (error) {
      throw nameFile(error as Error, path);
    }
  };
  try {
    return await work(({ kind, message = kind, ...mistake }) => {
      const cells: Record<string, unknown> = { ...mistake, mistake: message };
      rows.push(csvRow(columns.map((column) => cells[column])));
      if (rows.length >= mistakesAtOnce) flush();
    });
  } finally {
    flush();
    closeSync(file);
  }
}

/** Whether two paths lead to one file, also by a link, or in another case where the system ignores it. */
function isSameFile(...paths: [string, string]): boolean {
  const [one, other] = paths.map((path) => statSync(path, { bigint: true, throwIfNoEntry: false }));
  return one !== undefined && one.dev === other?.dev && one.ino === other.ino;
}
