import pg from 'pg';
import {
  isConnectionLost,
  isDatabaseUnavailable,
  isReadOnly,
  isStatementOutdated,
  NotSentError,
} from '../../kernel/errors/database-errors.ts';
import { currentDeadline, type SentStatement } from '../../kernel/request/scope.ts';
import { timeUntil } from '../../kernel/timeout.ts';
import type { PreparedPlans } from './prepared-plans.ts';
import { type Session, startUpParameters } from './session-settings.ts';

export type OnStatement = (statement: SentStatement) => void;

export interface ClientConfig extends pg.PoolConfig {
  session: Session;
  plans: PreparedPlans;
  onStatement: OnStatement;
  /** Called if older connections may lead to a server that has restarted or become a standby, or have outdated plans. */
  onSuspect: (client: Client, error: unknown) => void;
}

// Missing in the types of pg.
const { getStartupConf } = pg.Client.prototype as unknown as { getStartupConf(): object };

/** pg's client. Names each text that PostgreSQL plans once, and ends a statement at the deadline of its request. */
export class Client extends pg.Client {
  readonly openedAt = performance.now();
  /** Called when the client returns to the pool. */
  onReleased = () => {};
  readonly #config: ClientConfig;
  #isDiscarded = false;
  /** When the last statement ended, by performance.now(). */
  #freeAt = 0;

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
    const { session, plans, onStatement } = this.#config;
    const plan = session.prepare && values.length > 0 ? plans.of(text) : undefined;
    // pg closes the connection at this timeout, because later responses could no longer be matched to queries.
    const config: TimedQuery = { text, values, ...plan, query_timeout: this.#timeLeft() };
    const sentAt = performance.now();
    let failure: unknown;
    // What is sent in one step goes out in one write, because each wakes a process of PostgreSQL.
    const { stream } = this.connection;
    stream.cork();
    process.nextTick(() => stream.uncork());
    try {
      return await super.query(config);
    } catch (error) {
      failure = error;
      this.#discardIfBroken(error);
      throw error;
    } finally {
      const now = performance.now();
      onStatement({ sql: text, duration: now - Math.max(sentAt, this.#freeAt), error: failure });
      this.#freeAt = now;
    }
  }

  /** The time until the deadline of the request, in ms; undefined for commands. Throws a NotSentError if there is none. */
  #timeLeft(): number | undefined {
    const ms = this.#config.session.forRequests ? timeUntil(currentDeadline()) : undefined;
    if (ms !== 0) return ms;
    // Nothing was sent, so the connection is as good as before. Kysely closes a transaction's connection, whose rollback fails too.
    throw new NotSentError('The database did not respond in time');
  }

  #discardIfBroken(error: unknown): void {
    const isSuspect = isConnectionLost(error) || isReadOnly(error) || isStatementOutdated(error);
    // Closing the connection also fails the statements behind the failed one, which says nothing about the server.
    if (this.#isDiscarded || !(isSuspect || isDatabaseUnavailable(error))) return;
    this.#isDiscarded = true;
    // Otherwise the client would wait for responses, which a frozen server never sends. The server rolls back.
    this.connection.stream.destroy();
    void this.end();
    if (isSuspect) this.#config.onSuspect(this, error);
  }
}

/** Missing in the types of pg: a timeout of the query alone, in ms. */
type TimedQuery = pg.QueryConfig & { query_timeout: number | undefined };
