import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { DatabaseUnavailableError, isDatabaseUnavailable } from '../../kernel/errors/database-unavailable.ts';
import { Clients, ensureTimeLeft, outOfTime, type TimeLeft, writeTogether } from './clients.ts';
import { Reads } from './reads.ts';

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
 * the time left, which also ends those of a server that is frozen and ends nothing itself; it takes a connection when a
 * statement needs one of its own, which a read outside of a transaction does not.
 */
export class Pool implements PostgresPool {
  readonly options: object;
  readonly clients: Clients;
  /** By the text of the statement. */
  readonly #reads = new Map<string, Reads>();
  readonly #startClock: () => TimeLeft;
  readonly nameOf: (text: string) => string | undefined;
  readonly begin: string;

  constructor(pool: pg.Pool, { startClock, nameOf, begin }: PoolOptions) {
    this.options = pool.options;
    this.clients = new Clients(pool);
    this.#startClock = startClock;
    this.nameOf = nameOf;
    this.begin = begin;
  }

  async connect(): Promise<PostgresPoolClient> {
    return new Connection(this, this.#startClock());
  }

  /** What asks a statement that only reads; undefined for any other. */
  readsOf(text: string): Reads | undefined {
    let reads = this.#reads.get(text);
    if (reads === undefined && isPlainRead(text)) {
      reads = new Reads(this.clients, text, this.nameOf(text));
      this.#reads.set(text, reads);
    }
    return reads;
  }

  end(): Promise<void> {
    return this.clients.end();
  }
}

/** What Kysely holds from its first statement to the release: a client of its own from the statement on that needs one. */
class Connection implements PostgresPoolClient {
  readonly #pool: Pool;
  readonly #timeLeft: TimeLeft;
  #client: Promise<pg.PoolClient> | undefined;
  #isLost = false;
  /** Whether a transaction is to be begun, which goes out together with its first statement. */
  #isToBegin = false;

  constructor(pool: Pool, timeLeft: TimeLeft) {
    this.#pool = pool;
    this.#timeLeft = timeLeft;
  }

  // Without the overload for cursors, which Kysely asks for to stream alone, and nothing does.
  readonly query = this.#query.bind(this) as unknown as PostgresPoolClient['query'];

  release(destroy = false): void {
    if (this.#isLost) return;
    void this.#client?.then((client) => client.release(destroy));
  }

  async #query(text: string, values: unknown[]): Promise<pg.QueryResult> {
    if (text === 'begin') {
      this.#isToBegin = true;
      return resultOf('BEGIN');
    }
    // Of a transaction without a statement the database need not know.
    if (this.#isToBegin && (text === 'commit' || text === 'rollback')) return resultOf(text.toUpperCase());
    // The server undoes what a lost connection began; the error that lost it is then the one that is told.
    if (this.#isLost && text === 'rollback') return resultOf('ROLLBACK');
    if (this.#isLost) throw new DatabaseUnavailableError('The connection to the database is gone');
    const isToBegin = this.#isToBegin;
    this.#isToBegin = false;
    if (this.#client === undefined && !isToBegin) {
      const reads = this.#pool.readsOf(text);
      if (reads !== undefined) return reads.ask(values, this.#timeLeft());
    }
    const client = await this.#own();
    if (!isToBegin) return this.#send(client, text, values);
    const [, result] = await Promise.all([this.#send(client, this.#pool.begin, []), this.#send(client, text, values)]);
    return result;
  }

  #own(): Promise<pg.PoolClient> {
    this.#client ??= this.#pool.clients.take(this.#timeLeft).catch((error) => {
      this.#isLost = true;
      throw error;
    });
    return this.#client;
  }

  async #send(client: pg.PoolClient, text: string, values: unknown[]): Promise<pg.QueryResult> {
    const timeLeft = this.#timeLeft();
    ensureTimeLeft(timeLeft);
    const sentAt = performance.now();
    try {
      const name = this.#pool.nameOf(text);
      return await answerOf(client, name === undefined ? { text, values } : { name, text, values }, timeLeft);
    } catch (error) {
      if (isDatabaseUnavailable(error) && !this.#isLost) {
        this.#isLost = true;
        this.#pool.clients.discard(client, error, performance.now() - sentAt);
      }
      throw error;
    }
  }
}

function resultOf(command: string): pg.QueryResult {
  return { command, rowCount: null, oid: 0, fields: [], rows: [] };
}

// One promise and one timer a statement: every request makes several.
function answerOf(client: pg.PoolClient, statement: pg.QueryConfig, ms: number | undefined): Promise<pg.QueryResult> {
  writeTogether(client);
  return new Promise((resolve, reject) => {
    const timer = ms === undefined ? undefined : setTimeout(() => reject(outOfTime()), ms);
    client.query(statement, (error, result) => {
      clearTimeout(timer);
      // It is an Error, or null where pg's types say that it always is one.
      if ((error as Error | null) === null) resolve(result);
      else reject(error);
    });
  });
}

// It changes and locks nothing, so that running it twice is running it once; what calls a function of the server may.
function isPlainRead(text: string): boolean {
  const mayAct = /^select\s+(pg_|set|next)\w*\(|\bfor (no key update|update|share|key share)\b/i;
  return /^select\b/i.test(text) && !mayAct.test(text);
}
