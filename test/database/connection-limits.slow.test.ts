import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { listWaitingBackends, lockTable, lockTags, untilWaiting } from '../support/locks.ts';
import { startService } from '../support/process.ts';
import { createTenant, type Tenant } from '../support/tenant.ts';
import { copyTemplate, openDatabase, use } from '../support/test-app.ts';

const poolSize = 4;

const database = use(await copyTemplate());
const direct = use(await openDatabase(database.env));
const addTenant = () => createTenant(direct.db, { products: 50 });
const tenants: [Tenant, Tenant] = [await addTenant(), await addTenant()];
const service = use(await startService({ ...database.env, DATABASE_POOL_SIZE: String(poolSize) }));
const { client } = service;

type Own = { partner: { name: string }; items: { nodes: { id: number }[] } };

async function readOwn({ token }: Tenant, after?: string): Promise<Own> {
  const document = `query($after: String) {
    partner { name } items(first: 10, after: $after) { nodes { id tags { nodes { nameEn } } } }
  }`;
  const { status, body } = await client.graphql(document, { after }, { token });
  expect(status).toBe(200);
  return body.data;
}

const withTags = '{ items(first: 10) { nodes { tags { nodes { nameEn } } } } }';

test('concurrent callers get only their own rows', async () => {
  const pages = await Promise.all(
    Array.from({ length: 100 }, async (_, index) => {
      const tenant = tenants[index % 2] as Tenant;
      const from = (index * 7) % 40;
      const cursor = Buffer.from(`item:${tenant.products[from]}`).toString('base64url');
      const { partner, items } = await readOwn(tenant, cursor);
      return { tenant, from, partner, ids: items.nodes.map(({ id }) => id) };
    }),
  );
  for (const { tenant, from, partner, ids } of pages) {
    expect(partner.name).toBe(tenant.partnerName);
    expect(ids).toEqual(tenant.products.slice(from + 1, from + 11).slice(0, ids.length));
    expect(ids.length).toBeGreaterThan(0);
  }
});

test('one partner uses at most half of the connections, and others are served', async () => {
  const [greedy, other] = tenants;
  // The connections have no prepared statements, so the first read's failure to prepare affects those behind it.
  await using fresh = await startService({ ...database.env, DATABASE_POOL_SIZE: String(poolSize) });
  const ask = (document: string, tenant: Tenant) => fresh.client.graphql(document, {}, tenant);
  await lockTable(direct.db, 'product_taggings', async () => {
    const stuck = Array.from({ length: 60 }, () => ask(withTags, greedy));
    await expect.poll(() => listWaitingBackends(direct.db)).toHaveLength(poolSize / 2);
    for (let round = 0; round < 10; round += 1) {
      const { status, body } = await ask('{ partner { name } }', other);
      expect({ status, name: body.data?.partner.name }).toEqual({ status: 200, name: other.partnerName });
      expect((await listWaitingBackends(direct.db)).length).toBeLessThanOrEqual(poolSize / 2);
    }
    // Some time out waiting for the lock, others for a connection or their turn: only this partner sees errors.
    const codes = (await Promise.all(stuck)).flatMap(({ body }) =>
      body.errors?.map(({ extensions }) => extensions.code),
    );
    expect(codes).toEqual(expect.arrayContaining(['CONFLICT', 'SERVICE_UNAVAILABLE']));
    expect(codes.filter((code) => !['CONFLICT', 'OVERLOADED', 'SERVICE_UNAVAILABLE'].includes(code ?? ''))).toEqual([]);
  });
  expect((await ask(withTags, greedy)).body.errors).toBeUndefined();
});

test('searches of a partner run concurrently on half of the connections', async () => {
  const [searching, other] = tenants;
  const { searches } = await lockTable(direct.db, 'items', async () => {
    const searches = Array.from({ length: 20 }, (_, index) =>
      client.graphql(`{ items(search: "${index}") { nodes { id } } }`, {}, searching),
    );
    await expect.poll(() => listWaitingBackends(direct.db)).toHaveLength(poolSize / 2);
    const { body } = await client.graphql('{ partner { name } productTags(first: 1) { nodes { id } } }', {}, other);
    expect(body.data?.partner.name).toBe(other.partnerName);
    expect(await listWaitingBackends(direct.db)).toHaveLength(poolSize / 2);
    return { searches };
  });
  for (const { body } of await Promise.all(searches)) expect(body.errors).toBeUndefined();
});

test('lookups of invalid tokens use half of the connections per address, and leave one free', async () => {
  const env = { ...database.env, DATABASE_POOL_SIZE: String(poolSize), TRUST_PROXY: '127.0.0.1', RATE_LIMIT: 'off' };
  await using proxied = await startService(env);
  const from = (address: string) => {
    const token = `pp_${randomBytes(32).toString('base64url')}`;
    return proxied.client.graphql('{ partner { name } }', {}, { token, headers: { 'X-Forwarded-For': address } });
  };
  const nameOfFirst = async () => (await proxied.client.rest('GET', '/services')).body.services[0].name_en;
  await lockTable(direct.db, 'partner_tokens', async () => {
    const attacks = Array.from({ length: 10 }, () => from('203.0.113.1'));
    await expect.poll(() => listWaitingBackends(direct.db)).toHaveLength(poolSize / 2);
    attacks.push(...Array.from({ length: 10 }, () => from('203.0.113.2')));
    await expect.poll(() => listWaitingBackends(direct.db)).toHaveLength(poolSize - 1);
    // The process still reads changes of the reference data.
    await direct.db.updateTable('services').set({ nameEn: 'Read beside lookups' }).execute();
    await expect.poll(nameOfFirst).toBe('Read beside lookups');
    expect((await listWaitingBackends(direct.db)).length).toBeLessThan(poolSize);
    await Promise.all(attacks);
  });
});

test('writers of a tag wait without connections, and get 503 after their deadline', async () => {
  const [writer, other] = tenants;
  const create = { token: writer.token, body: { name_en: 'Contended' } };
  const { id } = (await client.rest('POST', '/product_tags', create)).body;
  const write = () => client.rest('PUT', `/product_tags/${id}`, create);
  await lockTags(direct.db, [id], async () => {
    const stuck = Array.from({ length: 30 }, write);
    await untilWaiting(direct.db);
    await readOwn(other);
    expect(await listWaitingBackends(direct.db)).toHaveLength(1);
    const statuses = (await Promise.all(stuck)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([409, 503]));
  });
  expect((await write()).status).toBe(200);
});
