import type pg from 'pg';
import { isConnectionLost, isDatabaseUnavailable } from '../errors/database-unavailable.ts';
import { type Clients, ensureTimeLeft, outOfTime, writeTogether } from './clients.ts';

/** Most reads that a connection is sent at once: it answers them one after the other. */
const batchSize = 8;

/** A statement with its values, for all who ask it. */
interface Read {
  key: string;
  values: unknown[];
  askers: Set<Asker>;
  /** Called when it has been sent and nobody waits for it any longer. */
  onGivenUp: (() => void) | undefined;
  isRunAgain: boolean;
}

interface Asker {
  read: Read;
  resolve(result: pg.QueryResult): void;
  reject(error: unknown): void;
  timer: NodeJS.Timeout | undefined;
}

/**
 * A statement that only reads, outside of transactions. What is asked in one turn of the event loop goes out together, several
 * reads to a connection in one write, as every write wakes a process of PostgreSQL; and a read that several ask at once goes
 * out once. One that was sent is joined by nobody, so that no answer is older than its question. Only reads of one statement
 * go together: none waits behind another that takes longer or is locked out. A read whose connection turns out to be gone
 * runs once more.
 */
export class Reads {
  readonly #clients: Clients;
  readonly #statement: { text: string; name?: string };
  readonly #waiting = new Map<string, Read>();
  #isSendingSoon = false;
  #sendersWaiting = 0;

  /** Of a statement's text, which is prepared if it has a name. */
  constructor(clients: Clients, text: string, name: string | undefined) {
    this.#clients = clients;
    this.#statement = name === undefined ? { text } : { text, name };
  }

  /**
   * The answer for these values, within so many ms (undefined: without limit). Its rows may be given to others too: they
   * are not to be changed.
   */
  async ask(values: unknown[], ms: number | undefined): Promise<pg.QueryResult> {
    ensureTimeLeft(ms);
    const key = JSON.stringify(values);
    const read = this.#waiting.get(key) ?? { key, values, askers: new Set(), onGivenUp: undefined, isRunAgain: false };
    return new Promise((resolve, reject) => {
      const asker: Asker = { read, resolve, reject, timer: undefined };
      if (ms !== undefined) asker.timer = setTimeout(() => this.#giveUp(asker), ms);
      read.askers.add(asker);
      this.#wait(read);
    });
  }

  #wait(read: Read): void {
    this.#waiting.set(read.key, read);
    if (this.#isSendingSoon) return;
    this.#isSendingSoon = true;
    // After what came in by now has been read, and asked its questions.
    setImmediate(() => {
      this.#isSendingSoon = false;
      while (this.#sendersWaiting * batchSize < this.#waiting.size) void this.#sendSome();
    });
  }

  async #sendSome(): Promise<void> {
    this.#sendersWaiting += 1;
    try {
      // The wait is bounded by the pool and, for each asker, by its own time.
      const client = await this.#clients.take(() => undefined);
      const reads = this.#next();
      if (reads.length > 0) this.#send(client, reads);
      else client.release();
    } catch (error) {
      for (const read of this.#next()) fail(read, error);
    } finally {
      this.#sendersWaiting -= 1;
    }
  }

  #next(): Read[] {
    const reads = [...this.#waiting.values()].slice(0, batchSize);
    for (const { key } of reads) this.#waiting.delete(key);
    return reads;
  }

  #send(client: pg.PoolClient, reads: Read[]): void {
    const sentAt = performance.now();
    let unanswered = reads.length;
    let isDiscarded = false;
    const discard = (error: unknown) => {
      if (isDiscarded) return;
      isDiscarded = true;
      this.#clients.discard(client, error, performance.now() - sentAt);
    };
    writeTogether(client);
    for (const read of reads) {
      read.onGivenUp = () => discard(outOfTime());
      // The error is null where there is none, of which pg's types know nothing.
      client.query({ ...this.#statement, values: read.values }, (error: Error | null, result) => {
        unanswered -= 1;
        read.onGivenUp = undefined;
        if (error === null) succeed(read, result);
        else {
          if (isDatabaseUnavailable(error)) discard(error);
          if (isConnectionLost(error) && !read.isRunAgain) this.#runAgain(read);
          else fail(read, error);
        }
        if (unanswered === 0 && !isDiscarded) client.release();
      });
    }
  }

  #runAgain(read: Read): void {
    if (read.askers.size === 0) return;
    const { key, values, askers } = read;
    const again = this.#waiting.get(key) ?? { key, values, askers: new Set(), onGivenUp: undefined, isRunAgain: true };
    for (const asker of askers) {
      asker.read = again;
      again.askers.add(asker);
    }
    this.#wait(again);
  }

  // A read that nobody waits for is not sent; one that was sent is waited for in vain, its connection with it.
  #giveUp(asker: Asker): void {
    const { read } = asker;
    read.askers.delete(asker);
    asker.reject(outOfTime());
    if (read.askers.size > 0) return;
    if (this.#waiting.get(read.key) === read) this.#waiting.delete(read.key);
    read.onGivenUp?.();
  }
}

function succeed({ askers }: Read, result: pg.QueryResult): void {
  for (const { resolve, timer } of askers) {
    clearTimeout(timer);
    resolve(result);
  }
}

function fail({ askers }: Read, error: unknown): void {
  for (const { reject, timer } of askers) {
    clearTimeout(timer);
    reject(error);
  }
}
