import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import pg from 'pg';
import type { Logger } from 'pino';
import { DatabaseUnavailableError } from '../../kernel/errors/database-errors.ts';
import { Client, type ClientConfig, FairPool, type PoolUse } from './fair-pool.ts';
import { ReadBatcher } from './read-batcher.ts';
import { beginOf, type Session, startUpParameters } from './session-settings.ts';
import { type Execution, isRead, type OnStatement, type Query, reporting } from './statement.ts';

/** Maximum wait for a connection, in ms. */
const connectTimeout = 2_000;

/** A pool of connections to PostgreSQL, opened on demand. */
export function openPool(server: pg.PoolConfig, session: Session, log: Logger): FairPool {
  const config: ClientConfig = {
    ...server,
    Client,
    connectionTimeoutMillis: connectTimeout,
    startUp: startUpParameters(session),
    keepAlive: true,
    // Sends queries without waiting for earlier responses.
    pipeline: true,
    application_name: 'partner-gateway',
  };
  const pool = new pg.Pool(config);
  // A terminated backend emits errors on the client and, if idle, on the pool. Unhandled, they would end the process.
  pool.on('connect', (client) => client.on('error', (error) => log.warn({ err: error }, 'database connection lost')));
  pool.on('error', () => {});
  return new FairPool(pool, session);
}

/** Kysely's PostgreSQL dialect over pg's pool, with deadlines, batched reads and pipelines. */
export function postgresDialect(pool: FairPool, onStatement: OnStatement): Dialect {
  const batcher = new ReadBatcher(pool);
  return {
    createAdapter: () => new Adapter(),
    createDriver: () => ({
      async init() {},
      acquireConnection: async () => new Connection(pool, batcher, onStatement),
      beginTransaction: async (connection: Connection, settings: TransactionSettings) => connection.begin(settings),
      commitTransaction: (connection: Connection) => connection.end('commit'),
      rollbackTransaction: (connection: Connection) => connection.end('rollback'),
      releaseConnection: async (connection: Connection) => connection.release(),
      destroy: () => pool.end(),
    }),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

// A pooler passes a session, with Kysely's lock, to another client after each transaction, so migrate.ts locks itself.
class Adapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

/** Kysely's connection for a statement or transaction. Takes a client only when needed, for its statement's owner. */
class Connection implements DatabaseConnection {
  readonly #pool: FairPool;
  readonly #batcher: ReadBatcher;
  readonly #onStatement: OnStatement;
  #client: Client | undefined;
  /** Begins the transaction; sent with its first statement. */
  #begin: Query[] = [];
  /** The first error of the transaction; PostgreSQL only calls later statements aborted. */
  #failure: unknown;

  constructor(pool: FairPool, batcher: ReadBatcher, onStatement: OnStatement) {
    this.#pool = pool;
    this.#batcher = batcher;
    this.#onStatement = onStatement;
  }

  async executeQuery<Row>(query: Query): Promise<QueryResult<Row>> {
    if (this.#client === undefined && this.#begin.length === 0 && isRead(query)) {
      const execution = { query };
      const result = this.#batcher.run(execution, this.#pool.deadline());
      return resultOf(await reporting(execution, result, this.#onStatement));
    }
    const results = await this.#send(query.pipeline ?? [query]);
    if (query.pipeline === undefined) return resultOf(results[0] as pg.QueryResult);
    return { rows: results.map(({ rows }) => rows) as Row[] };
  }

  streamQuery(): never {
    throw new Error('Streaming is not supported.');
  }

  begin({ isolationLevel }: TransactionSettings): void {
    this.#begin = [CompiledQuery.raw(beginOf(this.#pool.session, isolationLevel))];
  }

  async end(command: 'commit' | 'rollback'): Promise<void> {
    // A transaction without statements never began, and the server rolls back those of lost connections.
    const isOver = this.#begin.length > 0 || (this.#client?.isDiscarded && command === 'rollback');
    if (isOver) return;
    const [result] = await this.#send([CompiledQuery.raw(command)]);
    // If a statement failed, PostgreSQL rolls back on commit, even if the caller handled that error.
    if (command === 'commit' && result?.command === 'ROLLBACK') throw new Error('The transaction was rolled back');
  }

  release(): void {
    if (this.#client !== undefined) this.#pool.release(this.#client);
  }

  async #send(queries: readonly Query[]): Promise<pg.QueryResult[]> {
    const begin = this.#begin;
    const executions: Execution[] = [...begin, ...queries].map((query) => ({ query }));
    const sending = this.#start(executions, queries[0] ?? {});
    const results = executions.map((execution, index) => {
      const result = sending.then((sent) => sent[index] as Promise<pg.QueryResult>);
      return reporting(execution, result, this.#onStatement);
    });
    try {
      return (await Promise.all(results)).slice(begin.length);
    } catch (error) {
      this.#failure ??= error;
      throw this.#failure;
    }
  }

  async #start(executions: readonly Execution[], first: PoolUse): Promise<Promise<pg.QueryResult>[]> {
    if (this.#client?.isDiscarded) throw new DatabaseUnavailableError('The connection to the database was lost');
    this.#client ??= await this.#pool.take(first, this.#pool.deadline());
    const sent = this.#pool.send(this.#client, executions, this.#pool.deadline());
    this.#begin = [];
    return sent;
  }
}

// For a script of several statements, pg returns a list of results without `rows`.
function resultOf<Row>({ rowCount, rows = [] }: pg.QueryResult): QueryResult<Row> {
  return { rows: rows as Row[], numAffectedRows: BigInt(rowCount ?? 0) };
}
