import { setImmediate } from 'node:timers/promises';
import {
  CompiledQuery,
  type DatabaseConnection,
  PostgresAdapter,
  PostgresDialect,
  PostgresDriver,
  type PostgresPool,
  type TransactionSettings,
} from 'kysely';
import { isDatabaseUnavailable, NotSentError, UnknownOutcomeError } from '../../kernel/errors/database-errors.ts';
import { currentDeadline, currentScope } from '../../kernel/request/scope.ts';
import type { Pool } from './pool.ts';
import { beginOf, type Session } from './session-settings.ts';
import type { Query, QueryOptions } from './statement.ts';

/** Maximum number of reads that share a connection. */
const maxReads = 8;

/** Reads share a connection if their deadlines are in the same interval, in ms. */
const deadlineInterval = 500;

interface SharedConnection {
  connection: Promise<DatabaseConnection>;
  reads: number;
}

/** Kysely's dialect with this folder's pool, pipelines and transactions. */
export class Dialect extends PostgresDialect {
  readonly #pool: PostgresPool;
  readonly #session: Session;

  constructor(pool: Pool, session: Session) {
    const config = { pool: pool as unknown as PostgresPool };
    super(config);
    this.#pool = config.pool;
    this.#session = session;
  }

  override createDriver(): PostgresDriver {
    return new Driver(this.#pool, this.#session);
  }

  override createAdapter(): PostgresAdapter {
    return new Adapter();
  }
}

// A pooler passes a session, with Kysely's lock, to another client after each transaction, so migrate.ts locks itself.
class Adapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

class Driver extends PostgresDriver {
  readonly #session: Session;
  /** Those that more reads of this iteration of the event loop can join. */
  readonly #open = new Map<string, SharedConnection>();
  readonly #shared = new Map<DatabaseConnection, SharedConnection>();

  constructor(pool: PostgresPool, session: Session) {
    super({ pool, onCreateConnection: addPipelines });
    this.#session = session;
  }

  /**
   * Equal reads that begin in one iteration of the event loop are sent on one connection: each write wakes a process of
   * PostgreSQL, which costs a third of the CPU time of reads. They have the same text, so they take about the same time.
   */
  override async acquireConnection(options: QueryOptions = {}): Promise<DatabaseConnection> {
    if (options.pipelineKey === undefined) return super.acquireConnection(options);
    const deadline = Math.floor(currentDeadline() / deadlineInterval);
    const scope = currentScope();
    const key = [scope?.company ?? scope?.address, deadline, options.pipelineKey].join(' ');
    let shared = this.#open.get(key);
    if (shared === undefined || shared.reads === maxReads) {
      shared = this.#share(key);
    }
    shared.reads += 1;
    const connection = await shared.connection;
    this.#shared.set(connection, shared);
    return connection;
  }

  #share(key: string): SharedConnection {
    const connect = async () => {
      await setImmediate();
      if (this.#open.get(key) === shared) this.#open.delete(key);
      return super.acquireConnection();
    };
    const shared = { connection: connect(), reads: 0 };
    this.#open.set(key, shared);
    return shared;
  }

  override async releaseConnection(connection: DatabaseConnection): Promise<void> {
    const shared = this.#shared.get(connection);
    if (shared !== undefined) {
      shared.reads -= 1;
      if (shared.reads > 0) return;
      this.#shared.delete(connection);
    }
    return super.releaseConnection(connection as never);
  }

  override async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    const begin = CompiledQuery.raw(beginOf(this.#session, settings.isolationLevel));
    // Not awaited, to save a round trip: if it fails, the connection is lost or the request's time is over, and then the next
    // statement fails too.
    connection.executeQuery(begin).catch(() => {});
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await super.commitTransaction(connection as never);
    } catch (error) {
      const wasSent = !(error instanceof NotSentError);
      if (wasSent && isDatabaseUnavailable(error))
        throw new UnknownOutcomeError((error as Error).message, { cause: error });
      throw error;
    }
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // Kysely closes the connection, and the server rolls back. Kysely would throw this error in place of the first.
    await super.rollbackTransaction(connection as never).catch((error) => {
      if (!isDatabaseUnavailable(error)) throw error;
    });
  }
}

/** Sends the queries of a pipeline in one go. */
async function addPipelines(connection: DatabaseConnection): Promise<void> {
  const execute = connection.executeQuery.bind(connection);
  connection.executeQuery = async ({ pipeline, ...query }: Query) => {
    if (pipeline === undefined) return execute(query) as never;
    const results = await Promise.all(pipeline.map((each) => execute(each)));
    return { rows: results.map(({ rows }) => rows) as never[] };
  };
}
