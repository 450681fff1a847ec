import type { Socket } from 'node:net';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import {
  DatabaseUnavailableError,
  isConnectionLost,
  isDatabaseUnavailable,
  isReadOnly,
} from '../errors/database-unavailable.ts';

/** A connection without an answer for so long, in ms, makes its whole era doubtful; shorter, the request was out of time. */
const doubtfulSilence = 1_000;

/** The ms that a statement still has; undefined is without limit. */
export type TimeLeft = () => number | undefined;

interface PoolOptions {
  /** Called as a connection is asked for. */
  startClock: () => TimeLeft;
  /** The name under which a statement is prepared; undefined for one that is not. */
  nameOf: (text: string) => string | undefined;
  /** What begins a transaction. */
  begin: string;
}

/**
 * The pool that Kysely takes its connections from. Over pg's own it bounds the wait for a connection and each statement by
 * the time left, which also ends those of a server that is frozen and ends nothing itself; it runs a read again whose
 * connection turns out to be gone; and it uses no connection again that gave cause to doubt it.
 */
export class Pool implements PostgresPool {
  readonly options: object;
  readonly #pool: pg.Pool;
  readonly #startClock: () => TimeLeft;
  readonly nameOf: (text: string) => string | undefined;
  readonly begin: string;
  readonly #connectedIn = new WeakMap<pg.ClientBase, number>();
  #era = 0;

  constructor(pool: pg.Pool, { startClock, nameOf, begin }: PoolOptions) {
    this.options = pool.options;
    this.#pool = pool;
    this.#startClock = startClock;
    this.nameOf = nameOf;
    this.begin = begin;
    pool.on('connect', (client) => this.#connectedIn.set(client, this.#era));
  }

  async connect(): Promise<PostgresPoolClient> {
    const timeLeft = this.#startClock();
    return new Connection(this, await this.take(timeLeft), timeLeft);
  }

  end(): Promise<void> {
    return this.#pool.end();
  }

  /** A client of the current era. Whatever keeps it from being had is a DatabaseUnavailableError. */
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

/** A client of the pool, as Kysely holds it from its first statement to the release. */
class Connection implements PostgresPoolClient {
  readonly #pool: Pool;
  readonly #timeLeft: TimeLeft;
  #client: pg.PoolClient | undefined;
  #isUnused = true;
  /** Whether a transaction is to be begun, which goes out together with its first statement. */
  #isToBegin = false;

  constructor(pool: Pool, client: pg.PoolClient, timeLeft: TimeLeft) {
    this.#pool = pool;
    this.#client = client;
    this.#timeLeft = timeLeft;
  }

  // Without the overload for cursors, which Kysely asks for to stream alone, and nothing does.
  readonly query = this.#query.bind(this) as unknown as PostgresPoolClient['query'];

  release(destroy = false): void {
    this.#client?.release(destroy);
    this.#client = undefined;
  }

  async #query(text: string, values: unknown[]): Promise<pg.QueryResult> {
    if (text === 'begin') {
      this.#isToBegin = true;
      return resultOf('BEGIN');
    }
    if (this.#isToBegin) {
      this.#isToBegin = false;
      this.#isUnused = false;
      // Of a transaction without a statement the database need not know.
      if (text === 'commit' || text === 'rollback') return resultOf(text.toUpperCase());
      const [, result] = await Promise.all([this.#send(this.#pool.begin, []), this.#send(text, values)]);
      return result;
    }
    const mayRunAgain = this.#isUnused && isPlainRead(text);
    this.#isUnused = false;
    try {
      return await this.#send(text, values);
    } catch (error) {
      if (!mayRunAgain || !isConnectionLost(error)) throw error;
      this.#client = await this.#pool.take(this.#timeLeft);
      return this.#send(text, values);
    }
  }

  async #send(text: string, values: unknown[]): Promise<pg.QueryResult> {
    const client = this.#client;
    if (client === undefined) {
      // The server undoes what a lost connection began; the error that lost it is then the one that is told.
      if (text === 'rollback') return resultOf('ROLLBACK');
      throw new DatabaseUnavailableError('The connection to the database is gone');
    }
    const timeLeft = this.#timeLeft();
    // Nothing is wrong with the connection when nothing was sent.
    if (timeLeft !== undefined && timeLeft <= 0)
      throw new DatabaseUnavailableError('No time was left for the database');
    const sentAt = performance.now();
    try {
      const name = this.#pool.nameOf(text);
      const statement = name === undefined ? { text, values } : { name, text, values };
      return await answerOf(client, statement, timeLeft);
    } catch (error) {
      if (isDatabaseUnavailable(error) && this.#client === client) {
        this.#client = undefined;
        this.#pool.discard(client, error, performance.now() - sentAt);
      }
      throw error;
    }
  }
}

function socketOf(client: pg.PoolClient): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}

function resultOf(command: string): pg.QueryResult {
  return { command, rowCount: null, oid: 0, fields: [], rows: [] };
}

// One promise and one timer a statement: every request makes several.
function answerOf(client: pg.PoolClient, statement: pg.QueryConfig, ms: number | undefined): Promise<pg.QueryResult> {
  return new Promise((resolve, reject) => {
    const timer =
      ms === undefined
        ? undefined
        : setTimeout(() => reject(new DatabaseUnavailableError('The database did not answer in time')), ms);
    client.query(statement, (error, result) => {
      clearTimeout(timer);
      // It is an Error, or null where pg's types say that it always is one.
      if ((error as Error | null) === null) resolve(result);
      else reject(error);
    });
  });
}

// It changes and locks nothing, so that running it twice is running it once.
function isPlainRead(text: string): boolean {
  return /^select\b/i.test(text) && !/\bfor (no key update|update|share|key share)\b/i.test(text);
}

async function within<Result>(ms: number | undefined, start: () => Promise<Result>): Promise<Result> {
  if (ms === undefined) return start();
  if (ms <= 0) throw new DatabaseUnavailableError('No time was left for the database');
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new DatabaseUnavailableError('The database did not answer in time')), ms);
  try {
    return await Promise.race([start(), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
