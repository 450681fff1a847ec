import { expect, test } from 'vitest';
import { holdTable, holdTags, listWaitingBackends, untilWaiting } from '../support/locks.ts';
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

test('each of many concurrent callers gets its own rows', async () => {
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

const search = '{ items(first: 10, search: "product") { nodes { id } } }';

test.each([
  ['at most half of the connections', withTags, 'product_taggings', poolSize / 2],
  ['one connection for searches', search, 'items', 1],
])('one partner holds %s, and others are served meanwhile', async (_what, document, table, held) => {
  const [greedy, other] = tenants;
  // The connections have no prepared statements, so the first read's failure to prepare affects those behind it.
  await using fresh = await startService({ ...database.env, DATABASE_POOL_SIZE: String(poolSize) });
  const ask = (document: string, tenant: Tenant) => fresh.client.graphql(document, {}, tenant);
  await holdTable(direct.db, table, async () => {
    const stuck = Array.from({ length: 60 }, () => ask(document, greedy));
    await expect.poll(() => listWaitingBackends(direct.db)).toHaveLength(held);
    for (let round = 0; round < 10; round += 1) {
      const { status, body } = await ask('{ partner { name } }', other);
      expect({ status, name: body.data?.partner.name }).toEqual({ status: 200, name: other.partnerName });
      expect((await listWaitingBackends(direct.db)).length).toBeLessThanOrEqual(held);
    }
    // Some time out waiting for the lock, others for a connection or their turn: only this partner sees errors.
    const codes = (await Promise.all(stuck)).flatMap(({ body }) =>
      body.errors?.map(({ extensions }) => extensions.code),
    );
    expect(codes).toEqual(expect.arrayContaining(['CONFLICT', 'SERVICE_UNAVAILABLE']));
    expect(codes.filter((code) => !['CONFLICT', 'OVERLOADED', 'SERVICE_UNAVAILABLE'].includes(code ?? ''))).toEqual([]);
  });
  expect((await ask(document, greedy)).body.errors).toBeUndefined();
});

test('writers of one tag wait without connections, and those whose time is over get 503', async () => {
  const [writer, other] = tenants;
  const create = { token: writer.token, body: { name_en: 'Contended' } };
  const { id } = (await client.rest('POST', '/product_tags', create)).body;
  const write = () => client.rest('PUT', `/product_tags/${id}`, create);
  await holdTags(direct.db, [id], async () => {
    const stuck = Array.from({ length: 30 }, write);
    await untilWaiting(direct.db);
    for (const tenant of [writer, other, writer, other]) await readOwn(tenant);
    expect(await listWaitingBackends(direct.db)).toHaveLength(1);
    const statuses = (await Promise.all(stuck)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([409, ...statuses.slice(1).map(() => 503)]);
  });
  expect((await write()).status).toBe(200);
});
