import type pg from 'pg';
import { isConnectionLost } from '../../kernel/errors/database-errors.ts';
import { timeUntil } from '../../kernel/within.ts';
import { type Clients, outOfTime } from './clients.ts';
import type { Query } from './statement.ts';

/** How many reads one connection is sent at once. */
const batchSize = 8;

interface Read {
  query: Query;
  deadline: number;
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
  /** Batches that still wait for a connection, and take further reads meanwhile. */
  readonly #open = new Map<string, Read[]>();

  constructor(clients: Clients) {
    this.#clients = clients;
  }

  run(query: Query, deadline: number): Promise<pg.QueryResult> {
    const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult>();
    const timer = setTimeout(() => reject(outOfTime()), timeUntil(deadline));
    this.#add({ query, deadline, wasLost: false, resolve, reject });
    return promise.finally(() => clearTimeout(timer));
  }

  #add(read: Read): void {
    const { owner, name, sql } = read.query;
    const key = `${owner} ${name ?? sql}`;
    const open = this.#open.get(key);
    if (open !== undefined && open.length < batchSize) {
      open.push(read);
      return;
    }
    const batch = [read];
    this.#open.set(key, batch);
    // After the requests that have arrived by now have added theirs.
    setImmediate(() => void this.#send(key, batch, owner));
  }

  async #send(key: string, batch: Read[], owner: Query['owner']): Promise<void> {
    const deadline = () => Math.max(...batch.map((read) => read.deadline));
    try {
      const client = await this.#clients.take(owner, deadline()).finally(() => {
        if (this.#open.get(key) === batch) this.#open.delete(key);
      });
      const queries = batch.map(({ query }) => query);
      const results = this.#clients.send(client, queries, deadline());
      for (const [index, read] of batch.entries()) {
        results[index]?.then(read.resolve, (error) => this.#repeatOrReject(read, error));
      }
      await Promise.allSettled(results);
      this.#clients.release(client);
    } catch (error) {
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
