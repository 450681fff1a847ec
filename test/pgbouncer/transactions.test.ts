import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrations } from '../../migrations/index.ts';
import { envToConfig } from '../../src/app/config.ts';
import type { Tables } from '../../src/domain/tables.ts';
import { connect, type OpenDatabase } from '../../src/platform/database/connect.ts';
import { migrateToLatest } from '../../src/platform/database/migrate.ts';
import { createLog } from '../../src/platform/observability/log.ts';
import { expectFailure, runAdmin } from '../support/process.ts';
import { companyRows } from '../support/product-tag.ts';
import { lacks } from '../support/programs.ts';
import { createTenant, type Tenant } from '../support/tenant.ts';
import { copyTemplate, openDatabase, pooledEnv, startApp, type TestApp } from '../support/test-app.ts';
import { startPgBouncer } from './pgbouncer.ts';

const clients = 30;

/** Fewer than the service's connections to PgBouncer. */
const serverConnections = 2;

const warning = { level: 40, msg: expect.stringMatching(/^the connection pooler ignores these settings/) };

describe.skipIf(lacks('pgbouncer'))('through PgBouncer in transaction mode', () => {
  const cleanup = new AsyncDisposableStack();
  afterAll(() => cleanup.disposeAsync());
  let database: Awaited<ReturnType<typeof copyTemplate>>;
  let direct: OpenDatabase<Tables>;
  let tenant: Tenant;
  let env: ReturnType<typeof pooledEnv>;
  beforeAll(async () => {
    database = cleanup.use(await copyTemplate());
    direct = cleanup.use(await openDatabase(database.direct));
    tenant = await createTenant(direct.db);
    env = await startPooler();
  });

  /** Starts PgBouncer with few connections to the database; `edit` changes the file of `deploy/`. */
  async function startPooler(edit = (file: string) => file) {
    const url = database.direct.DATABASE_URL as string;
    const few = (file: string) =>
      edit(file).replace(/^default_pool_size = .*$/m, `default_pool_size = ${serverConnections}`);
    return pooledEnv(cleanup.use(await startPgBouncer(url, few)).url);
  }

  const open = async () => cleanup.use(await openDatabase({ ...env, DATABASE_POOL_SIZE: String(clients) })).db;

  test(`${clients} concurrent writes share ${serverConnections} connections, each in a transaction`, async () => {
    await using app = await startApp({ ...env, DATABASE_POOL_SIZE: String(clients) });
    const answers = await Promise.all(Array.from({ length: clients }, () => create(app, tenant)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    const { tags, taggings } = await companyRows(direct.db, tenant.companyId);
    expect(tags).toHaveLength(clients);
    expect(taggings).toHaveLength(clients * tenant.products.length);
    expect(app.logLines).not.toContainEqual(expect.objectContaining(warning));
  });

  test('deploy/pgbouncer.ini sets the timeouts and formats of the service', async () => {
    const name = new URL(database.direct.DATABASE_URL as string).pathname.slice(1);
    await sql`alter database ${sql.id(name)} set datestyle to 'German, DMY'`.execute(direct.db);
    await sql`alter database ${sql.id(name)} set timezone to 'Asia/Riyadh'`.execute(direct.db);
    await using app = await startApp(env);
    const { rows } = await sql`select name, setting from pg_settings where name in ('DateStyle', 'TimeZone',
      'statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'client_connection_check_interval') order by name`.execute(
      app.db,
    );
    expect(rows).toEqual([
      { name: 'DateStyle', setting: 'ISO, MDY' },
      { name: 'TimeZone', setting: 'UTC' },
      { name: 'client_connection_check_interval', setting: '200' },
      { name: 'idle_in_transaction_session_timeout', setting: '5000' },
      { name: 'lock_timeout', setting: '3000' },
      { name: 'statement_timeout', setting: '5000' },
    ]);
  });

  test('the service warns at its start if PgBouncer ignores settings', async () => {
    const careless = await startPooler((file) => file.replace(/ connect_query='[^']*'/, ''));
    await using app = await startApp(careless);
    const settings = [
      'statement_timeout',
      'lock_timeout',
      'idle_in_transaction_session_timeout',
      'client_connection_check_interval',
    ];
    expect(app.logLines).toContainEqual(expect.objectContaining({ ...warning, settings }));
    const lines: string[] = [];
    const log = createLog('warn', { write: (line) => lines.push(line) });
    await (await connect<Tables>(envToConfig({ ...env, DATABASE_PREPARED_STATEMENTS: 'on' }), log)).close();
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ ...warning, settings: ['plan_cache_mode'] }]);
    await using past = await startApp(database.direct);
    expect(past.logLines).not.toContainEqual(expect.objectContaining(warning));
  });

  test('the timeouts do not apply to transactions of the admin command, and are restored', async () => {
    const db = await open();
    const timeout = sql<{ timeout: string }>`select current_setting('statement_timeout') as timeout`;
    const readTimeout = async (database: typeof db) => (await timeout.execute(database)).rows[0]?.timeout;
    expect(await db.transaction().execute(readTimeout)).toBe('0');
    // Closed connections end its statements nevertheless.
    const interval = sql`select current_setting('client_connection_check_interval') as interval`;
    expect((await db.transaction().execute((own) => interval.execute(own))).rows).toEqual([{ interval: '200ms' }]);
    expect(await readTimeout(db)).toBe('5s');
  });

  test('a command without a connection reports that all are in use', async () => {
    const url = database.direct.DATABASE_URL as string;
    const settings = { default_pool_size: 1, query_wait_timeout: 1 };
    const edit = (file: string) =>
      Object.entries(settings).reduce(
        (text, [name, value]) => text.replace(new RegExp(`^${name} = .*$`, 'm'), `${name} = ${value}`),
        file,
      );
    const full = pooledEnv(cleanup.use(await startPgBouncer(url, edit)).url);
    const { db } = cleanup.use(await openDatabase(full));
    await db.transaction().execute(async (transaction) => {
      await sql`select 1`.execute(transaction);
      expectFailure(
        await runAdmin(full, 'partner', 'list'),
        /^The database of DATABASE_URL cannot be used \(query_wait_timeout\)\. All connections are in use\. /,
      );
    });
    expect(await runAdmin(full, 'partner', 'list')).toMatchObject({ code: 0 });
  });

  // Last, because it empties the database.
  test('two concurrent migrations run once, and leave no lock', async () => {
    const db = await open();
    await sql`drop schema public cascade`.execute(direct.db);
    await sql`create schema public`.execute(direct.db);
    // Other clients use the connections meanwhile, so that statements outside of a transaction change connections.
    let migrating = true;
    const noise = Array.from({ length: serverConnections }, async () => {
      while (migrating) await sql`select pg_sleep(0.001)`.execute(db);
    });
    const done = await Promise.all([migrateToLatest(db), migrateToLatest(db)]);
    migrating = false;
    await Promise.all(noise);
    expect(done.toSorted((a, b) => a.length - b.length)).toEqual([[], Object.keys(migrations)]);
    const { rows } = await sql`select pid from pg_locks where locktype = 'advisory'
      and database = (select oid from pg_database where datname = current_database())`.execute(direct.db);
    expect(rows).toEqual([]);
  });
});

const create = ({ client }: TestApp, { token, products }: Tenant) =>
  client.rest('POST', '/product_tags', { token, body: { name_en: 'Spicy', item_ids: products } });
