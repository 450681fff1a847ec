import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { copyTemplate, openDatabase, use } from '../support/app.ts';
import { Client } from '../support/client.ts';
import { type Process, printed, startService } from '../support/process.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { createTenant } from '../support/tenant.ts';

let proxy: TcpProxy;
let service: Process;
let client: Client;

const database = use(await copyTemplate());
const direct = use(await openDatabase(database.env));
const tenant = await createTenant(direct.db);

beforeEach(async () => {
  proxy = await startTcpProxy(database.env.DATABASE_URL as string);
  const started = await startService({ DATABASE_URL: proxy.url });
  service = started;
  client = new Client(started.url);
  expect((await viewer()).status).toBe(200);
});
afterEach(async () => {
  await service[Symbol.asyncDispose]();
  await proxy[Symbol.asyncDispose]();
});

const body = { name_en: 'Spicy' };
const viewer = () => client.graphql('{ viewer { partner { name } } }', {}, { token: tenant.token });

describe('while the database is away', () => {
  test('REST is a 503 problem that says when to come back', async () => {
    await proxy.cut();
    const answer = await client.rest('POST', '/product_tags', { token: tenant.token, body });
    expect(answer).toMatchObject({ status: 503, body: { status: 503, code: 'service_unavailable' } });
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json\b/);
    expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect(JSON.stringify(answer.body)).not.toMatch(/ECONN|127\.0\.0\.1|Connection/);
    const line = await printed(service, new RegExp(`^.*${answer.body.request_id}.*"msg":"request failed".*$`, 'm'));
    expect(JSON.parse(line[0]).err.message).toMatch(/ECONN|Connection|connect/);
  });

  test('GraphQL is SERVICE_UNAVAILABLE with 503', async () => {
    await proxy.cut();
    const { status, headers, body } = await viewer();
    expect({ status, body }).toMatchObject({
      status: 503,
      body: { errors: [{ extensions: { code: 'SERVICE_UNAVAILABLE' } }] },
    });
    expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  });

  test('reference data that was asked for before is served on, on both surfaces, in both languages', async () => {
    const reads = ['en', 'ar'].flatMap((language) => [
      () => client.rest('GET', '/countries', { language }),
      () => client.rest('GET', '/lookups?brand_types=-1&week_days=1', { language }),
      () => client.graphql('{ cities(countryId: 682) { name country { nameEn } } }', {}, { language }),
    ]);
    const before = await Promise.all(reads.map((read) => read()));
    await proxy.cut();
    // Another document about the same data is no other data.
    expect((await client.graphql('{ countries { id } cities { id } }')).status).toBe(200);
    const during = await Promise.all(reads.map((read) => read()));
    expect(during.map(({ status, body }) => ({ status, body }))).toEqual(
      before.map(({ body }) => ({ status: 200, body })),
    );
    // A check counts for a second.
    await expect.poll(async () => (await client.fetch('GET', '/readyz')).status).toBe(503);
  });

  test('a request without a token is still told so', async () => {
    await proxy.cut();
    expect((await client.rest('POST', '/product_tags', { body })).status).toBe(401);
  });

  test('the same process works again when the database is back', async () => {
    for (let outage = 0; outage < 2; outage++) {
      await proxy.cut();
      const answers = await Promise.all(Array.from({ length: 20 }, viewer));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
      await proxy.restore();
      await expect.poll(async () => (await viewer()).status).toBe(200);
    }
    expect(service.running).toBe(true);
    expect((await client.rest('POST', '/product_tags', { token: tenant.token, body })).status).toBe(201);
  });

  test('a stop still ends the process with code 0', async () => {
    await proxy.cut();
    expect(await service.end('SIGTERM')).toBe(0);
  });
});

test('a write that the outage interrupts is 503 and leaves nothing half done', async () => {
  const { token, products } = tenant;
  const created = await client.rest('POST', '/product_tags', { token, body: { ...body, item_ids: products } });
  const interrupted = await direct.db.transaction().execute(async (transaction) => {
    await transaction.selectFrom('productTags').select('id').where('id', '=', created.body.id).forUpdate().execute();
    const put = client.rest('PUT', `/product_tags/${created.body.id}`, {
      token,
      body: { name_en: 'Mild', item_ids: [] },
    });
    await expect.poll(() => countBackends(`wait_event_type = 'Lock'`)).toBe(1);
    await proxy.cut();
    return put;
  });
  expect(interrupted.status).toBe(503);
  await proxy.restore();
  await expect.poll(async () => (await viewer()).status).toBe(200);
  await expect.poll(() => countBackends(`wait_event_type = 'Lock'`)).toBe(0);
  const tag = await direct.db
    .selectFrom('productTags')
    .select('nameEn')
    .where('id', '=', created.body.id)
    .executeTakeFirst();
  expect(tag).toEqual({ nameEn: 'Spicy' });
});

test('a terminated backend does not end the process', async () => {
  await Promise.all(Array.from({ length: 5 }, viewer));
  const { rows } = await sql<{ ended: boolean }>`select pg_terminate_backend(pid) as ended from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(direct.db);
  expect(rows.length).toBeGreaterThan(0);
  await expect.poll(async () => (await viewer()).status).toBe(200);
  expect(service.running).toBe(true);
});

async function countBackends(condition: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and ${sql.raw(condition)}`.execute(direct.db);
  return rows[0]?.count ?? 0;
}
