import { PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Logger } from 'pino';

/** The dialect of a real PostgreSQL. Times are in ms; each bounds how long a request can hang on the database. */
export function postgresDialect(
  connectionString: string,
  max: number,
  timeouts: boolean,
  log: Logger,
): PostgresDialect {
  const pool = new pg.Pool({
    connectionString,
    max,
    connectionTimeoutMillis: 5_000,
    ...(timeouts && { statement_timeout: 10_000, lock_timeout: 5_000, idle_in_transaction_session_timeout: 10_000 }),
    keepAlive: true,
    application_name: 'partner-gateway',
  });
  // A terminated backend emits on the client, or on the pool when the client is idle; unheard, it ends the process.
  const warn = (error: Error) => log.warn({ err: error }, 'database connection lost');
  pool.on('error', warn);
  pool.on('connect', (client) => client.on('error', warn));
  return new PostgresDialect({ pool });
}
