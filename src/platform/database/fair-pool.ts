import pg from 'pg';
import {
  DatabaseUnavailableError,
  isConnectionLost,
  isDatabaseUnavailable,
  isReadOnly,
} from '../../kernel/errors/database-errors.ts';
import { currentDeadline } from '../../kernel/request/scope.ts';
import { Semaphore } from '../../kernel/semaphore.ts';
import { timeUntil, withTimeout } from '../../kernel/timeout.ts';
import type { Session } from './session-settings.ts';
import type { Execution, Query } from './statement.ts';

/** Maximum delay of Node's timers, in ms: 24 days. */
const longestTimer = 2 ** 31 - 1;

const noConnection = 'No connection to the database was free in time';

export interface ClientConfig extends pg.PoolConfig {
  /** Settings to request in the startup message, in addition to the `options` of the URL. */
  startUp: Record<string, string>;
}

// Missing in the types of pg.
const { getStartupConf } = pg.Client.prototype as unknown as { getStartupConf(): object };

export class Client extends pg.Client {
  readonly #startUp: ClientConfig['startUp'];
  readonly openedAt = performance.now();
  isDiscarded = false;
  /** Called when the client returns to the pool. */
  onReleased = () => {};

  constructor(config?: ClientConfig) {
    super(config);
    this.#startUp = config?.startUp ?? {};
  }

  getStartupConf(): object {
    return { ...this.#startUp, ...getStartupConf.call(this) };
  }
}

export type PoolUse = Pick<Query, 'owner' | 'isScan'>;

type PoolClient = Client & pg.PoolClient;

/**
 * The clients of pg's pool. Each owner holds at most half of them, and scans on one; its other requests wait in order. When
 * all are held, owners take turns.
 */
export class FairPool {
  readonly session: Session;
  readonly #pool: pg.Pool;
  readonly #shares: Semaphore<unknown>;
  readonly #scans = new Semaphore<unknown>({ perKey: 1 });
  /** Older connections lead to a server that restarted or became a standby, by performance.now(). */
  #lostAt = 0;

  constructor(pool: pg.Pool, session: Session) {
    this.#pool = pool;
    this.session = session;
    const { max } = pool.options;
    // One connection is left for lookups of tokens, which have no owner.
    this.#shares = new Semaphore({ perKey: Math.max(1, Math.floor(max / 2)), total: Math.max(1, max - 1) });
  }

  /** Numbers of connections, and of queries that wait for one of all, or for one of their owner. */
  get state() {
    const { totalCount, idleCount, waitingCount } = this.#pool;
    const waitingForShare = this.#shares.waiting + this.#scans.waiting;
    return { inUse: totalCount - idleCount, idle: idleCount, waiting: waitingCount, waitingForShare };
  }

  /** Deadline of a wait that begins now, by performance.now(). */
  deadline(): number {
    return this.session.timeouts ? currentDeadline() : performance.now() + longestTimer;
  }

  /** Takes a client for a query of an owner; the caller releases it. Rejects with a DatabaseUnavailableError. */
  async take({ owner, isScan }: PoolUse, deadline: number): Promise<Client> {
    const releases: (() => void)[] = [];
    const onReleased = () => {
      for (const release of releases.splice(0)) release();
    };
    const late = () => new DatabaseUnavailableError(noConnection);
    try {
      for (const semaphore of owner === undefined ? [] : isScan ? [this.#scans, this.#shares] : [this.#shares])
        releases.push(await semaphore.acquire(owner, deadline, late));
      return Object.assign(await this.#connect(deadline), { onReleased });
    } catch (error) {
      onReleased();
      const { message, code } = error as NodeJS.ErrnoException;
      throw new DatabaseUnavailableError(message || code, { cause: error });
    }
  }

  async #connect(deadline: number): Promise<PoolClient> {
    const connecting = this.#pool.connect() as Promise<PoolClient>;
    const client = await withTimeout(timeUntil(deadline), connecting, noConnection).catch((error) => {
      // Another request can use the connection that comes too late for this one.
      connecting.then((late) => late.release()).catch(() => {});
      throw error;
    });
    if (client.openedAt >= this.#lostAt) return client;
    client.release(true);
    return this.#connect(deadline);
  }

  /**
   * Sends queries in one write; returns a promise for each. Discards a client that does not respond to all before the
   * deadline, or that reports an unavailable database.
   */
  send(client: Client, executions: readonly Execution[], deadline: number): Promise<pg.QueryResult>[] {
    const ms = timeUntil(deadline);
    if (ms === 0) {
      // The server rolls back uncommitted changes. Without a transaction, the connection is as good as before.
      if (client.getTransactionStatus() !== 'I') this.release(client, true);
      throw outOfTime();
    }
    // Corked, because every write wakes a PostgreSQL process.
    const { stream } = client.connection;
    stream.cork();
    process.nextTick(() => stream.uncork());
    const begin = (execution: Execution | undefined) => {
      if (execution !== undefined) execution.startedAt = performance.now();
    };
    begin(executions[0]);
    return executions.map(({ query: { name, sql, parameters } }, index) => {
      const prepared = this.session.prepare ? name : undefined;
      // pg closes the connection at this timeout, because later responses could no longer be matched to queries.
      const config = { text: sql, values: [...parameters], name: prepared, query_timeout: ms };
      const result = client.query(config).finally(() => begin(executions[index + 1]));
      return result.catch((error: unknown) => {
        if (isDatabaseUnavailable(error)) this.#discard(client, error);
        throw error;
      });
    });
  }

  /** Returns a client to the pool, or closes its connection. */
  release(client: Client, isDiscarded = false): void {
    if (client.isDiscarded) return;
    client.isDiscarded = isDiscarded;
    // Otherwise the client would wait for responses, which a frozen server never sends.
    if (isDiscarded) client.connection.stream.destroy();
    client.onReleased();
    (client as PoolClient).release(isDiscarded);
  }

  end(): Promise<void> {
    return this.#pool.end();
  }

  #discard(client: Client, error: unknown): void {
    // Closing the connection also fails the queries behind the failed one, which says nothing about the server.
    if (client.isDiscarded) return;
    this.release(client, true);
    // A late response is no proof that the server has restarted or become a standby.
    if (isConnectionLost(error) || isReadOnly(error)) this.#lostAt = performance.now();
  }
}

export function outOfTime(): DatabaseUnavailableError {
  return new DatabaseUnavailableError('The database did not respond in time');
}
