import { expect, test } from 'vitest';
import { Client as DatabaseClient } from '../../src/platform/database/clients.ts';
import { copyTemplate, openDatabase, use } from '../support/app.ts';
import { Client } from '../support/client.ts';
import { holdTable, listWaitingBackends, untilWaiting } from '../support/locks.ts';
import { startService } from '../support/process.ts';
import { createTenant, type Tenant } from '../support/tenant.ts';

const poolSize = 4;

const database = use(await copyTemplate());
const direct = use(await openDatabase(database.env));
const tenants: [Tenant, Tenant] = [
  await createTenant(direct.db, { products: 50 }),
  await createTenant(direct.db, { products: 50 }),
];
const service = use(await startService({ ...database.env, DATABASE_POOL_SIZE: String(poolSize) }));
const client = new Client(service.url);

interface Viewer {
  partner: { name: string };
  items: { nodes: { id: number; tags: { nameEn: string }[] }[] };
}

async function viewer({ token }: Tenant, after?: string): Promise<Viewer> {
  const document = `query($after: String) {
    viewer { partner { name } items(first: 10, after: $after) { nodes { id tags { nameEn } } } }
  }`;
  const { status, body } = await client.graphql(document, { after }, { token });
  expect(status).toBe(200);
  return body.data.viewer;
}

const withTags = '{ viewer { items(first: 10) { nodes { tags { nameEn } } } } }';

test('pg writes to the socket that holds the queries of one turn together', async () => {
  const own = new DatabaseClient({ connectionString: database.env.DATABASE_URL as string, pipeline: true });
  await own.connect();
  own.writeTogether();
  const bytes: number[] = [];
  const results = await Promise.all(
    [1, 2, 3].map((value) => {
      const result = own.query('select $1::integer as value', [value]);
      bytes.push(own.socket.writableLength);
      return result;
    }),
  );
  expect(results.map(({ rows }) => rows)).toEqual([[{ value: 1 }], [{ value: 2 }], [{ value: 3 }]]);
  // All three were still to be written as the last was sent.
  expect(bytes[0]).toBeGreaterThan(0);
  expect(bytes).toEqual([1, 2, 3].map((count) => count * (bytes[0] as number)));
  await own.end();
});

test('each caller has its own rows, however many ask at once', async () => {
  const pages = await Promise.all(
    Array.from({ length: 100 }, async (_, index) => {
      const tenant = tenants[index % 2] as Tenant;
      const from = (index * 7) % 40;
      const { partner, items } = await viewer(tenant, cursorOf(tenant.products[from] as number));
      return { tenant, from, partner, ids: items.nodes.map(({ id }) => id) };
    }),
  );
  for (const { tenant, from, partner, ids } of pages) {
    expect(partner.name).toBe(tenant.partnerName);
    expect(ids).toEqual(tenant.products.slice(from + 1, from + 11).slice(0, ids.length));
    expect(ids.length).toBeGreaterThan(0);
  }
});

test('a table that cannot be read holds up nobody who reads others', async () => {
  const [tenant] = tenants;
  let heldUp: ReturnType<typeof viewer> | undefined;
  await holdTable(direct.db, 'product_taggings', async () => {
    heldUp = viewer(tenant);
    await untilWaiting(direct.db);
    const document = '{ viewer { partner { name } } }';
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => client.graphql(document, {}, { token: tenant.token })),
    );
    for (const { body } of answers) expect(body.data.viewer.partner.name).toBe(tenant.partnerName);
    expect(await Promise.race([heldUp, 'held up'])).toBe('held up');
  });
  expect((await heldUp)?.partner.name).toBe(tenant.partnerName);
});

test('one partner holds at most half of the connections, and others are served meanwhile', async () => {
  const [greedy, other] = tenants;
  await holdTable(direct.db, 'product_taggings', async () => {
    const stuck = Array.from({ length: 60 }, () => client.graphql(withTags, {}, greedy));
    await expect.poll(() => listWaitingBackends(direct.db)).toHaveLength(poolSize / 2);
    for (let round = 0; round < 10; round += 1) {
      const { status, body } = await client.graphql('{ viewer { partner { name } } }', {}, other);
      expect({ status, name: body.data?.viewer.partner.name }).toEqual({ status: 200, name: other.partnerName });
      expect((await listWaitingBackends(direct.db)).length).toBeLessThanOrEqual(poolSize / 2);
    }
    // Some were in vain for the lock, others for their turn: this partner alone sees errors.
    const codes = (await Promise.all(stuck)).flatMap(({ body }) =>
      body.errors?.map(({ extensions }) => extensions.code),
    );
    expect(new Set(codes)).toEqual(new Set(['CONFLICT', 'SERVICE_UNAVAILABLE']));
  });
});

test('reads that wait for a lock in vain are conflicts or unavailable, and others are answered afterwards', async () => {
  await using fresh = await startService({ ...database.env, DATABASE_POOL_SIZE: '1' });
  const [tenant] = tenants;
  const ask = (document: string) => new Client(fresh.url).graphql(document, {}, tenant);
  await ask('{ viewer { partner { name } } }');
  const pages = [1, 2, 3, 4, 5].map((first) => `page${first}: viewer { items(first: ${first}) { nodes { id } } }`);
  await holdTable(direct.db, 'items', async () => {
    const { body } = await ask(`{ ${pages.join(' ')} }`);
    const codes = (body.errors ?? []).map(({ extensions }) => extensions.code);
    expect(codes).toContain('CONFLICT');
    for (const code of codes) expect(['CONFLICT', 'SERVICE_UNAVAILABLE']).toContain(code);
  });
  expect((await ask(`{ ${pages[0]} }`)).body.errors).toBeUndefined();
});

function cursorOf(id: number): string {
  return Buffer.from(`item:${id}`).toString('base64url');
}
