import { Socket } from 'node:net';
import pg from 'pg';
import {
  DatabaseUnavailableError,
  isConnectionLost,
  isDatabaseUnavailable,
  isLate,
  isReadOnly,
} from '../../kernel/errors/database-errors.ts';
import { currentDeadline } from '../../kernel/request/scope.ts';
import { Turns } from '../../kernel/turns.ts';
import { timeUntil, within } from '../../kernel/within.ts';
import type { Session } from './session-settings.ts';
import type { Query } from './statement.ts';

/** A connection without a response for so long, in ms, makes all that were made before it ended doubtful. */
const doubtfulSilence = 1_000;

/** The longest time of Node's timers, in ms: 24 days. */
const longestTimer = 2 ** 31 - 1;

const noConnection = 'No connection to the database was free in time';

/** A client of PostgreSQL that makes its own socket, so that its writes can be joined and its connection cut. */
export class Client extends pg.Client {
  readonly socket: Socket;
  readonly madeAt = performance.now();
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
  readonly session: Session;
  readonly #pool: pg.Pool;
  readonly #turns: Turns<unknown>;
  /** Clients made before are doubtful. */
  #trustedSince = 0;

  constructor(pool: pg.Pool, session: Session) {
    this.#pool = pool;
    this.session = session;
    this.#turns = new Turns({ perKey: Math.max(1, Math.floor(pool.options.max / 2)) });
  }

  /** When a wait that begins now ends, by performance.now(). */
  deadline(): number {
    return this.session.timeouts ? currentDeadline() : performance.now() + longestTimer;
  }

  /** A client that is not doubtful, to be released. Rejects with a DatabaseUnavailableError. */
  async take(owner: unknown, deadline: number): Promise<Client> {
    const late = () => new DatabaseUnavailableError(noConnection);
    const onReleased = owner === undefined ? () => {} : await this.#turns.take(owner, deadline, late);
    try {
      for (;;) {
        const client = await this.#connect(deadline);
        if (client.madeAt >= this.#trustedSince) return Object.assign(client, { onReleased });
        client.release(true);
      }
    } catch (error) {
      onReleased();
      const { message, code } = error as NodeJS.ErrnoException;
      throw new DatabaseUnavailableError(message || code, { cause: error });
    }
  }

  /**
   * Sends queries in one write; returns a promise for each. A client that does not respond to all of them before the deadline,
   * or that responds with an error of an unavailable database, is discarded.
   */
  send(client: Client, queries: readonly Query[], deadline: number): Promise<pg.QueryResult>[] {
    const ms = timeUntil(deadline);
    if (ms === 0) {
      // The server rolls back what was not committed.
      this.release(client, true);
      throw outOfTime();
    }
    client.writeTogether();
    return queries.map(async ({ name, sql, parameters }) => {
      // With its time-out, pg cuts the connection: what follows a response that is missing could not be read.
      const time = { query_timeout: ms };
      try {
        return await client.query({
          text: sql,
          values: [...parameters],
          name: this.session.prepare ? name : undefined,
          ...time,
        });
      } catch (error) {
        if (isDatabaseUnavailable(error)) this.#discard(client, error, ms);
        throw error;
      }
    });
  }

  /** Gives a client back to the pool, or ends its connection. */
  release(client: Client, isDiscarded = false): void {
    if (client.isDiscarded) return;
    client.isDiscarded = isDiscarded;
    // By force: otherwise the client would first wait for its responses, which a frozen server never sends.
    if (isDiscarded) client.socket.destroy();
    client.onReleased();
    (client as PoolClient).release(isDiscarded);
  }

  // If its connection was lost, silent for long or to a server that only reads, then those made before are not used again.
  #discard(client: Client, error: unknown, ms: number): void {
    // The queries behind the one that failed end with its connection, which says nothing about others.
    if (client.isDiscarded) return;
    const isDoubtful = isConnectionLost(error) || isReadOnly(error) || (isLate(error) && ms >= doubtfulSilence);
    if (isDoubtful && client.madeAt >= this.#trustedSince) this.#trustedSince = performance.now();
    this.release(client, true);
  }

  async #connect(deadline: number): Promise<PoolClient> {
    const connecting = this.#pool.connect() as Promise<PoolClient>;
    return within(timeUntil(deadline), connecting, noConnection).catch((error) => {
      connecting.then(
        (client) => client.release(),
        () => {},
      );
      throw error;
    });
  }
}

export function outOfTime(): DatabaseUnavailableError {
  return new DatabaseUnavailableError('The database did not respond in time');
}
