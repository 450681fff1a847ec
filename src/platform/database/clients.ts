import type { Socket } from 'node:net';
import type pg from 'pg';
import { DatabaseUnavailableError, isConnectionLost, isReadOnly } from '../../kernel/errors/database-unavailable.ts';

/** The longest wait for a client, in ms. */
export const connectTimeout = 2_000;

/** A connection without an answer for so long, in ms, makes its whole era doubtful; shorter, the request was out of time. */
const doubtfulSilence = 1_000;

/** The ms that a statement still has; undefined is without limit. */
export type TimeLeft = () => number | undefined;

/** The clients of pg's pool, none of which is used again that gave cause to doubt it. */
export class Clients {
  readonly #pool: pg.Pool;
  readonly #connectedIn = new WeakMap<pg.ClientBase, number>();
  #era = 0;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
    pool.on('connect', (client) => this.#connectedIn.set(client, this.#era));
  }

  /** A client of the current era, to be released or discarded. What keeps it from being had is a DatabaseUnavailableError. */
  async take(timeLeft: TimeLeft): Promise<pg.PoolClient> {
    for (;;) {
      const client = await this.#acquire(timeLeft);
      if (this.#connectedIn.get(client) === this.#era) return client;
      client.release(true);
    }
  }

  /**
   * Ends a client after an error that makes the database unavailable. Was its connection lost, silent for long, or that of
   * a server that only reads, then so are those of its era: the next one begins, and they are not used again either.
   */
  discard(client: pg.PoolClient, error: unknown, silence: number): void {
    const isSilent = error instanceof DatabaseUnavailableError && silence >= doubtfulSilence;
    const isDoubtful = isConnectionLost(error) || isReadOnly(error) || isSilent;
    if (isDoubtful && this.#connectedIn.get(client) === this.#era) this.#era++;
    // A client that sends ahead of the answers would wait for them as it ends: the server may never give them.
    socketOf(client).destroy();
    client.release(true);
  }

  end(): Promise<void> {
    return this.#pool.end();
  }

  async #acquire(timeLeft: TimeLeft): Promise<pg.PoolClient> {
    let asked: Promise<pg.PoolClient> | undefined;
    try {
      return await within(timeLeft(), () => {
        asked = this.#pool.connect();
        return asked;
      });
    } catch (error) {
      asked?.then(
        (late) => late.release(),
        () => {},
      );
      if (error instanceof DatabaseUnavailableError) throw error;
      const { message, code } = error as NodeJS.ErrnoException;
      throw new DatabaseUnavailableError(message || code, { cause: error });
    }
  }
}

/** Has all that a client sends from now on in this turn sent in one write: every write wakes a process of PostgreSQL. */
export function writeTogether(client: pg.PoolClient): void {
  const socket = socketOf(client);
  socket.cork();
  process.nextTick(() => socket.uncork());
}

function socketOf(client: pg.PoolClient): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}

/** What a statement fails with when its time ran out after it was asked. */
export function outOfTime(): DatabaseUnavailableError {
  return new DatabaseUnavailableError('The database did not answer in time');
}

/** What a statement fails with when its wait for a connection was in vain. */
export function noConnection(): DatabaseUnavailableError {
  return new DatabaseUnavailableError('No connection to the database was had in time');
}

/** Nothing is wrong with a connection when nothing was sent. */
export function ensureTimeLeft(ms: number | undefined): void {
  if (ms !== undefined && ms <= 0) throw new DatabaseUnavailableError('No time was left for the database');
}

async function within<Result>(ms: number | undefined, start: () => Promise<Result>): Promise<Result> {
  if (ms === undefined) return start();
  ensureTimeLeft(ms);
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(outOfTime()), ms);
  try {
    return await Promise.race([start(), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
