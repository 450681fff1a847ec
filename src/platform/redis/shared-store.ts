import { createClient, ErrorReply } from '@redis/client';
import type { Logger } from 'pino';
import { type BackgroundJob, repeat } from '../../kernel/background.ts';
import { within } from '../../kernel/patience.ts';

/** How long a request waits for Redis, in ms; it usually answers within one. */
const patience = 100;

const late = 'Redis did not answer in time';

/** How often Redis is looked at, in ms, and after how many failures in a row it is connected to anew. */
const lookInterval = 1_000;
const failuresToReconnect = 5;

/** How long a start waits for Redis, in ms. */
const startPatience = 2_000;

/** Begins every key, so that others may use the same Redis. */
const keyPrefix = 'partner-gateway:';

type Client = ReturnType<typeof createSharedClient>;

/**
 * The Redis that all replicas share. Nothing is kept there that a request needs: while it is away, slow, full or read-only,
 * whoever asks is told at once and goes on without it. Only a request that finds that out waits, for 0.1 s.
 */
export class SharedStore {
  readonly #client: Client;
  readonly #log: Logger;
  #job: BackgroundJob | undefined;
  #isAnswering = false;
  #failures = 0;
  #lastError: unknown;

  constructor(url: string, log: Logger) {
    this.#log = log;
    this.#client = createSharedClient(url);
    // It connects again by itself; whether it did, the next look tells.
    this.#client.on('error', (error: unknown) => {
      this.#lastError = error;
    });
  }

  /** Connects; resolves too when Redis is not there yet. */
  async open(): Promise<void> {
    await within(startPatience, this.#client.connect(), late).catch(() => {});
    await this.#look();
    if (!this.#isAnswering) this.#tell(this.#lastError);
    this.#job = repeat('Redis', lookInterval, () => this.#look(), this.#log);
  }

  /** The answer to a command. Throws when Redis is away, or does not answer in time. */
  async ask<Result>(command: (client: Client) => Promise<Result>): Promise<Result> {
    if (!this.#isAnswering) throw new Error('Redis is away');
    try {
      return await within(patience, command(this.#client), late);
    } catch (error) {
      // A refusal of this one command says nothing of the next.
      const isRefusal =
        error instanceof ErrorReply && !/^(?:OOM|READONLY|LOADING|MISCONF|MASTERDOWN|NO)/.test(error.message);
      if (!isRefusal) this.#become(false, error);
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#job?.stop();
    if (this.#client.isOpen) this.#client.destroy();
  }

  // By a write: a Redis that is full or a replica reads only.
  async #look(): Promise<void> {
    try {
      await within(patience, this.#client.set('alive', '1', { EX: 60 }), late);
      this.#failures = 0;
      this.#become(true);
    } catch (error) {
      this.#failures += 1;
      this.#become(false, error);
      // A connection that only seems to be one, or one to who is no longer the primary; or none, given up by the client.
      const isDoubtful = this.#failures % failuresToReconnect === 0 && this.#client.isReady;
      if (isDoubtful || !this.#client.isOpen) this.#reconnect();
    }
  }

  #reconnect(): void {
    if (this.#client.isOpen) this.#client.destroy();
    void this.#client.connect().catch(() => {});
  }

  #become(isAnswering: boolean, error?: unknown): void {
    if (isAnswering === this.#isAnswering) return;
    this.#isAnswering = isAnswering;
    if (isAnswering) this.#log.info('Redis answers: limits are shared');
    else this.#tell(error);
  }

  #tell(error: unknown): void {
    this.#log.warn({ err: error }, 'Redis is away: limits are counted by this process alone');
  }
}

function createSharedClient(url: string) {
  return createClient({
    url,
    keyPrefix,
    name: 'partner-gateway',
    // What cannot be sent now is not wanted later.
    disableOfflineQueue: true,
    maintNotifications: 'disabled',
    commandOptions: { timeout: 0 },
    socket: { connectTimeout: 2_000, reconnectStrategy: (retries) => Math.min(100 * 2 ** retries, 2_000) },
  });
}
