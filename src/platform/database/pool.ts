import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import type { Logger } from 'pino';
import { DatabaseUnavailableError, isStatementOutdated } from '../../kernel/errors/database-errors.ts';
import { currentDeadline, currentScope, type RequestScope } from '../../kernel/request/scope.ts';
import { Semaphore } from '../../kernel/semaphore.ts';
import { timeUntil, withTimeout } from '../../kernel/timeout.ts';
import { Client, type ClientConfig } from './client.ts';
import { PreparedPlans } from './prepared-plans.ts';

const noConnection = 'No connection to the database was free in time';
const createTimeoutError = () => new DatabaseUnavailableError(noConnection);

type PoolClient = Client & pg.PoolClient;

/**
 * pg's pool. A company's requests hold at most half of the connections, and so do the lookups of an address' tokens.
 */
export class Pool extends pg.Pool {
  readonly #companies: Semaphore<number>;
  /** By the client's address. */
  readonly #tokenLookups: Semaphore<string>;
  /** Older connections are closed instead of used, by performance.now(). */
  #oldestTrusted = 0;
  // Sockets keep the context in which they were opened, and would log later errors with the id of that request.
  readonly #outsideOfRequests = AsyncLocalStorage.snapshot();
  readonly #hasDeadlines: boolean;

  constructor(config: Omit<ClientConfig, 'onSuspect' | 'plans'>, log: Logger) {
    const plans = new PreparedPlans();
    const options: ClientConfig = {
      ...config,
      Client: Client as unknown as typeof pg.Client,
      plans,
      // A connection that is itself older than the last incident reports no other one.
      onSuspect: ({ openedAt }, error) => {
        if (openedAt < this.#oldestTrusted) return;
        this.#oldestTrusted = performance.now();
        if (isStatementOutdated(error)) plans.replace();
      },
      // For opening one, and for waiting until one is free.
      connectionTimeoutMillis: 2_000,
      keepAlive: true,
      // Sends statements without waiting for earlier responses.
      pipeline: true,
    };
    super(options);
    this.#hasDeadlines = config.session.forRequests;
    const { max } = this.options;
    // Companies leave one connection to the lookups, and lookups leave one to the companies.
    const limits = { perKey: Math.max(1, Math.floor(max / 2)), total: Math.max(1, max - 1) };
    this.#companies = new Semaphore(limits);
    this.#tokenLookups = new Semaphore(limits);
    // A terminated backend emits errors on the client and, if idle, on the pool. Unhandled, they would end the process.
    this.on('connect', (client) => client.on('error', (err) => log.warn({ err }, 'database connection lost')));
    this.on('error', () => {});
    this.on('release', (_error, client) => (client as PoolClient).onReleased());
  }

  /** Numbers of connections, and of queries that wait for one of all, or for one of their share. */
  get state() {
    const { totalCount, idleCount, waitingCount } = this;
    const waitingForShare = this.#companies.waiting + this.#tokenLookups.waiting;
    return { inUse: totalCount - idleCount, idle: idleCount, waiting: waitingCount, waitingForShare };
  }

  /** Takes a connection of the current request's share. Rejects with a DatabaseUnavailableError. */
  override async connect(): Promise<PoolClient> {
    const scope = currentScope();
    const release = scope && (await this.#acquireShare(scope, currentDeadline()));
    try {
      const client = await this.#take();
      client.onReleased = () => {
        client.onReleased = () => {};
        release?.();
      };
      return client;
    } catch (error) {
      release?.();
      const { message, code } = error as NodeJS.ErrnoException;
      throw new DatabaseUnavailableError(message || code, { cause: error });
    }
  }

  // Until the token of a request is known, its statements are lookups of it.
  #acquireShare({ company, address }: RequestScope, deadline: number): Promise<() => void> {
    return company === undefined
      ? this.#tokenLookups.acquire(address, deadline, createTimeoutError)
      : this.#companies.acquire(company, deadline, createTimeoutError);
  }

  async #take(): Promise<PoolClient> {
    const isFree = this.idleCount > this.waitingCount;
    const connecting = this.#outsideOfRequests(() => super.connect()) as Promise<unknown> as Promise<PoolClient>;
    const client = await (isFree || !this.#hasDeadlines ? connecting : untilDeadline(connecting));
    if (client.openedAt >= this.#oldestTrusted) return client;
    client.release(true);
    return this.#take();
  }
}

function untilDeadline(connecting: Promise<PoolClient>): Promise<PoolClient> {
  return withTimeout(timeUntil(currentDeadline()), connecting, noConnection).catch((error) => {
    // Another request can use the connection that comes too late for this one.
    connecting.then((client) => client.release()).catch(() => {});
    throw error;
  });
}
