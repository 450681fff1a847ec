import { PostgresAdapter, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Logger } from 'pino';
import { connectTimeout, type TimeLeft } from './clients.ts';
import { Pool } from './pool.ts';
import { beginOf, startUpParameters, statementTimeout } from './session-settings.ts';
import { statementName } from './statement-name.ts';

interface PoolOptions {
  connectionString: string;
  /** Most connections at once. */
  max: number;
  /** Whether statements are ended that take longer than a request may. */
  timeouts: boolean;
  /** Whether each connection prepares a statement once; a PgBouncer in transaction mode before 1.21 does not bear that. */
  prepare: boolean;
  log: Logger;
}

interface DialectOptions {
  timeouts: boolean;
  /** When the request that asks must be done (performance.now()); undefined outside of one. */
  deadline: () => number | undefined;
  /** As for its pool. */
  prepare: boolean;
}

/** How many connections there are, how many of them nobody uses, and how many batches of reads or transactions wait for one. */
export type PoolState = Readonly<Pick<pg.Pool, 'totalCount' | 'idleCount' | 'waitingCount'>>;

/** Connections to a real PostgreSQL, made as they are asked for. */
export function openPool({ connectionString, max, timeouts, prepare, log }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max,
    connectionTimeoutMillis: connectTimeout,
    ...startUpParameters({ timeouts, prepare }),
    keepAlive: true,
    // A transaction's first statement follows its `begin` without waiting for the answer.
    pipeline: true,
    application_name: 'partner-gateway',
  });
  // A terminated backend emits on the client, and on the pool too when the client is idle; unheard, it ends the process.
  pool.on('connect', (client) => client.on('error', (error) => log.warn({ err: error }, 'database connection lost')));
  pool.on('error', () => {});
  return pool;
}

/** The dialect of a real PostgreSQL. */
export function postgresDialect(pool: pg.Pool, { timeouts, deadline, prepare }: DialectOptions): PostgresDialect {
  const startClock = (): TimeLeft => {
    const end = deadline();
    return () => (end !== undefined ? end - performance.now() : timeouts ? statementTimeout : undefined);
  };
  const nameOf = prepare ? statementName : () => undefined;
  return new Dialect({ pool: new Pool(pool, { startClock, nameOf, begin: beginOf({ timeouts, prepare }) }) });
}

class Dialect extends PostgresDialect {
  override createAdapter(): PostgresAdapter {
    return new Adapter();
  }
}

// Kysely's lock is the session's, which a pooler gives to another after each transaction: migrate.ts has one of its own.
class Adapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}
