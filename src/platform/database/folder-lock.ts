import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { getSystemErrorMessage } from 'node:util';
import { OperatorError } from '../../kernel/errors/operator-error.ts';
import { makeFolder, replaceFile } from '../files.ts';

/** How long to wait for the lock, in ms: enough for its holder to have written the pid file, on a busy machine too. */
const lockTimeout = 1_000;

/** SQLite's error code when another process has the lock. */
const sqliteBusy = 5;

/**
 * Creates a folder if it is missing, and locks it with SQLite's exclusive lock on an empty database, which the operating
 * system releases however the process ends. The file `lock` has the holder's pid. Returns the release function. Throws a
 * OperatorError that names the holder, or says why the folder cannot be used.
 */
export function lockFolder(folder: string): () => void {
  const pidFile = join(folder, 'lock');
  let database: DatabaseSync | undefined;
  try {
    makeFolder(folder, 0o700);
    database = new DatabaseSync(join(folder, 'lock.sqlite'), { timeout: lockTimeout });
    database.exec('begin exclusive');
    replaceFile(pidFile, `${process.pid}\n`);
  } catch (error) {
    database?.close();
    const { message, errcode, errno } = error as NodeJS.ErrnoException & { errcode?: number };
    if (errcode !== sqliteBusy) {
      throw new OperatorError(
        `The data folder ${folder} cannot be used: ${errno === undefined ? message : getSystemErrorMessage(errno)}. ` +
          'Set DATA_DIR to a folder that the service can write to.',
      );
    }
    const owner = existsSync(pidFile) ? `process ${readFileSync(pidFile, 'utf8').trim()}` : 'another process';
    throw new OperatorError(
      `The data folder ${folder} is in use by ${owner} (${message}). ` +
        'It serves one process at a time: stop that one, or set DATA_DIR to another folder.',
    );
  }
  return () => {
    rmSync(pidFile, { force: true });
    database?.close();
  };
}
