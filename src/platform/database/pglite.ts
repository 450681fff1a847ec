import { access, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { type DatabaseConnection, PGliteDialect, type PGliteDialectConfig, PGliteDriver } from 'kysely';
import { StartError } from '../../kernel/errors/start-error.ts';
import { lockFolder } from './folder-lock.ts';
import type { Query } from './statement.ts';

/** Opens the embedded database in `dataDir`, creating it on first use. One process at a time: PGlite itself has no lock. */
export async function openPGlite(dataDir: string): Promise<{
  dialect: PGliteDialect;
  close(): Promise<void>;
}> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 }).catch((error: Error) => {
    throw new StartError(
      `The data folder cannot be created (${error.message}). Set DATA_DIR to a folder that the service can write to.`,
    );
  });
  const unlock = await lockFolder(dataDir);
  try {
    const pglite = await openCluster(join(dataDir, 'pglite'));
    return {
      dialect: new EmbeddedDialect({ pglite }),
      async close() {
        await pglite.close().finally(unlock);
      },
    };
  } catch (error) {
    await unlock();
    throw error;
  }
}

class EmbeddedDialect extends PGliteDialect {
  readonly #config: PGliteDialectConfig;

  constructor(config: PGliteDialectConfig) {
    super(config);
    this.#config = config;
  }

  override createDriver(): PGliteDriver {
    return new EmbeddedDriver(this.#config);
  }
}

// PGlite has no pipelines: their parts run one after the other.
class EmbeddedDriver extends PGliteDriver {
  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection();
    if (Object.hasOwn(connection, 'executeQuery')) return connection;
    const execute = connection.executeQuery.bind(connection);
    connection.executeQuery = async ({ parts, ...query }: Query) => {
      if (parts === undefined) return execute(query);
      const results: unknown[] = [];
      for (const part of parts) results.push((await execute(part)).rows);
      return { rows: results as never[] };
    };
    return connection;
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
