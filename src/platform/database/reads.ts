import type pg from 'pg';
import { isConnectionLost, isDatabaseUnavailable } from '../../kernel/errors/database-unavailable.ts';
import { type Clients, connectTimeout, ensureTimeLeft, noConnection, outOfTime, writeTogether } from './clients.ts';

/** Most reads that a connection is sent at once: it answers them one after the other. */
const batchSize = 8;

/** In ms, 24 days: what is without limit. */
const longestTimer = 2 ** 31 - 1;

/** A statement with its values, for all who ask it. */
interface Read {
  key: string;
  values: unknown[];
  askers: Set<Asker>;
  /** Called when it has been sent and nobody waits for it any longer. */
  onGivenUp: (() => void) | undefined;
}

interface Asker {
  read: Read;
  /** By performance.now(), as its end. */
  askedAt: number;
  endsAt: number;
  /** Whether a connection was lost that its read had been sent to. */
  hasRunAgain: boolean;
  resolve(result: pg.QueryResult): void;
  reject(error: unknown): void;
  timer: NodeJS.Timeout | undefined;
}

/**
 * A statement that only reads, outside of transactions. What is asked in one turn of the event loop goes out together, several
 * reads to a connection in one write, as every write wakes a process of PostgreSQL; and a read that several ask at once goes
 * out once. One that was sent is joined by nobody, so that no answer is older than its question. Only reads of one statement
 * go together: none waits behind a statement that takes longer, or whose tables are locked. A read whose connection turns
 * out to be gone runs once more.
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

  /** The answer for these values, within so many ms. Its rows may be given to others too: they are not to be changed. */
  async ask(values: unknown[], ms = longestTimer): Promise<pg.QueryResult> {
    ensureTimeLeft(ms);
    const key = JSON.stringify(values);
    return new Promise((resolve, reject) => {
      const read = this.#waitingRead(key, values);
      const askedAt = performance.now();
      const asker: Asker = {
        read,
        askedAt,
        endsAt: askedAt + ms,
        hasRunAgain: false,
        resolve,
        reject,
        timer: undefined,
      };
      join(asker, read);
      this.#wait(asker, Math.min(ms, connectTimeout));
      this.#sendSoon();
    });
  }

  #waitingRead(key: string, values: unknown[]): Read {
    const waiting = this.#waiting.get(key);
    if (waiting !== undefined) return waiting;
    const read = { key, values, askers: new Set<Asker>(), onGivenUp: undefined };
    this.#waiting.set(key, read);
    return read;
  }

  #sendSoon(): void {
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
    const startedAt = performance.now();
    try {
      // Each asker bounds the wait itself.
      const client = await this.#clients.take(() => undefined);
      const reads = this.#next();
      if (reads.length > 0) this.#send(client, reads);
      else client.release();
    } catch (error) {
      for (const read of this.#next()) {
        // Who came since has not waited as long.
        this.#askAgain(read, ({ askedAt }) => askedAt > startedAt);
        fail(read, error);
      }
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
    let heardAt = performance.now();
    let unanswered = reads.length;
    let end: 'lost' | 'ours' | undefined;
    const discard = (error: unknown) => {
      if (end !== undefined) return;
      end = isConnectionLost(error) ? 'lost' : 'ours';
      this.#clients.discard(client, error, performance.now() - heardAt);
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
          // What this connection's end is to others that were sent with the one it was ended for is no fault of theirs.
          if (isConnectionLost(error)) this.#askAgain(read, (asker) => end === 'ours' || hasFirstLoss(asker));
          else if (isNotPrepared(error)) this.#askAgain(read, hasFirstLoss);
          if (isDatabaseUnavailable(error)) discard(error);
          fail(read, error);
        }
        heardAt = performance.now();
        if (unanswered === 0 && end === undefined) client.release();
      });
    }
  }

  /** Has some of a read's askers, which are then no longer its, ask once more. */
  #askAgain(read: Read, isAsking: (asker: Asker) => boolean): void {
    const again = [...read.askers].filter(isAsking);
    for (const asker of again) {
      read.askers.delete(asker);
      join(asker, this.#waitingRead(read.key, read.values));
      this.#sendSoon();
    }
  }

  // One timer for both waits, of which the longer one hardly ever begins: for a connection, and then for the answer.
  #wait(asker: Asker, ms: number): void {
    asker.timer = setTimeout(() => {
      const msLeft = asker.endsAt - performance.now();
      const isSent = this.#waiting.get(asker.read.key) !== asker.read;
      if (isSent && msLeft > 0) this.#wait(asker, msLeft);
      else this.#giveUp(asker, isSent ? outOfTime() : noConnection());
    }, ms);
  }

  // A read that nobody waits for is not sent; one that was sent is waited for in vain, its connection with it.
  #giveUp(asker: Asker, error: Error): void {
    const { read } = asker;
    read.askers.delete(asker);
    asker.reject(error);
    if (read.askers.size > 0) return;
    if (this.#waiting.get(read.key) === read) this.#waiting.delete(read.key);
    read.onGivenUp?.();
  }
}

function join(asker: Asker, read: Read): void {
  asker.read = read;
  read.askers.add(asker);
}

function hasFirstLoss(asker: Asker): boolean {
  const isFirst = !asker.hasRunAgain;
  asker.hasRunAgain = true;
  return isFirst;
}

// The first of a batch prepares the statement for those behind it: when it cannot, they fail for another reason than it.
function isNotPrepared(error: Error & { code?: string }): boolean {
  return error.code === '26000';
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
    reject(copyOf(error));
  }
}

// Each asker's own: Kysely adds to an error's stack as it passes by.
function copyOf(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { message, stack, cause } = error;
  return Object.assign(Object.create(Object.getPrototypeOf(error)), error, { message, stack, cause });
}
