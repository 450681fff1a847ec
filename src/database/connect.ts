import { CamelCasePlugin, type Dialect, Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Database, Tables } from './database.ts';
import { openPGlite } from './pglite.ts';
import { postgresDialect } from './postgres.ts';

export interface DatabaseConfig {
  /** A PostgreSQL URL; without one the embedded PGlite in `dataDir` is the database. */
  databaseUrl: string | undefined;
  dataDir: string;
  databasePoolSize: number;
}

export interface Connection {
  db: Database;
  close(): Promise<void>;
}

/** Opens the database that the configuration names. `onStatement` sees the text of every SQL statement sent. */
export async function connect(
  config: DatabaseConfig,
  log: Logger,
  onStatement: (sql: string) => void = () => {},
): Promise<Connection> {
  if (config.databaseUrl !== undefined) {
    const db = createDatabase(postgresDialect(config.databaseUrl, config.databasePoolSize, log), onStatement);
    return { db, close: () => db.destroy() };
  }
  const { dialect, close } = await openPGlite(config.dataDir);
  return { db: createDatabase(dialect, onStatement), close };
}

function createDatabase(dialect: Dialect, onStatement: (sql: string) => void): Database {
  return new Kysely<Tables>({
    dialect,
    plugins: [new CamelCasePlugin()],
    log: (event) => onStatement(event.query.sql),
  });
}
