import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  PostgresAdapter,
  PostgresDialect,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import pg from 'pg';
import type { Logger } from 'pino';
import { DatabaseUnavailableError } from '../../kernel/errors/database-errors.ts';
import { Client, Clients } from './clients.ts';
import { Reads } from './reads.ts';
import { beginOf, type Session, startUpParameters } from './session-settings.ts';
import { isRead, type Query } from './statement.ts';

/** The longest wait for a connection, in ms. */
const connectTimeout = 2_000;

/** Connections to PostgreSQL, made on demand. */
export function openPool(server: pg.PoolConfig, session: Session, log: Logger): pg.Pool {
  const pool = new pg.Pool({
    ...server,
    Client,
    connectionTimeoutMillis: connectTimeout,
    ...startUpParameters(session),
    keepAlive: true,
    // Queries follow one another without waiting for responses.
    pipeline: true,
    application_name: 'partner-gateway',
  });
  // A terminated backend emits an error on the client, and on the pool if the client is idle. Without listeners, the process ends.
  pool.on('connect', (client) => client.on('error', (error) => log.warn({ err: error }, 'database connection lost')));
  pool.on('error', () => {});
  return pool;
}

/** Kysely's PostgreSQL over pg's pool, with a bound on every wait, reads sent together and pipelines. */
export function postgresDialect(pool: pg.Pool, session: Session): Dialect {
  const clients = new Clients(pool, session);
  const reads = new Reads(clients);
  return Object.assign(new PostgresDialect({ pool }), {
    createAdapter: () => new Adapter(),
    createDriver: () => ({
      async init() {},
      acquireConnection: async () => new Connection(clients, reads),
      beginTransaction: async (connection: Connection, settings: TransactionSettings) => connection.begin(settings),
      commitTransaction: (connection: Connection) => connection.end('commit'),
      rollbackTransaction: (connection: Connection) => connection.end('rollback'),
      releaseConnection: async (connection: Connection) => connection.release(),
      destroy: () => pool.end(),
    }),
  });
}

// A pooler passes a session, and Kysely's lock with it, to another client after each transaction: migrate.ts locks itself.
class Adapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

/** What Kysely holds for a statement or a transaction. It takes a client, for the owner of the first statement that needs its own. */
class Connection implements DatabaseConnection {
  readonly #clients: Clients;
  readonly #reads: Reads;
  #client: Client | undefined;
  /** What begins the transaction, together with its first statement. */
  #begin: Query[] = [];

  constructor(clients: Clients, reads: Reads) {
    this.#clients = clients;
    this.#reads = reads;
  }

  async executeQuery<Row>(query: Query): Promise<QueryResult<Row>> {
    if (this.#client === undefined && this.#begin.length === 0 && isRead(query)) {
      return resultOf(await this.#reads.run(query, this.#clients.deadline()));
    }
    const results = await this.#send(query.pipeline ?? [query]);
    if (query.pipeline === undefined) return resultOf(results[0] as pg.QueryResult);
    return { rows: results.map(({ rows }) => rows) as Row[] };
  }

  streamQuery(): never {
    throw new Error('Streaming is not supported.');
  }

  begin({ isolationLevel }: TransactionSettings): void {
    this.#begin = [CompiledQuery.raw(beginOf(this.#clients.session, isolationLevel))];
  }

  async end(command: 'commit' | 'rollback'): Promise<void> {
    // A transaction without a statement was never begun, and the server itself rolls back what a lost connection began.
    const isOver = this.#begin.length > 0 || (this.#client?.isDiscarded && command === 'rollback');
    if (isOver) return;
    const [result] = await this.#send([CompiledQuery.raw(command)]);
    // PostgreSQL rolls back where a statement of the transaction has failed, whatever came of that error.
    if (command === 'commit' && result?.command === 'ROLLBACK') throw new Error('The transaction was rolled back');
  }

  release(): void {
    if (this.#client !== undefined) this.#clients.release(this.#client);
  }

  async #send(queries: readonly Query[]): Promise<pg.QueryResult[]> {
    if (this.#client?.isDiscarded) throw new DatabaseUnavailableError('The connection to the database was lost');
    this.#client ??= await this.#clients.take(queries[0]?.owner, this.#clients.deadline());
    const begin = this.#begin.splice(0);
    const sent = this.#clients.send(this.#client, [...begin, ...queries], this.#clients.deadline());
    return (await Promise.all(sent)).slice(begin.length);
  }
}

// A script of several statements has a list of results, and no rows.
function resultOf<Row>({ rowCount, rows = [] }: pg.QueryResult): QueryResult<Row> {
  return { rows: rows as Row[], numAffectedRows: BigInt(rowCount ?? 0) };
}
