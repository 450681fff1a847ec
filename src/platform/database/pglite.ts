import { existsSync, readFileSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { getSystemErrorMessage } from 'node:util';
import { PGlite } from '@electric-sql/pglite';
import { type DatabaseConnection, PGliteDialect } from 'kysely';
import { OperatorError } from '../../kernel/errors/operator-error.ts';
import { makeFolder, replaceFile } from '../files.ts';
import type { OnStatement } from './client.ts';

/** Locks `dataDir`, because PGlite does not. Throws an OperatorError if the folder is in use or cannot be used. */
export async function openPGlite(dataDir: string, onStatement: OnStatement) {
  const unlock = lockFolder(dataDir);
  try {
    const pglite = await openCluster(join(dataDir, 'pglite'));
    return {
      dialect: new PGliteDialect({
        pglite,
        onCreateConnection: (connection) => reportStatements(connection, onStatement),
      }),
      close: () => pglite.close().finally(unlock),
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

async function reportStatements(connection: DatabaseConnection, onStatement: OnStatement): Promise<void> {
  const execute = connection.executeQuery.bind(connection);
  connection.executeQuery = async (query) => {
    const start = performance.now();
    let failure: unknown;
    try {
      return (await execute(query)) as never;
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      onStatement({ sql: query.sql, duration: performance.now() - start, error: failure });
    }
  };
}

// PGlite cannot open a folder that it did not finish creating, which the marker shows. No data was written to it.
async function openCluster(folder: string): Promise<PGlite> {
  const marker = `${folder}.unfinished`;
  if (existsSync(folder) && !existsSync(marker)) return PGlite.create(folder);
  await rm(folder, { recursive: true, force: true });
  replaceFile(marker, '');
  const pglite = await PGlite.create(folder);
  await rm(marker);
  return pglite;
}

/** Long enough for the process with the lock to have written the pid file. */
const lockTimeoutMs = 1_000;

const sqliteBusy = 5;

/** Locks an empty SQLite database, whose lock the operating system releases however the process ends. Returns the release function. */
function lockFolder(folder: string): () => void {
  const pidFile = join(folder, 'lock');
  let database: DatabaseSync | undefined;
  try {
    makeFolder(folder, 0o700);
    database = new DatabaseSync(join(folder, 'lock.sqlite'), { timeout: lockTimeoutMs });
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
        'Stop that process, or set DATA_DIR to another folder.',
    );
  }
  return () => {
    rmSync(pidFile, { force: true });
    database?.close();
  };
}
