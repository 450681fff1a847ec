import type pg from 'pg';
import { isConnectionLost, isDatabaseUnavailable } from '../../kernel/errors/database-errors.ts';
import { type Client, type Clients, configOf, ensureTimeLeft, outOfTime, type TimeLeft } from './clients.ts';
import type { Query } from './statement.ts';

/** How many reads one connection is sent at once. */
const batchSize = 8;

/** The longest time of Node's timers, in ms: 24 days. */
const longestTimer = 2 ** 31 - 1;

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
 * connection is lost runs once more.
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
    return new Promise((resolve, reject) => {
      ensureTimeLeft(timeLeft());
      this.#add({ query, owner, timeLeft, wasLost: false, resolve, reject });
    });
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
    setImmediate(() => void this.#sendWhenConnected(key, batch));
  }

  async #sendWhenConnected(key: string, batch: Read[]): Promise<void> {
    const [{ owner, timeLeft }] = batch as [Read];
    const close = () => {
      if (this.#open.get(key) === batch) this.#open.delete(key);
    };
    try {
      const client = await this.#clients.take(owner, timeLeft);
      close();
      this.#send(client, batch);
    } catch (error) {
      close();
      for (const read of batch) read.reject(copyOf(error));
    }
  }

  #send(client: Client, batch: Read[]): void {
    let heardAt = performance.now();
    let unanswered = batch.length;
    let isOver = false;
    let isLate = false;
    const discard = (error: unknown) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      this.#clients.discard(client, error, performance.now() - heardAt);
    };
    const timer = setTimeout(
      () => {
        isLate = true;
        discard(outOfTime());
      },
      Math.min(...batch.map(({ timeLeft }) => timeLeft() ?? longestTimer)),
    );
    client.writeTogether();
    for (const read of batch) {
      // The error is null on success, though pg's types say otherwise.
      client.query(configOf(read.query, this.#prepare), (error: Error | null, result) => {
        unanswered -= 1;
        if (error === null) read.resolve(result);
        else if (isLate && isConnectionLost(error)) this.#addUnlessLate(read);
        else if (!read.wasLost && (isConnectionLost(error) || isNotPrepared(error))) {
          read.wasLost = true;
          this.#add(read);
        } else read.reject(error);
        if (error !== null && isDatabaseUnavailable(error)) discard(error);
        heardAt = performance.now();
        if (unanswered > 0 || isOver) return;
        isOver = true;
        clearTimeout(timer);
        this.#clients.release(client);
      });
    }
  }

  // The connection was ended for the read of the batch with the least time; the others may have some left.
  #addUnlessLate(read: Read): void {
    if ((read.timeLeft() ?? 1) > 1) this.#add(read);
    else read.reject(outOfTime());
  }
}

// The first read of a batch prepares the statement for the others: if it fails to, they fail with this code.
function isNotPrepared(error: Error & { code?: string }): boolean {
  return error.code === '26000';
}

// One each, as Kysely adds to the stack of an error.
function copyOf(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { message, stack, cause } = error;
  return Object.assign(Object.create(Object.getPrototypeOf(error)), error, { message, stack, cause });
}
