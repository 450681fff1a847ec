import { access, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { PGliteDialect } from 'kysely';
import { StartError } from '../errors/start-error.ts';
import { lockFolder } from './folder-lock.ts';

/** Opens the embedded database in `dataDir`, creating it on first use. One process at a time: PGlite itself has no lock. */
export async function openPGlite(dataDir: string): Promise<{ dialect: PGliteDialect; close(): Promise<void> }> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 }).catch((error: Error) => {
    throw new StartError(`The data folder cannot be made (${error.message}). Set DATA_DIR to another one.`);
  });
  const unlock = await lockFolder(dataDir);
  try {
    const folder = join(dataDir, 'pglite');
    await ensureCluster(folder);
    const pglite = await PGlite.create(folder);
    return {
      dialect: new PGliteDialect({ pglite }),
      async close() {
        await pglite.close().finally(unlock);
      },
    };
  } catch (error) {
    await unlock();
    throw error;
  }
}

// PGlite cannot open what it had not finished making, so an unfinished folder never has the final name.
async function ensureCluster(folder: string): Promise<void> {
  const isThere = await access(folder).then(
    () => true,
    () => false,
  );
  if (isThere) return;
  const unfinished = `${folder}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await (await PGlite.create(unfinished)).close();
  await rename(unfinished, folder);
}
