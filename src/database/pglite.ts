import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { PGliteDialect } from 'kysely';
import { lockFolder } from './folder-lock.ts';

/** Opens the embedded database in `dataDir`, creating it on first use. One process at a time: PGlite itself has no lock. */
export async function openPGlite(dataDir: string): Promise<{ dialect: PGliteDialect; close(): Promise<void> }> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const unlock = await lockFolder(dataDir);
  try {
    const pglite = await PGlite.create(join(dataDir, 'pglite'));
    return {
      dialect: new PGliteDialect({ pglite }),
      async close() {
        await pglite.close();
        await unlock();
      },
    };
  } catch (error) {
    await unlock();
    throw error;
  }
}
