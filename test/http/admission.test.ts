import { once } from 'node:events';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { holdTable, holdTags, listWaitingBackends } from '../support/locks.ts';
import { surfaces } from '../support/product-tag.ts';
import { openSocket } from '../support/raw-http.ts';
import { createTenant } from '../support/tenant.ts';
import { startApp, use } from '../support/test-app.ts';

const managementPort = await freePort();
const app = use(
  await startApp({ RATE_LIMIT: 'off', MANAGEMENT_PORT: String(managementPort), TRUST_PROXY: 'loopback' }),
);

async function metric(name: string): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${managementPort}/metrics`)).text();
  return Number(
    metrics
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.split(' ')
      .at(-1),
  );
}

const countWaiting = () => metric('partner_queue_waiting{queue="operations"}');

/** Waits until a number of operations wait for others. */
const untilWaiting = (count: number) => expect.poll(countWaiting, { interval: 5 }).toBe(count);

/** The number of tokens that requests have looked up. */
const countLookups = () => app.statements.filter((text) => text.includes('partner_tokens')).length;

/** A page of items with `tags` of each. */
const page = (tags: number) => `{ items(first: 100) { nodes { tags(first: ${tags}) { nodes { id name } } } } }`;

/** A query that costs 10,000 points and a bit. */
const largePage = page(49);

const unknownIds = Array.from({ length: 9_000 }, (_, index) => 2_000_000_000 + index);

/** A query of reference data that takes some milliseconds, without any wait. */
const slowRead = `{ ${Array.from({ length: 15 }, (_, index) => `a${index}: cities { name }`).join(' ')} }`;

function post(query: string, headers: Record<string, string> = {}): string {
  const body = JSON.stringify({ query });
  const all = { Host: 'x', 'Content-Type': 'application/json', 'Content-Length': String(body.length), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST /graphql HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

async function send(bytes: string): Promise<Socket> {
  const socket = openSocket(app.url);
  await once(socket, 'connect');
  socket.write(bytes);
  return socket;
}

async function disconnect(sockets: Socket[]): Promise<void> {
  const before = await metric('http_requests_aborted_total');
  for (const socket of sockets) socket.destroy();
  await expect.poll(() => metric('http_requests_aborted_total'), { interval: 5 }).toBe(before + sockets.length);
}

test('the writes of an operation count in its weight', async () => {
  const partner = await createTenant(app.db);
  const add = `mutation ($ids: [Int!]!) {
    createProductTag(input: { nameEn: "Many", itemIds: $ids }) { userErrors { code } }
  }`;
  const { held } = await holdTable(app.db, 'items', async () => {
    const held = [
      ...Array.from({ length: 3 }, () => app.client.graphql(add, { ids: unknownIds }, partner)),
      ...Array.from({ length: 3 }, () => {
        return app.client.rest('POST', '/product_tags', { ...partner, body: { name_en: 'M', item_ids: unknownIds } });
      }),
    ];
    // Four of them weigh 40,000.
    await untilWaiting(2);
    return { held };
  });
  await Promise.all(held);
});

test('a partner that disconnects while its operations wait leaves their places to others', async () => {
  const partner = await createTenant(app.db);
  const { token } = partner;
  const { held } = await holdTable(app.db, 'product_taggings', async () => {
    app.statements.splice(0);
    const held = Array.from({ length: 4 }, () => app.client.graphql(largePage, {}, { token }));
    await expect.poll(countLookups, { interval: 5 }).toBe(4);
    const create = 'mutation { createProductTag(input: { nameEn: "Late" }) { userErrors { code } } }';
    const requests = [...Array(5).fill(largePage), create];
    const sockets = await Promise.all(requests.map((query) => send(post(query, { Authorization: `Bearer ${token}` }))));
    await untilWaiting(6);
    await disconnect(sockets);
    return { held };
  });
  await Promise.all(held);
  expect((await app.client.graphql(largePage, {}, { token })).body.errors).toBeUndefined();
  const { body } = await app.client.graphql('{ productTags { nodes { id } } }', {}, { token });
  expect(body.data?.productTags.nodes).toEqual([]);
});

test('strangers that disconnect while they wait leave their turns to others', async () => {
  const sockets = await Promise.all(Array.from({ length: 200 }, (_, index) => send(post(`${slowRead} # ${index}`))));
  await expect.poll(countWaiting, { interval: 1 }).toBeGreaterThan(10);
  await Promise.all([disconnect(sockets.splice(100)), ...sockets.map((socket) => once(socket, 'data'))]);
  await untilWaiting(0);
  expect((await app.client.graphql(slowRead)).body.errors).toBeUndefined();
  for (const socket of sockets) socket.destroy();
});

test('many operations of one stranger fail for nobody', async () => {
  const partner = await createTenant(app.db);
  const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } });
  const flood = Array.from({ length: 200 }, (_, index) =>
    app.client.graphql(`${slowRead} # of one ${index}`, {}, from('192.0.2.1')),
  );
  await expect.poll(countWaiting, { interval: 1 }).toBeGreaterThan(10);
  const others = await Promise.all([
    app.client.graphql('{ services { id } } # of another', {}, from('192.0.2.2')),
    app.client.rest('GET', '/lookups?brand_types=3&week_days=1', from('192.0.2.3')),
    app.client.graphql('{ partner { id } }', {}, partner),
  ]);
  expect(await countWaiting()).toBeGreaterThan(0);
  for (const { status } of [...others, ...(await Promise.all(flood))]) expect(status).toBe(200);
});

test('large operations of 40 partners run five at a time, and all succeed', async () => {
  const partners = await Promise.all(Array.from({ length: 40 }, () => createTenant(app.db)));
  const { held } = await holdTable(app.db, 'product_taggings', async () => {
    const held = partners.map((partner) => app.client.graphql(page(99), {}, partner));
    await untilWaiting(35);
    return { held };
  });
  for (const { body } of await Promise.all(held)) expect(body.errors).toBeUndefined();
});

test('with REFERENCE_ACCESS=partner, the tokens of several reads are looked up at a time', async () => {
  await using closed = await startApp({ RATE_LIMIT: 'off', REFERENCE_ACCESS: 'partner' });
  const partners = await Promise.all(Array.from({ length: 4 }, () => closed.createTenant()));
  const { held } = await holdTable(closed.db, 'partner_tokens', async () => {
    const held: Promise<{ status: number }>[] = [];
    for (const { token } of partners) {
      held.push(closed.client.rest('GET', '/services', { token }));
      const count = async () => (await listWaitingBackends(closed.db)).length;
      await expect.poll(count, { interval: 5 }).toBe(held.length);
    }
    return { held };
  });
  for (const { status } of await Promise.all(held)) expect(status).toBe(200);
  expect((await closed.client.rest('GET', '/services')).status).toBe(401);
});

test('writes that wait for another of their tag hold no weight', async () => {
  const partner = await createTenant(app.db);
  const tag = await surfaces.REST.create(app.client, { name_en: 'Written' }, partner);
  const add =
    'mutation ($id: Int!, $ids: [Int!]!) { addProductTagItems(id: $id, itemIds: $ids) { userErrors { code } } }';
  const { held } = await holdTags(app.db, [tag.id], async () => {
    const body = { name_en: 'Written', item_ids: unknownIds };
    const held: Promise<{ status: number }>[] = [0, 1, 2, 3].flatMap(() => [
      app.client.rest('PUT', `/product_tags/${tag.id}`, { ...partner, body }),
      app.client.graphql(add, { id: tag.id, ids: unknownIds }, partner),
    ]);
    await untilWaiting(7);
    const pages = await Promise.all([0, 1].map(() => app.client.graphql(largePage, {}, partner)));
    for (const page of pages) expect(page.body.errors).toBeUndefined();
    return { held };
  });
  await Promise.all(held);
  await untilWaiting(0);
  // Each has given its weight back.
  expect((await app.client.graphql(largePage, {}, partner)).body.errors).toBeUndefined();
});

test('a partner runs one search or count at a time, also within a document, and its other lists do not wait', async () => {
  const partner = await createTenant(app.db);
  const scans =
    '{ a: items(search: "x") { nodes { id } } b: items { totalCount } c: items(tagged: true) { nodes { id } } }';
  const { held } = await holdTable(app.db, 'items', async () => {
    const held = [
      scans,
      '{ items(ids: [1]) { nodes { id } } }',
      '{ items { totalCount } }',
      '{ productTags(search: "y") { nodes { id } } }',
      '{ items { nodes { id } } }',
    ].map((query) => app.client.graphql(query, {}, partner));
    await untilWaiting(2);
    return { held };
  });
  for (const { body } of await Promise.all(held)) expect(body.errors).toBeUndefined();
});
