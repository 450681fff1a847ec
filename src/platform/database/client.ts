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
  /** Older connections may lead to a restarted server or a standby, or have outdated plans. */
  onOlderConnectionsInvalid: (client: GatewayClient, error: unknown) => void;
}

// Missing in the types of pg.
const { getStartupConf } = pg.Client.prototype as unknown as { getStartupConf(): object };

/** Prepares statements, and ends a statement at the deadline of its request. */
export class GatewayClient extends pg.Client {
  readonly openedAt = performance.now();
  onReleased = () => {};
  readonly #config: ClientConfig;
  #isDiscarded = false;
  /** By performance.now(). */
  #freeAt = 0;

  constructor(config: ClientConfig) {
    super(config);
    this.#config = config;
  }

  getStartupConf(): object {
    return { ...startUpParameters(this.#config.session), ...getStartupConf.call(this) };
  }

  // @ts-expect-error: Kysely calls no other form.
  override async query(text: string, values: unknown[] = []): Promise<pg.QueryResult> {
    const { session, plans, onStatement } = this.#config;
    const plan = session.prepare && values.length > 0 ? plans.findOrCreate(text) : undefined;
    // pg closes the connection at this timeout, because later responses could no longer be matched.
    const config: TimedQuery = { text, values, ...plan, query_timeout: this.#getTimeLeft() };
    const sentAt = performance.now();
    let failure: unknown;
    // One write for all statements of a step, because each write wakes a process of PostgreSQL.
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

  /** In ms; undefined for commands. Throws a NotSentError after the deadline. */
  #getTimeLeft(): number | undefined {
    const ms = this.#config.session.forRequests ? timeUntil(currentDeadline()) : undefined;
    if (ms !== 0) return ms;
    // Nothing was sent, so the connection stays usable.
    throw new NotSentError('The database did not respond in time');
  }

  #discardIfBroken(error: unknown): void {
    const areOlderInvalid = isConnectionLost(error) || isReadOnly(error) || isStatementOutdated(error);
    // Closing also fails the queued statements, which says nothing about the server.
    if (this.#isDiscarded || !(areOlderInvalid || isDatabaseUnavailable(error))) return;
    this.#isDiscarded = true;
    // A frozen server never responds, so do not wait. The server rolls back.
    this.connection.stream.destroy();
    void this.end();
    if (areOlderInvalid) this.#config.onOlderConnectionsInvalid(this, error);
  }
}

/** Missing in the types of pg. In ms. */
type TimedQuery = pg.QueryConfig & { query_timeout: number | undefined };
