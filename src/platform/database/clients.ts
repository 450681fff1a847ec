import { Socket } from 'node:net';
import pg from 'pg';
import {
  DatabaseUnavailableError,
  isConnectionLost,
  isDatabaseUnavailable,
  isReadOnly,
} from '../../kernel/errors/database-errors.ts';
import { Turns } from '../../kernel/turns.ts';
import { within } from '../../kernel/within.ts';

/** A connection without a response for so long, in ms, makes all that were made before it ended doubtful. */
const doubtfulSilence = 1_000;

/** The longest time of Node's timers, in ms: 24 days. */
export const longestTimer = 2 ** 31 - 1;

const noConnection = 'No connection to the database was free in time';

/** The ms that a request has left for the database; undefined is without limit. */
export type TimeLeft = () => number | undefined;

/** A client of PostgreSQL that makes its own socket, so that its writes can be joined and its connection cut. */
export class Client extends pg.Client {
  readonly socket: Socket;
  /** The era in which it connected. */
  era = 0;
  isDiscarded = false;
  /** Called once, when the pool has the client back. */
  onReleased = () => {};

  constructor(config?: pg.ClientConfig) {
    const socket = new Socket();
    super({ ...config, stream: () => socket });
    this.socket = socket;
  }

  /** Sends all queries of this turn in one write, as every write wakes a process of PostgreSQL. With TLS each has its own. */
  writeTogether(): void {
    this.socket.cork();
    process.nextTick(() => this.socket.uncork());
  }
}

type PoolClient = Client & pg.PoolClient;

/** The clients of pg's pool. Each owner has at most half of them at a time; further requests of an owner wait in order. */
export class Clients {
  readonly #pool: pg.Pool;
  readonly #turns: Turns<unknown>;
  #era = 0;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
    this.#turns = new Turns({ perKey: Math.max(1, Math.floor(pool.options.max / 2)) });
    pool.on('connect', (client) => {
      (client as PoolClient).era = this.#era;
    });
  }

  /** A client of the current era, to be released. Rejects with a DatabaseUnavailableError. */
  async take(owner: unknown, timeLeft: TimeLeft): Promise<Client> {
    const late = () => new DatabaseUnavailableError(noConnection);
    const end = owner === undefined ? () => {} : await this.#turns.take(owner, timeLeft(), late);
    try {
      for (;;) {
        const client = await this.#connect(timeLeft());
        if (client.era === this.#era) return Object.assign(client, { onReleased: end });
        client.release(true);
      }
    } catch (error) {
      end();
      const { message, code } = error as NodeJS.ErrnoException;
      throw new DatabaseUnavailableError(message || code, { cause: error });
    }
  }

  /**
   * Sends queries in one write; returns a promise for each. A client that does not respond to all of them within `ms`, or that
   * responds with an error of an unavailable database, is discarded.
   */
  send(client: Client, queries: readonly pg.QueryConfig[], ms = longestTimer): Promise<pg.QueryResult>[] {
    let heardAt = performance.now();
    let unanswered = queries.length;
    // Ended by force: otherwise the client would first wait for its responses, which a frozen server never sends.
    const timer = setTimeout(() => client.socket.destroy(outOfTime()), Math.max(ms, 1));
    client.writeTogether();
    return queries.map(async (query) => {
      try {
        const result = await client.query(query);
        heardAt = performance.now();
        return result;
      } catch (error) {
        if (isDatabaseUnavailable(error)) this.discard(client, error, performance.now() - heardAt);
        throw error;
      } finally {
        unanswered -= 1;
        if (unanswered === 0) clearTimeout(timer);
      }
    });
  }

  release(client: Client): void {
    if (client.isDiscarded) return;
    client.onReleased();
    (client as PoolClient).release();
  }

  end(): Promise<void> {
    return this.#pool.end();
  }

  /**
   * Ends a client after an error that makes the database unavailable. If its connection was lost, silent for long or to a
   * server that only reads, so are the others of its era: the next one begins, and they are not used again.
   */
  discard(client: Client, error: unknown, silence = 0): void {
    if (client.isDiscarded) return;
    const isSilent = error instanceof DatabaseUnavailableError && silence >= doubtfulSilence;
    const isDoubtful = isConnectionLost(error) || isReadOnly(error) || isSilent;
    if (isDoubtful && client.era === this.#era) this.#era += 1;
    client.isDiscarded = true;
    client.socket.destroy();
    client.onReleased();
    (client as PoolClient).release(true);
  }

  async #connect(ms: number | undefined): Promise<PoolClient> {
    if (ms !== undefined && ms <= 0) throw new Error('No time was left for the database');
    const connecting = this.#pool.connect();
    try {
      const client = await (ms === undefined ? connecting : within(ms, connecting, noConnection));
      return client as PoolClient;
    } catch (error) {
      connecting.then(
        (client) => client.release(),
        () => {},
      );
      throw error;
    }
  }
}

export function outOfTime(): DatabaseUnavailableError {
  return new DatabaseUnavailableError('The database did not respond in time');
}
