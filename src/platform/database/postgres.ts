import {
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import pg from 'pg';
import type { Logger } from 'pino';
import { DatabaseUnavailableError } from '../../kernel/errors/database-errors.ts';
import { currentDeadline, currentScope } from '../../kernel/request/scope.ts';
import { Client, Clients, outOfTime, type TimeLeft } from './clients.ts';
import { Reads } from './reads.ts';
import { beginOf, type Session, startUpParameters, statementTimeout } from './session-settings.ts';
import { configOf, isRead, type Query } from './statement.ts';

/** The longest wait for a connection, in ms. */
const connectTimeout = 2_000;

interface PoolOptions extends Session {
  connectionString: string;
  max: number;
  log: Logger;
}

/** Connections to PostgreSQL, made on demand. */
export function openPool({ connectionString, max, log, ...session }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    Client,
    connectionString,
    max,
    connectionTimeoutMillis: connectTimeout,
    ...startUpParameters(session),
    keepAlive: true,
    // Queries follow one another without waiting for responses.
    pipeline: true,
    application_name: 'partner-gateway',
  });
  // A terminated backend emits on the client, and on the pool too if the client is idle; without listeners the process ends.
  pool.on('connect', (client) => client.on('error', (error) => log.warn({ err: error }, 'database connection lost')));
  pool.on('error', () => {});
  return pool;
}

/** Kysely's PostgreSQL over pg's pool, with a bound on every wait, reads sent together and pipelines. */
export function postgresDialect(pool: pg.Pool, session: Session): Dialect {
  return {
    createAdapter: () => new Adapter(),
    createDriver: () => new PostgresDriver(new Clients(pool), session),
    createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

// A pooler passes a session, and Kysely's lock with it, to another client after each transaction: migrate.ts locks itself.
class Adapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

class PostgresDriver implements Driver {
  readonly clients: Clients;
  readonly reads: Reads;
  readonly session: Session;

  constructor(clients: Clients, session: Session) {
    this.clients = clients;
    this.session = session;
    this.reads = new Reads(clients, session.prepare);
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<Connection> {
    const end = currentDeadline();
    const limit = this.session.timeouts ? statementTimeout : undefined;
    const timeLeft = () => (end === undefined ? limit : end - performance.now());
    return new Connection(this, currentScope()?.partner, timeLeft);
  }

  async beginTransaction(connection: Connection): Promise<void> {
    connection.begin(beginOf(this.session));
  }

  commitTransaction(connection: Connection): Promise<void> {
    return connection.end('commit');
  }

  rollbackTransaction(connection: Connection): Promise<void> {
    return connection.end('rollback');
  }

  async releaseConnection(connection: Connection): Promise<void> {
    connection.release();
  }

  destroy(): Promise<void> {
    return this.clients.end();
  }
}

/** What Kysely holds for a statement or a transaction. It takes a client with the first statement that needs its own. */
class Connection implements DatabaseConnection {
  readonly #driver: PostgresDriver;
  readonly #owner: unknown;
  readonly #timeLeft: TimeLeft;
  #client: Client | undefined;
  /** What begins the transaction, together with its first statement. */
  #begin: string | undefined;

  constructor(driver: PostgresDriver, owner: unknown, timeLeft: TimeLeft) {
    this.#driver = driver;
    this.#owner = owner;
    this.#timeLeft = timeLeft;
  }

  async executeQuery<Row>(query: Query): Promise<QueryResult<Row>> {
    if (this.#client === undefined && this.#begin === undefined && isRead(query)) {
      return resultOf(await this.#driver.reads.run(query, this.#owner, this.#timeLeft));
    }
    const { prepare } = this.#driver.session;
    const results = await this.#send((query.parts ?? [query]).map((part) => configOf(part, prepare)));
    if (query.parts === undefined) return resultOf(results[0] as pg.QueryResult);
    return { rows: results.map(({ rows }) => rows) as Row[] };
  }

  // biome-ignore lint/correctness/useYield: Kysely asks for a generator, and nothing here streams.
  async *streamQuery(): AsyncGenerator<never> {
    throw new Error('Streaming is not supported.');
  }

  begin(text: string): void {
    this.#begin = text;
  }

  async end(command: 'commit' | 'rollback'): Promise<void> {
    // A transaction without a statement was never begun, and the server itself rolls back what a lost connection began.
    const isOver = this.#begin !== undefined || (this.#client?.isDiscarded && command === 'rollback');
    if (isOver) return;
    const [result] = await this.#send([{ text: command }]);
    // PostgreSQL rolls back where a statement of the transaction has failed, whatever came of that error.
    if (command === 'commit' && result?.command === 'ROLLBACK') throw new Error('The transaction was rolled back');
  }

  release(): void {
    if (this.#client !== undefined) this.#driver.clients.release(this.#client);
  }

  async #send(queries: pg.QueryConfig[]): Promise<pg.QueryResult[]> {
    if (this.#client?.isDiscarded) throw new DatabaseUnavailableError('The connection to the database was lost');
    const { clients } = this.#driver;
    this.#client ??= await clients.take(this.#owner, this.#timeLeft);
    const ms = this.#timeLeft();
    if (ms !== undefined && ms <= 0) {
      // The server rolls back what was not committed.
      const error = outOfTime();
      clients.discard(this.#client, error);
      throw error;
    }
    const begin = this.#begin === undefined ? [] : [{ text: this.#begin }];
    this.#begin = undefined;
    const results = await Promise.all(clients.send(this.#client, [...begin, ...queries], ms));
    return results.slice(begin.length);
  }
}

// A script of several statements has a list of results, and no rows.
function resultOf<Row>({ command, rowCount, rows = [] }: pg.QueryResult): QueryResult<Row> {
  const isWrite = command === 'INSERT' || command === 'UPDATE' || command === 'DELETE' || command === 'MERGE';
  return { rows: rows as Row[], ...(isWrite && { numAffectedRows: BigInt(rowCount ?? 0) }) };
}
