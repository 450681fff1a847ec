import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { envToConfig } from '../../src/app/config.ts';
import type { Tables } from '../../src/domain/tables.ts';
import { connect } from '../../src/platform/database/connect.ts';
import { createLog } from '../../src/platform/observability/log.ts';
import { pooledEnv } from '../support/app.ts';
import { type Answer, Client } from '../support/client.ts';
import { holdItems, listWaitingBackends, untilWaiting } from '../support/locks.ts';
import { startPgBouncer } from '../support/pgbouncer.ts';
import { type PooledDatabase, serverConnections, startPooledDatabase } from '../support/pooled-database.ts';
import { startPostgres } from '../support/postgres-server.ts';
import { createDatabase, databaseUrl } from '../support/postgres-template.ts';
import { type Process, startService } from '../support/process.ts';
import { companyRows } from '../support/product-tag.ts';
import { lacks } from '../support/programs.ts';
import { createTenant } from '../support/tenant.ts';

const recovery = { timeout: 20_000, interval: 100 };

describe.skipIf(lacks('pgbouncer'))('behind PgBouncer', () => {
  let pooled: PooledDatabase;
  let service: Process & { url: string };
  let client: Client;
  beforeAll(async () => {
    pooled = await startPooledDatabase();
  });
  afterAll(() => pooled?.[Symbol.asyncDispose]());
  beforeEach(async () => {
    service = await startService(pooled.env);
    client = new Client(service.url);
  });
  afterEach(async () => {
    expect(service.running).toBe(true);
    await service[Symbol.asyncDispose]();
  });

  const viewer = () => client.graphql('{ viewer { partner { name } } }', {}, pooled.tenant);
  const create = () => {
    const { token, products } = pooled.tenant;
    return client.rest('POST', '/product_tags', { token, body: { name_en: 'Spicy', item_ids: products } });
  };
  const countTags = async () => (await companyRows(pooled.direct.db, pooled.tenant.companyId)).tags.length;

  async function terminateWaiting(): Promise<void> {
    await untilWaiting(pooled.direct.db);
    for (const pid of await listWaitingBackends(pooled.direct.db)) {
      await sql`select pg_terminate_backend(${pid}, 1000)`.execute(pooled.direct.db);
    }
  }

  test('a read whose connection to PostgreSQL is lost is run again', async () => {
    let read: ReturnType<typeof viewer> | undefined;
    await pooled.direct.db.transaction().execute(async (transaction) => {
      await sql`lock table partners in access exclusive mode`.execute(transaction);
      read = viewer();
      await terminateWaiting();
      await untilWaiting(pooled.direct.db);
    });
    expect(await read).toMatchObject({ status: 200, body: { data: { viewer: { partner: {} } } } });
  });

  test('a write whose connection to PostgreSQL is lost is 503, and nothing of it is done', async () => {
    const before = await countTags();
    await holdItems(pooled.direct.db, pooled.tenant, async () => {
      const write = create();
      await terminateWaiting();
      expectUnavailable(await write);
    });
    expect(await countTags()).toBe(before);
    expect((await create()).status).toBe(201);
  });

  test('connections that were lost while nobody used them are no more than a new one', async () => {
    expect((await Promise.all([viewer(), viewer()])).map(({ status }) => status)).toEqual([200, 200]);
    await sql`select pg_terminate_backend(pid, 1000) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(pooled.direct.db);
    expect((await viewer()).status).toBe(200);
    expect((await create()).status).toBe(201);
  });

  // A busy machine may let the locks of 3 s end before the wait for a connection does.
  test('all connections to PostgreSQL taken is 503 for who waits for one', { retry: 2 }, async () => {
    await holdItems(pooled.direct.db, pooled.tenant, async () => {
      const stuck = Array.from({ length: 2 * serverConnections }, create);
      await expect.poll(() => listWaitingBackends(pooled.direct.db)).toHaveLength(serverConnections);
      const statuses = (await Promise.all(stuck)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 409)).toHaveLength(serverConnections);
      expect(statuses.filter((status) => status === 503)).toHaveLength(serverConnections);
    });
    expect((await create()).status).toBe(201);
  });

  test('PgBouncer killed is 503; started again, the service goes on', async () => {
    expect((await viewer()).status).toBe(200);
    await pooled.bouncer.kill();
    expectUnavailable(await viewer());
    expectUnavailable(await create());
    await pooled.bouncer.start();
    await expect.poll(async () => (await create()).status, recovery).toBe(201);
  });

  test('PostgreSQL away or frozen is 503; back again, the service goes on', async () => {
    await using server = await startPostgres();
    const direct = await createDatabase(server.url, 'gateway');
    await using bouncer = await startPgBouncer(server.url);
    await using own = await startService(pooledEnv(databaseUrl(bouncer.url, 'gateway')));
    const { db, close } = await connect<Tables>(envToConfig({ DATABASE_URL: direct }), createLog('silent'));
    const { token } = await createTenant(db);
    await close();
    const write = () => new Client(own.url).rest('POST', '/product_tags', { token, body: { name_en: 'Spicy' } });
    const isReady = () => new Client(own.url).fetch('GET', '/readyz').then(({ status }) => status === 200);
    for (const [leave, comeBack] of [
      [() => server.shutDown(), () => server.start()],
      [() => server.freeze(), () => server.thaw()],
    ] as const) {
      expect((await write()).status).toBe(201);
      await leave();
      expectUnavailable(await write());
      await expect.poll(isReady, recovery).toBe(false);
      await comeBack();
      await expect.poll(isReady, recovery).toBe(true);
    }
    expect((await write()).status).toBe(201);
  });
});

function expectUnavailable({ status, headers }: Answer<unknown>): void {
  const retryAfter = headers.get('retry-after');
  expect({ status, retryAfter }).toEqual({ status: 503, retryAfter: expect.stringMatching(/^[1-9]\d*$/) });
}
