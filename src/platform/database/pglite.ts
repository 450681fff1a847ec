import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { type DatabaseConnection, PGliteDialect } from 'kysely';
import { replaceFile } from '../files.ts';
import type { OnStatement } from './client.ts';
import { lockFolder } from './folder-lock.ts';

/** Opens the embedded database in `dataDir`, creating it on first use. Locks the folder, because PGlite does not. */
export async function openPGlite(dataDir: string, onStatement: OnStatement) {
  const unlock = lockFolder(dataDir);
  try {
    const pglite = await openCluster(join(dataDir, 'pglite'));
    return {
      dialect: new PGliteDialect({ pglite, onCreateConnection: (connection) => report(connection, onStatement) }),
      close: () => pglite.close().finally(unlock),
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

async function report(connection: DatabaseConnection, onStatement: OnStatement): Promise<void> {
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

// PGlite cannot open a folder that it did not finish creating. A file beside the folder marks that state; the folder is
// then created again. Nothing is lost, because no data is written before the file is removed.
async function openCluster(folder: string): Promise<PGlite> {
  const unfinished = `${folder}.unfinished`;
  if (existsSync(folder) && !existsSync(unfinished)) return PGlite.create(folder);
  await rm(folder, { recursive: true, force: true });
  replaceFile(unfinished, '');
  const pglite = await PGlite.create(folder);
  await rm(unfinished);
  return pglite;
}
