import { setTimeout } from 'node:timers/promises';
import { Kysely, type Dialect as KyselyDialect } from 'kysely';
import type { Logger } from 'pino';
import { isServerFull, isUnreachable } from '../../kernel/errors/database-errors.ts';
import { OperatorError } from '../../kernel/errors/operator-error.ts';
import { camelCase } from './camel-case.ts';
import type { OnStatement } from './client.ts';
import { Dialect } from './driver.ts';
import { Pool } from './pool.ts';
import { ensureUtf8, findCollationChange, listMissingSettings, type Session } from './session-settings.ts';
import { type DatabaseServer, parseServers } from './tls.ts';

export interface DatabaseConfig {
  /** A PostgreSQL URL; undefined for the embedded PGlite in `dataDir`. */
  databaseUrl: string | undefined;
  dataDir: string;
  databasePoolSize: number;
  databasePreparedStatements: boolean;
}

export interface OpenDatabase<Tables> {
  db: Kysely<Tables>;
  /** The connections to PostgreSQL; undefined for the embedded database, which has one. */
  pool: Pool | undefined;
  close(): Promise<void>;
}

interface ConnectOptions {
  /** Called after every SQL statement. */
  onStatement?: OnStatement;
  /** As in `Session`; false for commands. */
  forRequests?: boolean;
  /** Name of the sessions in `pg_stat_activity`. */
  applicationName?: string;
}

/**
 * Opens the database that the configuration names. The service waits for a server that is away; commands do not. Throws an
 * OperatorError if the database cannot be used.
 */
export async function connect<Tables>(
  config: DatabaseConfig,
  log: Logger,
  { onStatement = () => {}, forRequests = true, applicationName = 'partner-gateway' }: ConnectOptions = {},
): Promise<OpenDatabase<Tables>> {
  if (config.databaseUrl === undefined) {
    // Loaded on demand, as it is megabytes of code.
    const { openPGlite } = await import('./pglite.ts');
    const { dialect, close } = await openPGlite(config.dataDir, onStatement);
    return { db: createDatabase(dialect), pool: undefined, close };
  }
  // Migrations and imports run a statement once, so preparing it would not pay off.
  const session = { forRequests, prepare: config.databasePreparedStatements && forRequests };
  const open = async (server: DatabaseServer): Promise<OpenDatabase<Tables>> => {
    const options = { max: config.databasePoolSize, application_name: applicationName, session, onStatement };
    const pool = new Pool({ ...server, ...options }, log);
    const db = createDatabase<Tables>(new Dialect(pool, session));
    await checkSession(db, session, log);
    return { db, pool, close: () => db.destroy() };
  };
  const [server, fallback] = parseServers(config.databaseUrl);
  const openAny = async () => {
    if (fallback === undefined) return open(server);
    return open(server).catch((withTls: Error) =>
      open(fallback).catch((withoutTls: Error) => {
        const message = `With TLS: ${withTls.message}\nWithout TLS: ${withoutTls.message}`;
        const isAnyUnreachable = [withTls, withoutTls].some((error) => error instanceof ServerUnreachableError);
        throw isAnyUnreachable ? new ServerUnreachableError(message) : new OperatorError(message);
      }),
    );
  };
  return forRequests ? retryWhileUnreachable(openAny, log) : openAny();
}

/** The server refuses connections, does not respond, starts up, or has no connection left. */
class ServerUnreachableError extends OperatorError {}

/** How long the service waits for the server, between attempts, and between log lines, in ms. */
const maxWait = 30_000;
const attemptInterval = 500;
const lineInterval = 5_000;

/** Repeats `open` until the server is there, for at most 30 s. */
async function retryWhileUnreachable<Result>(open: () => Promise<Result>, log: Logger): Promise<Result> {
  const start = performance.now();
  let nextLine = start;
  for (;;) {
    try {
      return await open();
    } catch (error) {
      const now = performance.now();
      if (!(error instanceof ServerUnreachableError) || now - start > maxWait) throw error;
      if (now >= nextLine) {
        nextLine = now + lineInterval;
        log.warn({ reason: error.message }, 'waiting for the database');
      }
      await setTimeout(attemptInterval);
    }
  }
}

function createDatabase<Tables>(dialect: KyselyDialect): Kysely<Tables> {
  return new Kysely<Tables>({ dialect, plugins: [camelCase] });
}

const poolerAdvice =
  'a pooler ignores these settings: configure them there, and turn DATABASE_PREPARED_STATEMENTS off for a PgBouncer ' +
  'before 1.21 (see deploy/pgbouncer.ini)';

const collationAdvice =
  'the ICU library sorts names by another version than the one that built the indexes, so lists by name may be wrong: ' +
  'rebuild them (see "Upgrade of ICU" in docs/operations/runbook.md)';

const addressAdvice = 'Check the host, port, database, user and password and, for TLS, sslmode and sslrootcert.';

const fullAdvice =
  'All its connections are in use: wait for what holds them, such as an import, or raise the limit (max_connections of ' +
  'PostgreSQL, connection limit of the user; default_pool_size and max_client_conn of PgBouncer).';

// If the first statement fails, the operator can fix the address, name, user or password.
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
