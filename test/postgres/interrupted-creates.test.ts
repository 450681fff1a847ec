import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { copyTemplate, openDatabase, use } from '../support/app.ts';
import { Client } from '../support/client.ts';
import { holdItems, listWaitingBackends, untilWaiting } from '../support/locks.ts';
import { startService } from '../support/process.ts';
import { companyRows } from '../support/product-tag.ts';
import { createTenant, type Tenant } from '../support/tenant.ts';

let tenant: Tenant;
const database = use(await copyTemplate());
const direct = use(await openDatabase(database.env));
const service = use(await startService(database.env));
beforeEach(async () => {
  tenant = await createTenant(direct.db);
});

const headers = { 'Idempotency-Key': 'order-66' };
const post = (url = service.url, signal?: AbortSignal) =>
  new Client(url).rest('POST', '/product_tags', {
    token: tenant.token,
    headers,
    body: { name_en: 'Spicy', item_ids: tenant.products },
    ...(signal && { signal }),
  });
const countTags = async () => (await companyRows(direct.db, tenant.companyId)).tags.length;

test('a key whose transaction the database ended is free', async () => {
  await holdItems(direct.db, tenant, async () => {
    const ended = post();
    await untilWaiting(direct.db);
    const [pid] = await listWaitingBackends(direct.db);
    await sql`select pg_terminate_backend(${pid})`.execute(direct.db);
    expect(await ended).toMatchObject({ status: 503, body: { code: 'service_unavailable' } });
  });
  expect(await countTags()).toBe(0);
  const retried = await post();
  expect(retried.status).toBe(201);
  expect(retried.headers.get('idempotency-replayed')).toBeNull();
  expect(await countTags()).toBe(1);
});

test('a key whose process was killed is in use until the database notices, then free', async () => {
  await using doomed = await startService(database.env);
  await holdItems(direct.db, tenant, async () => {
    const lost = expect(post(doomed.url)).rejects.toThrow();
    await untilWaiting(direct.db);
    await doomed.end('SIGKILL');
    await lost;
    expect((await post()).status).toBe(409);
  });
  await expect.poll(async () => (await post()).status).toBe(201);
  expect(await countTags()).toBe(1);
});

test('a client that gave up gets by its retry what it missed', async () => {
  const impatient = new AbortController();
  await holdItems(direct.db, tenant, async () => {
    const lost = expect(post(service.url, impatient.signal)).rejects.toThrow();
    await untilWaiting(direct.db);
    impatient.abort();
    await lost;
  });
  await expect.poll(countTags).toBe(1);
  const retried = await post();
  expect(retried).toMatchObject({ status: 201, body: { name_en: 'Spicy', item_ids: tenant.products } });
  expect(retried.headers.get('idempotency-replayed')).toBe('true');
  expect(await countTags()).toBe(1);
});
