import type pg from 'pg';
import { isConnectionLost, isDatabaseUnavailable } from '../errors/database-unavailable.ts';
import { type Clients, ensureTimeLeft, outOfTime, socketOf } from './clients.ts';

/** Most reads that a connection is sent at once: it answers them one after the other. */
const batchSize = 8;

interface Asker {
  read: Read;
  resolve(result: pg.QueryResult): void;
  reject(error: unknown): void;
  timer: NodeJS.Timeout | undefined;
}

/** A read, for all who ask it. */
interface Read {
  key: string;
  text: string;
  values: unknown[];
  askers: Set<Asker>;
  /** Called when it has been sent and nobody waits for it any longer. */
  onGivenUp: (() => void) | undefined;
  isRunAgain: boolean;
}

/**
 * The reads outside of transactions. Those of one turn of the event loop go out together, several to a connection in one
 * write, as every write wakes a process of PostgreSQL; and a read that several ask at once goes out once. One that was sent
 * is joined by nobody, so that no answer is older than its question. A read whose connection turns out to be gone runs once
 * more.
 */
export class Reads {
  readonly #clients: Clients;
  readonly #nameOf: (text: string) => string | undefined;
  readonly #waiting = new Map<string, Read>();
  #isSendingSoon = false;
  #sendersWaiting = 0;

  constructor(clients: Clients, nameOf: (text: string) => string | undefined) {
    this.#clients = clients;
    this.#nameOf = nameOf;
  }

  /**
   * The answer of a statement that only reads, within so many ms (undefined: without limit). The rows may be others' too:
   * they are not to be changed.
   */
  async ask(text: string, values: unknown[], ms: number | undefined): Promise<pg.QueryResult> {
    ensureTimeLeft(ms);
    const read = this.#join(text, values);
    return new Promise((resolve, reject) => {
      const asker: Asker = { read, resolve, reject, timer: undefined };
      join(asker, read);
      if (ms !== undefined) asker.timer = setTimeout(() => this.#giveUp(asker), ms);
    });
  }

  #join(text: string, values: unknown[]): Read {
    const key = `${text}\n${JSON.stringify(values)}`;
    const waiting = this.#waiting.get(key);
    if (waiting !== undefined) return waiting;
    const read = { key, text, values, askers: new Set<Asker>(), onGivenUp: undefined, isRunAgain: false };
    this.#wait(read);
    return read;
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
      // How long it may take is bounded by the pool and, for each asker, by its own time.
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
    const socket = socketOf(client);
    socket.cork();
    for (const read of reads) {
      read.onGivenUp = () => discard(outOfTime());
      const name = this.#nameOf(read.text);
      const { text, values } = read;
      // The error is null where there is none, of which pg's types know nothing.
      client.query(name === undefined ? { text, values } : { name, text, values }, (error: Error | null, result) => {
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
    socket.uncork();
  }

  #runAgain(read: Read): void {
    if (read.askers.size === 0) return;
    read.isRunAgain = true;
    const waiting = this.#waiting.get(read.key);
    if (waiting === undefined) this.#wait(read);
    else for (const asker of read.askers) join(asker, waiting);
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

function join(asker: Asker, read: Read): void {
  asker.read = read;
  read.askers.add(asker);
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
