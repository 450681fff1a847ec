import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Admission, Capacity } from '../../src/platform/admission/admission.ts';
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

/** Repeats reads of one address on 40 connections until `end`. */
async function floodFrom(address: string) {
  const statuses: number[] = [];
  const abort = new AbortController();
  let isOver = false;
  const connections = Array.from({ length: 40 }, async (_, index) => {
    for (let count = 0; !isOver; count += 1) {
      const query = `${slowRead} # ${address} ${index} ${count}`;
      const { status } = await app.client.graphql(query, {}, { ...from(address), signal: abort.signal });
      statuses.push(status);
    }
  });
  const ended = Promise.allSettled(connections);
  await expect.poll(countWaiting, { interval: 1 }).toBeGreaterThan(10);
  return {
    statuses,
    disconnect: () => abort.abort(),
    async end() {
      isOver = true;
      await ended;
    },
  };
}

const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } });

test('strangers that disconnect while they wait leave their turns to others', async () => {
  const flood = await floodFrom('192.0.2.1');
  flood.disconnect();
  await flood.end();
  expect((await app.client.graphql(slowRead)).status).toBe(200);
  await untilWaiting(0);
});

test('many operations of one stranger fail for nobody, and others do not wait behind them', async () => {
  const partner = await createTenant(app.db);
  const flood = await floodFrom('192.0.2.1');
  for (const send of [
    () => app.client.graphql('{ services { id } } # of another', {}, from('192.0.2.2')),
    () => app.client.rest('GET', '/lookups?brand_types=3&week_days=1', from('192.0.2.3')),
    () => app.client.graphql('{ partner { id } }', {}, partner),
  ]) {
    const before = flood.statuses.length;
    expect((await send()).status).toBe(200);
    // Behind them, it would be 40.
    expect(flood.statuses.length - before).toBeLessThan(25);
  }
  await flood.end();
});

const admissionOf = (capacity: Capacity, partner: number) =>
  new Admission(capacity, {
    address: '192.0.2.1',
    partner,
    requireClient() {},
    startDatabaseTime: () => performance.now() + 60_000,
  });

test('a decompressed body waits for the turn to parse it', async () => {
  const capacity = new Capacity();
  const nextTurn = setImmediate('next turn');
  await admissionOf(capacity, 1).turn();
  const bytes = admissionOf(capacity, 2).decompress(async () => Buffer.from('{}'));
  const start = process.threadCpuUsage();
  while (process.threadCpuUsage(start).user < 3_000);
  const first = await Promise.race([bytes.then(() => 'parsed'), nextTurn]);
  expect([first, String(await bytes)]).toEqual(['next turn', '{}']);
});

test('of large operations of 40 partners, several run at a time, two of each at most, and all succeed', async () => {
  const capacity = new Capacity();
  const running: number[] = [];
  const most: number[] = [];
  const partners = Array.from({ length: 120 }, (_, index) => Math.floor(index / 3));
  await Promise.all(
    partners.map((partner) =>
      admissionOf(capacity, partner).run({ cost: 20_000, writes: 0, isScan: false }, async () => {
        running.push(partner);
        most.push(running.length);
        expect(running.filter((each) => each === partner).length).toBeLessThanOrEqual(2);
        await setImmediate();
        running.splice(running.indexOf(partner), 1);
      }),
    ),
  );
  expect([most.length, Math.max(...most)]).toEqual([120, 6]);
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
