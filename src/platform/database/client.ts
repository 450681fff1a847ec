import pg from 'pg';
import {
  codeOf,
  isConnectionLost,
  isDatabaseUnavailable,
  isReadOnly,
  isStatementOutdated,
  NotSentError,
} from '../../kernel/errors/database-errors.ts';
import { currentDeadline } from '../../kernel/request/scope.ts';
import { timeUntil } from '../../kernel/timeout.ts';
import { type Session, startUpParameters } from './session-settings.ts';
import { camelCase, type OnStatement, preparedNameOf } from './statement.ts';
import { usesPrepared } from './transaction.ts';

export interface ClientConfig extends pg.PoolConfig {
  session: Session;
  onStatement: OnStatement;
  /** Called if older connections may lead to a server that has restarted or become a standby, or have old statements. */
  onSuspect: (client: Client) => void;
}

// Missing in the types of pg.
const { getStartupConf } = pg.Client.prototype as unknown as { getStartupConf(): object };

/** pg's client. Prepares each text of `statement` once, and ends a statement at the deadline of its request. */
export class Client extends pg.Client {
  readonly openedAt = performance.now();
  /** Called when the client returns to the pool. */
  onReleased = () => {};
  readonly #config: ClientConfig;
  #isDiscarded = false;
  /** When the last statement ended, by performance.now(). */
  #freeAt = 0;
  /** The current transaction, with its first error. */
  #transaction: { failure?: unknown } | undefined;

  constructor(config: ClientConfig) {
    super(config);
    this.#config = config;
  }

  getStartupConf(): object {
    return { ...startUpParameters(this.#config.session), ...getStartupConf.call(this) };
  }

  /** Sends a statement, without waiting for the responses to earlier ones. */
  // @ts-expect-error: Kysely calls no other form.
  override async query(text: string, values: unknown[] = []): Promise<pg.QueryResult> {
    const timeout = this.#timeLeft();
    const sentAt = performance.now();
    let failure: unknown;
    if (text.startsWith('begin')) this.#transaction = {};
    // What is sent in one step goes out in one write, because each wakes a process of PostgreSQL.
    const { stream } = this.connection;
    stream.cork();
    process.nextTick(() => stream.uncork());
    try {
      return await this.#send(text, values, timeout);
    } catch (error) {
      failure = this.#causeOf(error);
      this.#discardIfBroken(failure);
      throw failure;
    } finally {
      if (text === 'commit' || text === 'rollback') this.#transaction = undefined;
      const now = performance.now();
      this.#config.onStatement({ sql: text, duration: now - Math.max(sentAt, this.#freeAt), error: failure });
      this.#freeAt = now;
    }
  }

  /** The time until the deadline of the request, in ms; undefined for commands. Throws a NotSentError if there is none. */
  #timeLeft(): number | undefined {
    const ms = this.#config.session.forRequests ? timeUntil(currentDeadline()) : undefined;
    if (ms !== 0) return ms;
    // Nothing was sent, so the connection is as good as before. Kysely closes that of a transaction, whose rollback fails too.
    throw new NotSentError('The database did not respond in time');
  }

  #send(text: string, values: unknown[], timeout: number | undefined): Promise<pg.QueryResult> {
    const name = this.#config.session.prepare && usesPrepared() ? preparedNameOf(text) : undefined;
    // pg closes the connection at this timeout, because later responses could no longer be matched to queries.
    const config: TimedQuery = { text, values, name, query_timeout: timeout };
    if (name === undefined) return super.query(config);
    const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult>();
    super.query(new CamelCaseQuery(config, (error, result) => (error ? reject(error) : resolve(result))));
    return promise;
  }

  /**
   * The first error of the transaction in place of those that follow from it: PostgreSQL calls later statements aborted, and
   * pg those of a closed connection.
   */
  #causeOf(error: unknown): unknown {
    if (this.#transaction === undefined) return error;
    this.#transaction.failure ??= error;
    return codeOf(error) === '25P02' || this.#isDiscarded ? this.#transaction.failure : error;
  }

  #discardIfBroken(error: unknown): void {
    const isSuspect = isConnectionLost(error) || isReadOnly(error) || isStatementOutdated(error);
    // Closing the connection also fails the statements behind the failed one, which says nothing about the server.
    if (this.#isDiscarded || !(isSuspect || isDatabaseUnavailable(error))) return;
    this.#discard();
    if (isSuspect) this.#config.onSuspect(this);
  }

  /** Closes the connection. The server then rolls back its transaction. */
  #discard(): void {
    this.#isDiscarded = true;
    // Otherwise the client would wait for responses, which a frozen server never sends.
    this.connection.stream.destroy();
    void this.end();
  }
}

// Missing in the types of pg, whose own cursors implement it too.
const { handleRowDescription } = pg.Query.prototype as unknown as { handleRowDescription(message: object): void };

/** A query whose rows have camel-case names from the start: renaming each row would take a tenth of the CPU time of pages. */
class CamelCaseQuery extends pg.Query {
  /** Read by pg's client. */
  readonly query_timeout: number | undefined;

  constructor(config: TimedQuery, callback: Callback) {
    super(config, callback);
    this.query_timeout = config.query_timeout;
  }

  handleRowDescription(message: { fields: { name: string }[] }): void {
    for (const field of message.fields) field.name = camelCase.nameOf(field.name);
    handleRowDescription.call(this, message);
  }
}

/** Missing in the types of pg: a timeout of the query alone, in ms. */
type TimedQuery = pg.QueryConfig & { query_timeout: number | undefined };

type Callback = (error: Error | undefined, result: pg.ResultBuilder) => void;
