import type pg from 'pg';
import { isConnectionLost } from '../../kernel/errors/database-errors.ts';
import { timeUntil } from '../../kernel/timeout.ts';
import { type Client, type FairPool, outOfTime, type PoolUse } from './fair-pool.ts';
import type { Execution } from './statement.ts';

const batchSize = 8;

interface Read extends PromiseWithResolvers<pg.QueryResult> {
  execution: Execution;
  deadline: number;
}

/**
 * Sends the reads of one event loop turn together, up to eight per connection in one write. Only reads of one statement
 * and owner share a connection, so none waits behind a slower statement or a locked table. Each has its own deadline.
 */
export class ReadBatcher {
  readonly #pool: FairPool;
  /** The last batch of this turn for each owner and statement. */
  readonly #open = new Map<string, Read[]>();

  constructor(pool: FairPool) {
    this.#pool = pool;
  }

  /** Runs a read; retries it once if its connection is lost. */
  async run(execution: Execution, deadline: number): Promise<pg.QueryResult> {
    return this.#run(execution, deadline).catch((error) => {
      // 26000: the first read of the batch failed to prepare the statement for the others.
      const mayRepeat = isConnectionLost(error) || error.code === '26000';
      if (!mayRepeat) throw error;
      return this.#run(execution, deadline);
    });
  }

  #run(execution: Execution, deadline: number): Promise<pg.QueryResult> {
    const { query } = execution;
    const read: Read = { execution, deadline, ...Promise.withResolvers<pg.QueryResult>() };
    const timer = setTimeout(() => read.reject(outOfTime()), timeUntil(deadline));
    const key = `${query.owner} ${query.isScan} ${query.name ?? query.sql}`;
    const open = this.#open.get(key);
    if (open !== undefined && open.length < batchSize) {
      open.push(read);
    } else {
      const batch = [read];
      this.#open.set(key, batch);
      // Lets all requests that have arrived add their reads.
      setImmediate(() => void this.#send(key, batch, query));
    }
    return read.promise.finally(() => clearTimeout(timer));
  }

  async #send(key: string, batch: Read[], use: PoolUse): Promise<void> {
    // Close the batch before waiting: a read that joined now would inherit its earlier deadline.
    if (this.#open.get(key) === batch) this.#open.delete(key);
    const deadline = Math.max(...batch.map((read) => read.deadline));
    let client: Client | undefined;
    try {
      client = await this.#pool.take(use, deadline);
      const executions = batch.map(({ execution }) => execution);
      const results = this.#pool.send(client, executions, deadline);
      for (const [index, { resolve, reject }] of batch.entries()) results[index]?.then(resolve, reject);
      await Promise.allSettled(results);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      if (client !== undefined) this.#pool.release(client);
    }
  }
}
