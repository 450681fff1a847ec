import { setTimeout } from 'node:timers/promises';
import { type Dialect, Kysely } from 'kysely';
import type { Logger } from 'pino';
import { isServerFull, isUnreachable } from '../../kernel/errors/database-errors.ts';
import { OperatorError } from '../../kernel/errors/operator-error.ts';
import { camelCase } from './camel-case.ts';
import type { OnStatement } from './client.ts';
import { GatewayDialect } from './driver.ts';
import { GatewayPool } from './pool.ts';
import { ensureUtf8, findCollationChange, listMissingSettings, type Session } from './session-settings.ts';
import { type DatabaseServer, parseServers } from './url.ts';

export interface DatabaseConfig {
  /** Undefined for the embedded PGlite in `dataDir`. */
  databaseUrl: string | undefined;
  dataDir: string;
  databasePoolSize: number;
  databasePreparedStatements: boolean;
}

export interface OpenDatabase<Tables> {
  db: Kysely<Tables>;
  pool: GatewayPool | undefined;
  close(): Promise<void>;
}

interface ConnectOptions {
  onStatement?: OnStatement;
  /** False for commands: no deadlines, and no waiting for an unreachable server. */
  forRequests?: boolean;
  applicationName?: string;
}

/** Throws an OperatorError if the database cannot be used. */
export async function connect<Tables>(
  config: DatabaseConfig,
  log: Logger,
  { onStatement = () => {}, forRequests = true, applicationName = 'partner-gateway' }: ConnectOptions = {},
): Promise<OpenDatabase<Tables>> {
  if (config.databaseUrl === undefined) {
    // Loaded on demand, because it is megabytes of code.
    const { openPGlite } = await import('./pglite.ts');
    const { dialect, close } = await openPGlite(config.dataDir, onStatement);
    return { db: createDatabase(dialect), pool: undefined, close };
  }
  // Commands run a statement once, so preparing it does not pay off.
  const session = { forRequests, prepare: config.databasePreparedStatements && forRequests };
  const open = async (server: DatabaseServer): Promise<OpenDatabase<Tables>> => {
    const options = { max: config.databasePoolSize, application_name: applicationName, session, onStatement };
    const pool = new GatewayPool({ ...server, ...options }, log);
    const db = createDatabase<Tables>(new GatewayDialect(pool, session));
    await checkSession(db, session, log);
    return { db, pool, close: () => db.destroy() };
  };
  const [server, fallback] = parseServers(config.databaseUrl);
  const openWithFallback = async () => {
    if (fallback === undefined) return open(server);
    return open(server).catch((withTls: Error) =>
      open(fallback).catch((withoutTls: Error) => {
        const message = `With TLS: ${withTls.message}\nWithout TLS: ${withoutTls.message}`;
        const isAnyUnreachable = [withTls, withoutTls].some((error) => error instanceof ServerUnreachableError);
        throw isAnyUnreachable ? new ServerUnreachableError(message) : new OperatorError(message);
      }),
    );
  };
  return forRequests ? retryWhileUnreachable(openWithFallback, log) : openWithFallback();
}

class ServerUnreachableError extends OperatorError {}

const maxWaitMs = 30_000;
const retryIntervalMs = 500;
const logIntervalMs = 5_000;

async function retryWhileUnreachable<Result>(open: () => Promise<Result>, log: Logger): Promise<Result> {
  const start = performance.now();
  let nextLogAt = start;
  for (;;) {
    try {
      return await open();
    } catch (error) {
      const now = performance.now();
      if (!(error instanceof ServerUnreachableError) || now - start > maxWaitMs) throw error;
      if (now >= nextLogAt) {
        nextLogAt = now + logIntervalMs;
        log.warn({ reason: error.message }, 'waiting for the database');
      }
      await setTimeout(retryIntervalMs);
    }
  }
}

function createDatabase<Tables>(dialect: Dialect): Kysely<Tables> {
  return new Kysely<Tables>({ dialect, plugins: [camelCase] });
}

const poolerAdvice =
  'the connection pooler ignores these settings: configure them in the pooler, and set DATABASE_PREPARED_STATEMENTS=off ' +
  'for PgBouncer before 1.21 (see deploy/pgbouncer.ini)';

const collationAdvice =
  'the ICU version differs from the version that built the indexes, so lists sorted by name may be wrong: ' +
  'rebuild the indexes (see "Upgrade of ICU" in docs/operations/runbook.md)';

const addressAdvice = 'Check the host, port, database, user and password and, for TLS, sslmode and sslrootcert.';

const fullAdvice =
  'All connections are in use. Wait for long operations such as imports, or raise the limit (PostgreSQL: max_connections ' +
  'and the connection limit of the user; PgBouncer: default_pool_size and max_client_conn).';

async function checkSession<Tables>(db: Kysely<Tables>, session: Session, log: Logger): Promise<void> {
  try {
    const settings = await listMissingSettings(db, session);
    if (settings.length > 0) log.warn({ settings }, poolerAdvice);
    await ensureUtf8(db);
    const collation = await findCollationChange(db);
    if (collation !== undefined) log.warn({ collation }, collationAdvice);
  } catch (error) {
    await db.destroy();
    if (error instanceof OperatorError) throw error;
    const ErrorClass = isUnreachable(error) ? ServerUnreachableError : OperatorError;
    const advice = isServerFull(error) ? fullAdvice : addressAdvice;
    throw new ErrorClass(
      `The database of DATABASE_URL cannot be used (${(error as Error).message || String(error)}). ${advice}`,
    );
  }
}
