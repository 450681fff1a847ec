import { createClient, ErrorReply } from '@redis/client';
import type { Logger } from 'pino';
import { type BackgroundJob, repeat } from '../../kernel/background.ts';
import { within } from '../../kernel/within.ts';

/** How long a request waits for Redis, in ms; it usually responds within one. */
const patience = 100;
const late = 'Redis did not respond in time';

/** How often the state of Redis is checked, and how long a start waits for it, in ms. */
const checkInterval = 1_000;
const startPatience = 2_000;

/** Failed checks in a row after which the connection is replaced. */
const failuresToReconnect = 5;

type Client = ReturnType<typeof createSharedClient>;

/**
 * The Redis that all replicas share. It holds nothing that a request needs: while it is away, slow, full or read-only,
 * callers get an error at once and go on without it. Only the request that finds that out waits, for 0.1 s.
 */
export class SharedStore {
  readonly #client: Client;
  readonly #log: Logger;
  #job: BackgroundJob | undefined;
  #isAvailable: boolean | undefined;
  #failures = 0;

  constructor(url: string, log: Logger) {
    this.#log = log;
    this.#client = createSharedClient(url);
    // The client reconnects by itself; the next check notices.
    this.#client.on('error', () => {});
  }

  /** Connects; resolves too when Redis is away. */
  async open(): Promise<void> {
    await within(startPatience, this.#client.connect(), late).catch(() => {});
    await this.#check();
    this.#job = repeat('Redis', checkInterval, () => this.#check(), this.#log);
  }

  /** The result of a command. Throws when Redis is away or does not respond in time. */
  async ask<Result>(command: (client: Client) => Promise<Result>): Promise<Result> {
    if (!this.#isAvailable) throw new Error('Redis is away');
    try {
      return await within(patience, command(this.#client), late);
    } catch (error) {
      // An error reply to one command says nothing about the next, unless Redis is full, read-only or loading.
      if (!(error instanceof ErrorReply) || /^(?:OOM|READONLY|LOADING|MISCONF|MASTERDOWN|NO)/.test(error.message)) {
        this.#become(false, error);
      }
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#job?.stop();
    if (this.#client.isOpen) this.#client.destroy();
  }

  // With a write, which fails on a Redis that is full or a replica.
  async #check(): Promise<void> {
    try {
      await within(patience, this.#client.set('alive', '1', { EX: 60 }), late);
      this.#failures = 0;
      this.#become(true);
    } catch (error) {
      this.#failures += 1;
      this.#become(false, error);
      // A connection that is stale, or to a server that is no longer the primary; or none, because the client gave up.
      if (this.#client.isReady ? this.#failures % failuresToReconnect === 0 : !this.#client.isOpen) {
        if (this.#client.isOpen) this.#client.destroy();
        void this.#client.connect().catch(() => {});
      }
    }
  }

  #become(isAvailable: boolean, error?: unknown): void {
    if (isAvailable === this.#isAvailable) return;
    const isFirst = this.#isAvailable === undefined;
    this.#isAvailable = isAvailable;
    if (!isAvailable) this.#log.warn({ err: error }, 'Redis is away: each process counts limits on its own');
    else if (!isFirst) this.#log.info('Redis responds: limits are shared');
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
    socket: { connectTimeout: 2_000, reconnectStrategy: (retries) => Math.min(100 * 2 ** retries, 2_000) },
  });
}
