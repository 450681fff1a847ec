import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartError } from '../../kernel/errors/start-error.ts';

/** How long to wait for the lock, in ms: a process that has just taken it has then written its pid. */
const patience = 200;

/**
 * Takes the exclusive lock of a folder: SQLite's of an empty database, which the operating system releases however the process
 * ends. A file `lock` has the pid of the holder. Returns the release; throws a StartError that names the holder.
 */
export function lockFolder(folder: string): () => void {
  const pidFile = join(folder, 'lock');
  const database = new DatabaseSync(join(folder, 'lock.sqlite'), { timeout: patience });
  try {
    database.exec('begin exclusive');
  } catch (error) {
    database.close();
    const holder = existsSync(pidFile) ? `process ${readFileSync(pidFile, 'utf8').trim()}` : 'another process';
    throw new StartError(
      `The data folder ${folder} is in use by ${holder} (${(error as Error).message}). ` +
        'It serves one process at a time: stop that one, or set DATA_DIR to another folder.',
    );
  }
  writeFileSync(pidFile, `${process.pid}\n`, { mode: 0o600 });
  return () => {
    rmSync(pidFile, { force: true });
    database.close();
  };
}
