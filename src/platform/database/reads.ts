import type pg from 'pg';
import { isConnectionLost } from '../../kernel/errors/database-errors.ts';
import { type Clients, longestTimer, outOfTime, type TimeLeft } from './clients.ts';
import { configOf, type Query } from './statement.ts';

/** How many reads one connection is sent at once. */
const batchSize = 8;

interface Read {
  query: Query;
  owner: unknown;
  timeLeft: TimeLeft;
  /** Whether it was sent on a connection that was lost. */
  wasLost: boolean;
  resolve(result: pg.QueryResult): void;
  reject(error: unknown): void;
}

/**
 * Sends the reads of one turn of the event loop together, up to eight to a connection in one write. Only reads of one
 * statement and owner share a connection, so none waits behind a slower statement or a locked table. A read whose
 * connection is lost runs once more. Each has its own deadline, whatever it waits for.
 */
export class Reads {
  readonly #clients: Clients;
  readonly #prepare: boolean;
  /** Batches that still wait for a connection, and take further reads meanwhile. */
  readonly #open = new Map<string, Read[]>();

  constructor(clients: Clients, prepare: boolean) {
    this.#clients = clients;
    this.#prepare = prepare;
  }

  run(query: Query, owner: unknown, timeLeft: TimeLeft): Promise<pg.QueryResult> {
    const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult>();
    const timer = setTimeout(() => reject(outOfTime()), Math.max(timeLeft() ?? longestTimer, 1));
    this.#add({ query, owner, timeLeft, wasLost: false, resolve, reject });
    return promise.finally(() => clearTimeout(timer));
  }

  #add(read: Read): void {
    const key = `${read.owner} ${read.query.name ?? read.query.sql}`;
    const open = this.#open.get(key);
    if (open !== undefined && open.length < batchSize) {
      open.push(read);
      return;
    }
    const batch = [read];
    this.#open.set(key, batch);
    // After the requests that have arrived by now have added theirs.
    setImmediate(() => void this.#sendWhenConnected(key, batch, read.owner));
  }

  async #sendWhenConnected(key: string, batch: Read[], owner: unknown): Promise<void> {
    const close = () => {
      if (this.#open.get(key) === batch) this.#open.delete(key);
    };
    try {
      const client = await this.#clients.take(owner, () => longest(batch));
      close();
      const queries = batch.map(({ query }) => configOf(query, this.#prepare));
      const results = this.#clients.send(client, queries, longest(batch));
      for (const [index, read] of batch.entries()) {
        results[index]?.then(read.resolve, (error) => this.#repeatOrReject(read, error));
      }
      await Promise.allSettled(results);
      this.#clients.release(client);
    } catch (error) {
      close();
      for (const { reject } of batch) reject(error);
    }
  }

  #repeatOrReject(read: Read, error: unknown): void {
    // Or the first read of the batch failed to prepare the statement for the others.
    const mayRepeat = isConnectionLost(error) || (error as { code?: string }).code === '26000';
    if (mayRepeat && !read.wasLost) this.#add({ ...read, wasLost: true });
    else read.reject(error);
  }
}

function longest(reads: readonly Read[]): number {
  return Math.max(...reads.map(({ timeLeft }) => timeLeft() ?? longestTimer));
}
