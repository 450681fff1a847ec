import { access, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { PGliteDialect } from 'kysely';
import { StartError } from '../../kernel/errors/start-error.ts';
import { lockFolder } from './folder-lock.ts';
import type { Listener } from './listener.ts';

/** Opens the embedded database in `dataDir`, creating it on first use. One process at a time: PGlite itself has no lock. */
export async function openPGlite(dataDir: string): Promise<{
  dialect: PGliteDialect;
  listen(channel: string, onNotify: () => void): Promise<Listener>;
  close(): Promise<void>;
}> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 }).catch((error: Error) => {
    throw new StartError(`The data folder cannot be made (${error.message}). Set DATA_DIR to another one.`);
  });
  const unlock = await lockFolder(dataDir);
  try {
    const pglite = await openCluster(join(dataDir, 'pglite'));
    return {
      dialect: new PGliteDialect({ pglite }),
      async listen(channel, onNotify) {
        const stop = await pglite.listen(channel, onNotify);
        return { connected: () => true, stop: () => stop() };
      },
      async close() {
        await pglite.close().finally(unlock);
      },
    };
  } catch (error) {
    await unlock();
    throw error;
  }
}

// PGlite cannot open what it had not finished making, so a file beside the folder says that it has not: found again, the
// folder is made anew. Nothing can be lost, as nothing is written before that file is gone.
async function openCluster(folder: string): Promise<PGlite> {
  const unfinished = `${folder}.unfinished`;
  if (await exists(unfinished)) await rm(folder, { recursive: true, force: true });
  else if (await exists(folder)) return PGlite.create(folder);
  await writeFile(unfinished, '');
  const pglite = await PGlite.create(folder);
  await rm(unfinished);
  return pglite;
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
