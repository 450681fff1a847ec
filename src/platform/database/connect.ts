import { type Dialect, Kysely, sql } from 'kysely';
import type { Logger } from 'pino';
import { StartError } from '../../kernel/errors/start-error.ts';
import type { SentStatement } from '../../kernel/request/scope.ts';
import { CamelCase } from './camel-case.ts';
import { type Listener, listen } from './listener.ts';
import { openPool, type PoolState, postgresDialect } from './postgres.ts';
import { listMissingSettings } from './session-settings.ts';

export interface DatabaseConfig {
  /** A PostgreSQL URL; without one the embedded PGlite in `dataDir` is the database. */
  databaseUrl: string | undefined;
  /** Where announcements are listened to; undefined is there. */
  databaseListenUrl: string | undefined;
  dataDir: string;
  databasePoolSize: number;
  preparedStatements: boolean;
}

export interface Connection<Tables> {
  db: Kysely<Tables>;
  /**
   * Calls back when something is announced on a channel, or may have been; an announcement may be lost all the same.
   */
  listen(channel: string, onNotify: () => void): Promise<Listener>;
  /** The connections of a PostgreSQL; undefined for the embedded database, which has one. */
  pool: PoolState | undefined;
  close(): Promise<void>;
}

interface ConnectOptions {
  /** Sees every SQL statement that was answered, or failed. */
  onStatement?: (statement: SentStatement) => void;
  /** Whether statements are ended that take longer than a request may; not so for migrations. */
  timeouts?: boolean;
  /** When the request that asks must be done with the database (performance.now()); undefined outside of one. */
  deadline?: () => number | undefined;
}

/** Opens the database that the configuration names. Throws a StartError when it cannot be used. */
export async function connect<Tables>(
  config: DatabaseConfig,
  log: Logger,
  { onStatement, timeouts = true, deadline = () => undefined }: ConnectOptions = {},
): Promise<Connection<Tables>> {
  const { databaseUrl: connectionString, databaseListenUrl, databasePoolSize: max, preparedStatements } = config;
  if (connectionString !== undefined) {
    // Statements of migrations and imports come once.
    const prepare = preparedStatements && timeouts;
    const pool = openPool({ connectionString, max, timeouts, prepare, log });
    const db = createDatabase<Tables>(postgresDialect(pool, { timeouts, deadline, prepare }), onStatement);
    await checkSession(db, { timeouts, prepare }, log);
    const announce = (channel: string) => sql`select pg_notify(${channel}, '')`.execute(db);
    return {
      db,
      pool,
      listen: async (channel, onNotify) =>
        listen({ connectionString: databaseListenUrl ?? connectionString, channel, onNotify, announce, log }),
      close: () => db.destroy(),
    };
  }
  // Megabytes of code that a service on PostgreSQL has no use for.
  const { openPGlite } = await import('./pglite.ts');
  const { dialect, listen: listenEmbedded, close } = await openPGlite(config.dataDir);
  return { db: createDatabase(dialect, onStatement), pool: undefined, listen: listenEmbedded, close };
}

function createDatabase<Tables>(dialect: Dialect, onStatement: ConnectOptions['onStatement']): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect,
    plugins: [new CamelCase()],
    ...(onStatement && {
      log: ({ query: { sql }, queryDurationMillis: duration, ...outcome }) =>
        onStatement({ sql, duration, error: 'error' in outcome ? outcome.error : undefined }),
    }),
  });
}

const poolerAdvice =
  'a pooler keeps settings from the database: it has to make them itself, and DATABASE_PREPARED_STATEMENTS has to be off ' +
  'where it is a PgBouncer before 1.21 (see deploy/pgbouncer.ini)';

// Whatever keeps the first statement from its answer, the operator mends: address, name, user or password.
async function checkSession<Tables>(
  db: Kysely<Tables>,
  session: Parameters<typeof listMissingSettings>[1],
  log: Logger,
) {
  try {
    const settings = await listMissingSettings(db, session);
    if (settings.length > 0) log.warn({ settings }, poolerAdvice);
  } catch (error) {
    await db.destroy();
    throw new StartError(`The database of DATABASE_URL cannot be used: ${(error as Error).message || String(error)}`);
  }
}
