import {
  CompiledQuery,
  type DatabaseConnection,
  PostgresAdapter,
  PostgresDialect,
  PostgresDriver,
  type PostgresPool,
  type TransactionSettings,
} from 'kysely';
import { isDatabaseUnavailable, NotSentError, UnknownOutcomeError } from '../../kernel/errors/database-errors.ts';
import type { GatewayPool } from './pool.ts';
import { buildBegin, type Session } from './session-settings.ts';

export class GatewayDialect extends PostgresDialect {
  readonly #pool: PostgresPool;
  readonly #session: Session;

  constructor(pool: GatewayPool, session: Session) {
    const config = { pool: pool as unknown as PostgresPool };
    super(config);
    this.#pool = config.pool;
    this.#session = session;
  }

  override createDriver(): PostgresDriver {
    return new GatewayDriver(this.#pool, this.#session);
  }

  override createAdapter(): PostgresAdapter {
    return new GatewayAdapter();
  }
}

// A pooler hands a session with Kysely's lock to another client, so migrate.ts takes its own lock.
class GatewayAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

class GatewayDriver extends PostgresDriver {
  readonly #session: Session;

  constructor(pool: PostgresPool, session: Session) {
    super({ pool });
    this.#session = session;
  }

  override async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    const begin = CompiledQuery.raw(buildBegin(this.#session, settings.isolationLevel));
    // Not awaited, to save a round trip: if `begin` fails, the next statement fails too.
    connection.executeQuery(begin).catch(() => {});
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await super.commitTransaction(connection as never);
    } catch (error) {
      const wasSent = !(error instanceof NotSentError);
      if (wasSent && isDatabaseUnavailable(error))
        throw new UnknownOutcomeError((error as Error).message, { cause: error });
      throw error;
    }
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // Kysely closes the connection, so the server rolls back; this error would replace the first one.
    await super.rollbackTransaction(connection as never).catch((error) => {
      if (!isDatabaseUnavailable(error)) throw error;
    });
  }
}
