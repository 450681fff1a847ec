import { Socket } from 'node:net';
import pg from 'pg';
import { DatabaseUnavailableError, isConnectionLost, isReadOnly } from '../../kernel/errors/database-errors.ts';
import { Turns } from '../../kernel/turns.ts';
import type { Query } from './statement.ts';

/** The longest wait for a connection, in ms. */
export const connectTimeout = 2_000;

/** A connection without a response for so long, in ms, makes all that were made before it ended doubtful. */
const doubtfulSilence = 1_000;

/** The ms that a request has left for the database; undefined is without limit. */
export type TimeLeft = () => number | undefined;

/** A client of PostgreSQL that makes its own socket, so that its writes can be joined and its connection cut. */
export class Client extends pg.Client {
  readonly socket: Socket;
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

/** The clients of pg's pool. Each owner has at most half of them at a time; further requests of an owner wait in order. */
export class Clients {
  readonly #pool: pg.Pool;
  readonly #turns: Turns<unknown>;
  readonly #connectedIn = new WeakMap<pg.ClientBase, number>();
  #era = 0;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
    this.#turns = new Turns(Math.max(1, Math.floor(pool.options.max / 2)));
    pool.on('connect', (client) => this.#connectedIn.set(client, this.#era));
  }

  /** A client of the current era, to be released or discarded. Rejects with a DatabaseUnavailableError. */
  async take(owner: unknown, timeLeft: TimeLeft): Promise<Client> {
    ensureTimeLeft(timeLeft());
    const end = owner === undefined ? () => {} : await this.#turns.take(owner, timeLeft(), noConnection);
    try {
      for (;;) {
        const client = await this.#connect(timeLeft());
        if (this.#connectedIn.get(client) === this.#era) return Object.assign(client, { onReleased: end });
        (client as unknown as pg.PoolClient).release(true);
      }
    } catch (error) {
      end();
      if (error instanceof DatabaseUnavailableError) throw error;
      const { message, code } = error as NodeJS.ErrnoException;
      throw new DatabaseUnavailableError(message || code, { cause: error });
    }
  }

  release(client: Client): void {
    client.onReleased();
    (client as unknown as pg.PoolClient).release();
  }

  /**
   * Ends a client after an error that makes the database unavailable. If its connection was lost, silent for long or to a
   * server that only reads, so are the others of its era: the next one begins, and they are not used again.
   */
  discard(client: Client, error: unknown, silence: number): void {
    const isSilent = error instanceof DatabaseUnavailableError && silence >= doubtfulSilence;
    const isDoubtful = isConnectionLost(error) || isReadOnly(error) || isSilent;
    if (isDoubtful && this.#connectedIn.get(client) === this.#era) this.#era++;
    // Otherwise the client would first wait for its responses, which a frozen server never sends.
    client.socket.destroy();
    client.onReleased();
    (client as unknown as pg.PoolClient).release(true);
  }

  end(): Promise<void> {
    return this.#pool.end();
  }

  async #connect(ms: number | undefined): Promise<Client> {
    ensureTimeLeft(ms);
    const connecting = this.#pool.connect();
    const late = Promise.withResolvers<never>();
    const timer = ms === undefined ? undefined : setTimeout(() => late.reject(noConnection()), ms);
    try {
      return (await Promise.race([connecting, late.promise])) as unknown as Client;
    } catch (error) {
      connecting.then(
        (client) => client.release(),
        () => {},
      );
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }
}

/** A query as pg takes it; prepared, if statements may be. */
export function configOf({ name, sql, parameters }: Query, prepare: boolean): pg.QueryConfig {
  const config = { text: sql, values: parameters as unknown[] };
  return prepare && name !== undefined ? { ...config, name } : config;
}

export function outOfTime(): DatabaseUnavailableError {
  return new DatabaseUnavailableError('The database did not respond in time');
}

function noConnection(): DatabaseUnavailableError {
  return new DatabaseUnavailableError('No connection to the database was free in time');
}

export function ensureTimeLeft(ms: number | undefined): void {
  if (ms !== undefined && ms <= 0) throw new DatabaseUnavailableError('No time was left for the database');
}
