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
import { usesPrepared } from './retry.ts';
import { type Session, startUpParameters } from './session-settings.ts';
import { camelCase, type OnStatement, preparedNameOf } from './statement.ts';

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
  #isInTransaction = false;
  /** The first error of the transaction. */
  #failure: unknown;

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
    const { session, onStatement } = this.#config;
    const ms = session.forRequests ? timeUntil(currentDeadline()) : undefined;
    if (ms === 0) {
      // Nothing was sent, so the connection is as good as before, unless it is in a transaction.
      if (this.#isInTransaction) this.#discard();
      throw new NotSentError('The database did not respond in time');
    }
    const sentAt = performance.now();
    let failure: unknown;
    if (text.startsWith('begin')) this.#begin();
    try {
      const name = session.prepare && usesPrepared() ? preparedNameOf(text) : undefined;
      // pg closes the connection at this timeout, because later responses could no longer be matched to queries.
      const config: pg.QueryConfig & { query_timeout: number | undefined } = { text, values, name, query_timeout: ms };
      return await (name === undefined ? super.query(config) : this.#queryInCamelCase(config));
    } catch (error) {
      // PostgreSQL only calls later statements of a failed transaction aborted, and pg those of a closed connection.
      if (this.#isInTransaction) this.#failure ??= error;
      failure = this.#isInTransaction && (codeOf(error) === '25P02' || this.#isDiscarded) ? this.#failure : error;
      this.#discardIfBroken(failure);
      throw failure;
    } finally {
      if (text === 'commit' || text === 'rollback') this.#isInTransaction = false;
      const now = performance.now();
      onStatement({ sql: text, duration: now - Math.max(sentAt, this.#freeAt), error: failure });
      this.#freeAt = now;
    }
  }

  #queryInCamelCase(config: pg.QueryConfig): Promise<pg.QueryResult> {
    const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult>();
    super.query(new CamelCaseQuery(config, (error, result) => (error ? reject(error) : resolve(result))));
    return promise;
  }

  #begin(): void {
    this.#isInTransaction = true;
    this.#failure = undefined;
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

  constructor(config: pg.QueryConfig & { query_timeout?: number | undefined }, callback: Callback) {
    super(config, callback);
    this.query_timeout = config.query_timeout;
  }

  handleRowDescription(message: { fields: { name: string }[] }): void {
    for (const field of message.fields) field.name = camelCase.nameOf(field.name);
    handleRowDescription.call(this, message);
  }
}

type Callback = (error: Error | undefined, result: pg.ResultBuilder) => void;
