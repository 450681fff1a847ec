import { createClient, ErrorReply } from '@redis/client';
import type { Logger } from 'pino';
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import { repeat } from '../../kernel/background.ts';
import { withTimeout } from '../../kernel/timeout.ts';
import type { CreateLimiter } from '../http/rate-limit.ts';

/** How long a request waits for Redis, in ms; it usually responds within one. */
const patience = 100;
const late = 'Redis did not respond in time';

/** Interval between checks of Redis, and how long a check waits for a connection, in ms. */
const checkInterval = 1_000;
const connectTimeout = 500;

type Client = ReturnType<typeof createSharedClient>;

/**
 * The Redis in which all replicas count requests. While it is unavailable, slow, full or read-only, each process counts
 * on its own. Only the request that discovers this waits, for 0.1 s.
 */
export class SharedLimits {
  readonly #client: Client;
  readonly #log: Logger;
  #job: ReturnType<typeof repeat> | undefined;
  #isAvailable = true;

  constructor(url: string, log: Logger) {
    this.#log = log;
    // The next command discovers a lost connection.
    this.#client = createSharedClient(url).on('error', () => {});
  }

  /** Connects; also resolves if Redis is unavailable. */
  async open(): Promise<void> {
    await this.#check();
    this.#job = repeat('Redis', checkInterval, () => this.#check(), this.#log);
  }

  /** Runs a command. Throws if Redis is unavailable or does not respond in time. */
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
   * Creates limiters that all replicas share; while Redis is unavailable, each process counts on its own. A caller over
   * its limit costs no round trip.
   */
  readonly createLimiter: CreateLimiter = (options) =>
    new RateLimiterRedis({
      // The only method that the limiter calls.
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

  // Checks with a write, which fails on a full Redis or a replica. A failure closes the connection, which may be stale
  // or lead to a former primary; the next check opens another one.
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
    // Other applications may use the same Redis.
    keyPrefix: 'partner-gateway:',
    name: 'partner-gateway',
    // Commands that cannot be sent now fail instead of waiting.
    disableOfflineQueue: true,
    maintNotifications: 'disabled',
    commandOptions: { timeout: 0 },
    socket: { connectTimeout, reconnectStrategy: false },
  });
}
