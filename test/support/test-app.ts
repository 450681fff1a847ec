import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, inject } from 'vitest';
import { envToConfig } from '../../src/app/config.ts';
import { createGateway } from '../../src/app/gateway.ts';
import type { Tables } from '../../src/domain/tables.ts';
import { currentScope } from '../../src/kernel/request/scope.ts';
import { connect, type OpenDatabase } from '../../src/platform/database/connect.ts';
import { createLog } from '../../src/platform/observability/log.ts';
import { Client } from './client.ts';
import { databaseUrl, execute } from './postgres-server.ts';
import { getContract } from './rest-contract.ts';
import { createTenant } from './tenant.ts';

export { use } from './use.ts';

export type Env = Parameters<typeof envToConfig>[0];

declare module 'vitest' {
  interface ProvidedContext {
    /** The database to copy; undefined where tests run on the embedded database. */
    template?: { url: string; name: string; prefix: string };
    /** The data folder of an embedded service to copy. */
    embedded?: string;
    /** The URL of a PgBouncer in front of that server, for the service to use. */
    pooler?: string;
  }
}

export type TestApp = Awaited<ReturnType<typeof startApp>>;

/** Starts the service on a free loopback port, on a fresh copy of the seeded database unless it gets the URL of one. */
export async function startApp(env: Env = {}) {
  const logLines: Record<string, unknown>[] = [];
  /** SQL statements of the requests since the last `splice`. */
  const statements: string[] = [];
  const database = env.DATABASE_URL === undefined ? await copyTemplate() : undefined;
  const log = createLog('info', { write: (line) => logLines.push(JSON.parse(line)) });
  const config = envToConfig({
    PORT: '0',
    HOST: '127.0.0.1',
    SHUTDOWN_DELAY: '0',
    ...database?.env,
    ...env,
  });
  const app = createGateway(config, {
    log,
    onStatement: (sql) => {
      // Leaves out background jobs, which run at any time.
      if (currentScope() !== undefined) statements.push(sql);
    },
  });
  const { url, db } = await app.start();
  return {
    createTenant: (options?: { products?: number }) => createTenant(db, options),
    client: new Client(url, getContract(config)),
    /** The data folder of the embedded database; empty on PostgreSQL. */
    dataDir: database?.env.DATA_DIR ?? '',
    db,
    logLines,
    statements,
    url,
    async [Symbol.asyncDispose]() {
      await app.stop();
      await database?.[Symbol.asyncDispose]();
    },
  };
}

const shared = new Map<string, Promise<TestApp>>();

/** The service with default settings, shared by a worker's test files. They must not change reference data. */
export function sharedApp(): Promise<TestApp> {
  const key = `${inject('template')?.name} ${inject('pooler')}`;
  const app = shared.get(key) ?? startApp().then((started) => ({ ...started, async [Symbol.asyncDispose]() {} }));
  shared.set(key, app);
  return app;
}

/** An empty folder, deleted after the test file. Its name has a space, as users' folders do. */
export async function useFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'partner gateway '));
  afterAll(() => rm(folder, { recursive: true }));
  return folder;
}

/** A direct connection to the database, without the service's timeouts. */
export async function openDatabase(env: Env): Promise<OpenDatabase<Tables> & AsyncDisposable> {
  const connection = await connect<Tables>(envToConfig(env), createLog('silent'), { forRequests: false });
  return { ...connection, [Symbol.asyncDispose]: connection.close };
}

interface DatabaseCopy extends AsyncDisposable {
  env: Env;
  /** The same, bypassing PgBouncer. */
  direct: Env;
}

/** A fresh copy of the seeded database, or on PostgreSQL an empty one, and its environment variables. */
export async function copyTemplate({ empty = false } = {}): Promise<DatabaseCopy> {
  const template = inject('template');
  if (template === undefined) {
    const folder = await mkdtemp(join(tmpdir(), 'partner-gateway-test-'));
    await copyEmbedded(folder);
    const env = { DATA_DIR: folder };
    return { env, direct: env, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
  }
  const name = `${template.prefix}_${randomBytes(4).toString('hex')}`;
  await execute(template.url, `create database ${name} template ${empty ? 'template0' : template.name}`);
  const pooler = inject('pooler');
  const direct = { DATABASE_URL: databaseUrl(template.url, name) };
  return {
    env: pooler === undefined ? direct : pooledEnv(databaseUrl(pooler, name)),
    direct,
    async [Symbol.asyncDispose]() {
      await execute(template.url, `drop database ${name} with (force)`);
    },
  };
}

/** Copies the data folder of an embedded service with demo data, without its token. */
export function copyEmbedded(folder: string): Promise<void> {
  return cp(inject('embedded') as string, folder, { recursive: true });
}

/** Environment of a service behind a PgBouncer older than 1.21. */
export function pooledEnv(url: string) {
  return { DATABASE_URL: url, DATABASE_PREPARED_STATEMENTS: 'off' };
}
