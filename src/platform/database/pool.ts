import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import type { Logger } from 'pino';
import { DatabaseUnavailableError, isStatementOutdated } from '../../kernel/errors/database-errors.ts';
import { currentDeadline, currentScope, type RequestScope } from '../../kernel/request/scope.ts';
import { Semaphore } from '../../kernel/semaphore.ts';
import { timeUntil, withTimeout } from '../../kernel/timeout.ts';
import { type ClientConfig, GatewayClient } from './client.ts';
import { PreparedPlans } from './prepared-plans.ts';

const timeoutMessage = 'No connection to the database was free in time';
const createTimeoutError = () => new DatabaseUnavailableError(timeoutMessage);

type PoolClient = GatewayClient & pg.PoolClient;

/** A company uses at most half of the connections, and so do the token lookups of a client address. */
export class GatewayPool extends pg.Pool {
  readonly #companies: Semaphore<number>;
  readonly #tokenLookups: Semaphore<string>;
  /** Connections opened before this time, by performance.now(), are closed instead of used. */
  #oldestValid = 0;
  // Sockets keep the async context in which they were opened, so later errors would get its request id.
  readonly #outsideOfRequests = AsyncLocalStorage.snapshot();
  readonly #hasDeadlines: boolean;

  constructor(config: Omit<ClientConfig, 'onOlderConnectionsInvalid' | 'plans'>, log: Logger) {
    const plans = new PreparedPlans();
    const options: ClientConfig = {
      ...config,
      Client: GatewayClient as unknown as typeof pg.Client,
      plans,
      // Older connections report the same incident again.
      onOlderConnectionsInvalid: ({ openedAt }, error) => {
        if (openedAt < this.#oldestValid) return;
        this.#oldestValid = performance.now();
        if (isStatementOutdated(error)) plans.replace();
      },
      connectionTimeoutMillis: 2_000,
      keepAlive: true,
      pipeline: true,
    };
    super(options);
    this.#hasDeadlines = config.session.forRequests;
    const { max } = this.options;
    // Companies leave one connection to the token lookups, and token lookups leave one to the companies.
    const limits = { perKey: Math.max(1, Math.floor(max / 2)), total: Math.max(1, max - 1) };
    this.#companies = new Semaphore(limits);
    this.#tokenLookups = new Semaphore(limits);
    // A terminated backend emits errors on the client and the pool, which would end the process if unhandled.
    this.on('connect', (client) => client.on('error', (err) => log.warn({ err }, 'database connection lost')));
    this.on('error', () => {});
    this.on('release', (_error, client) => (client as PoolClient).onReleased());
  }

  get state() {
    const { totalCount, idleCount, waitingCount } = this;
    const waitingForShare = this.#companies.waiting + this.#tokenLookups.waiting;
    return { inUse: totalCount - idleCount, idle: idleCount, waiting: waitingCount, waitingForShare };
  }

  override async connect(): Promise<PoolClient> {
    const scope = currentScope();
    const release = scope && (await this.#acquireShare(scope, currentDeadline()));
    try {
      const client = await this.#checkOut();
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

  // A request without a company is still looking up its token.
  #acquireShare({ company, address }: RequestScope, deadline: number): Promise<() => void> {
    return company === undefined
      ? this.#tokenLookups.acquire(address, deadline, createTimeoutError)
      : this.#companies.acquire(company, deadline, createTimeoutError);
  }

  async #checkOut(): Promise<PoolClient> {
    const isFree = this.idleCount > this.waitingCount;
    const connecting = this.#outsideOfRequests(() => super.connect()) as Promise<unknown> as Promise<PoolClient>;
    const client = await (isFree || !this.#hasDeadlines ? connecting : withDeadline(connecting));
    if (client.openedAt >= this.#oldestValid) return client;
    client.release(true);
    return this.#checkOut();
  }
}

function withDeadline(connecting: Promise<PoolClient>): Promise<PoolClient> {
  return withTimeout(timeUntil(currentDeadline()), connecting, timeoutMessage).catch((error) => {
    // Another request can use a connection that arrives too late for this one.
    connecting.then((client) => client.release()).catch(() => {});
    throw error;
  });
}
