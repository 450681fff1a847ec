import { createClient, ErrorReply } from '@redis/client';
import type { Logger } from 'pino';
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import { repeat } from '../../kernel/background.ts';
import { withTimeout } from '../../kernel/timeout.ts';
import type { CreateLimiter } from '../http/rate-limit.ts';

/** How long a request waits for Redis, in ms; it usually responds within one. */
const patience = 100;
const late = 'Redis did not respond in time';

/** How often the state of Redis is checked, and how long such a check waits for a connection, in ms. */
const checkInterval = 1_000;
const connectTimeout = 500;

type Client = ReturnType<typeof createSharedClient>;

/**
 * The Redis in which all replicas count requests. While it is away, slow, full or read-only, each process counts on its own.
 * Only the request that finds that out waits, for 0.1 s.
 */
export class SharedLimits {
  readonly #client: Client;
  readonly #log: Logger;
  #job: ReturnType<typeof repeat> | undefined;
  #isAvailable = true;

  constructor(url: string, log: Logger) {
    this.#log = log;
    // A lost connection is noticed by what is asked next.
    this.#client = createSharedClient(url).on('error', () => {});
  }

  /** Connects; resolves too when Redis is away. */
  async open(): Promise<void> {
    await this.#check();
    this.#job = repeat('Redis', checkInterval, () => this.#check(), this.#log);
  }

  /** The result of a command. Throws when Redis is away or does not respond in time. */
  async #ask<Result>(command: (client: Client) => Promise<Result>): Promise<Result> {
    if (!this.#isAvailable) throw new Error('Redis is away');
    try {
      return await withTimeout(patience, command(this.#client), late);
    } catch (error) {
      // An error reply to one command says nothing about the next, unless Redis is full, read-only or loading.
      if (!(error instanceof ErrorReply) || /^(?:OOM|READONLY|LOADING|MISCONF|MASTERDOWN|NO)/.test(error.message)) {
        this.#become(false, error);
      }
      throw error;
    }
  }

  /**
   * Makes limiters whose counts all replicas share; while Redis is away, each process counts on its own. A caller that has used
   * up its limit costs no round trip.
   */
  readonly createLimiter: CreateLimiter = (options) =>
    new RateLimiterRedis({
      // All that the limiter calls of a client.
      storeClient: { eval: (...script: Parameters<Client['eval']>) => this.#ask((client) => client.eval(...script)) },
      useRedisPackage: true,
      ...options,
      inMemoryBlockOnConsumed: options.points,
      insuranceLimiter: new RateLimiterMemory(options),
    });

  async close(): Promise<void> {
    await this.#job?.stop();
    this.#client.destroy();
  }

  // With a write, which fails on a Redis that is full or a replica. A failure ends the connection, which may be stale or to a
  // server that is no longer the primary: the next check makes another.
  async #check(): Promise<void> {
    try {
      if (!this.#client.isOpen) await withTimeout(connectTimeout, this.#client.connect(), late);
      await withTimeout(patience, this.#client.set('alive', '1', { EX: 60 }), late);
      this.#become(true);
    } catch (error) {
      this.#client.destroy();
      this.#become(false, error);
    }
  }

  #become(isAvailable: boolean, error?: unknown): void {
    if (isAvailable === this.#isAvailable) return;
    this.#isAvailable = isAvailable;
    if (isAvailable) this.#log.info('Redis responds: limits are shared');
    else this.#log.warn({ err: error }, 'Redis is away: each process counts limits on its own');
  }
}

function createSharedClient(url: string) {
  return createClient({
    url,
    // Others may use the same Redis.
    keyPrefix: 'partner-gateway:',
    name: 'partner-gateway',
    // A command that cannot be sent now is not wanted later.
    disableOfflineQueue: true,
    maintNotifications: 'disabled',
    commandOptions: { timeout: 0 },
    socket: { connectTimeout, reconnectStrategy: false },
  });
}
