import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createConcurrency, withCallerSlot, withRunningSlot } from '../../src/domain/request/concurrency.ts';
import { holdTable, holdTags, untilWaiting } from '../support/locks.ts';
import { surfaces } from '../support/product-tag.ts';
import { openSocket, textOf } from '../support/raw-http.ts';
import { createTenant, type Tenant } from '../support/tenant.ts';
import { startApp, use } from '../support/test-app.ts';

const app = use(await startApp({ RATE_LIMIT: 'off' }));
const partner = await createTenant(app.db);
const other = await createTenant(app.db);

const own = '{ partner { id } }';
const renaming = `mutation ($id: Int!, $input: UpdateProductTagInput!) {
  updateProductTag(id: $id, input: $input) { userErrors { code } }
}`;

function post(query: string, token?: string): string {
  const body = JSON.stringify({ query });
  const credentials = token === undefined ? '' : `Authorization: Bearer ${token}\r\n`;
  const type = 'Content-Type: application/json';
  const head = `POST /graphql HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${type}\r\n${credentials}`;
  return `${head}Content-Length: ${body.length}\r\n\r\n${body}`;
}

const get = (path: string, more = 'Connection: close\r\n') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;

/** Opens a connection; resolves once the service has accepted it. */
async function open(): Promise<Socket> {
  const socket = openSocket(app.url);
  socket.write(get('/livez', ''));
  await once(socket, 'data');
  return socket;
}

test('of anonymous operations that are not cached, one runs and 32 wait; others pass', async () => {
  await app.client.rest('GET', '/services');
  const requests = [
    ...Array.from({ length: 40 }, (_, index) => post(`{ cities { id } } # ${index}`)),
    post(own, other.token),
    get('/partner_portal/v1/services'),
    get('/livez'),
  ];
  const sockets = await Promise.all(requests.map(open));
  // The service runs in this process and reads all requests on its next turn.
  for (const [index, socket] of sockets.entries()) socket.write(requests[index] as string);
  const responses = await Promise.all(sockets.map(textOf));
  const statuses = responses.map((text) => Number(text.slice(9, 12)));
  expect(statuses).toEqual([...Array(33).fill(200), ...Array(7).fill(503), 200, 200, 200]);
  expect(responses[33]).toMatch(/^Retry-After: \d+\r$.*"code":"OVERLOADED"/ms);
});

test('of the operations of a partner, 32 run and the others wait; other partners pass', async () => {
  const create = () => surfaces.REST.create(app.client, { name_en: 'Held' }, partner);
  const [many, one] = [await create(), await create()];
  const update = ({ id }: { id: number }) =>
    app.client.graphql(renaming, { id, input: { nameEn: 'Updated' } }, partner);
  // The database ends their wait for the tags after 3 s.
  const updating = await holdTags(app.db, [many.id], async () => {
    const held = await holdTags(app.db, [one.id], async () => {
      const running = await untilKnown(Array.from({ length: 32 }, (_, number) => update(number === 0 ? one : many)));
      const created = await untilKnown(Array.from({ length: 5 }, create));
      // Nobody waits for another's response to the same text.
      const reading = await untilKnown([app.client.graphql(own, {}, partner)]);
      expect((await app.client.graphql(own, {}, other)).body.errors).toBeUndefined();
      const tags = app.db.selectFrom('productTags').select('id').where('companyId', '=', partner.companyId);
      expect(await tags.execute()).toHaveLength(2);
      return { running, created: [...created, ...reading] };
    });
    // One place is free.
    await Promise.all(held.created);
    return held;
  });
  for (const { body } of await Promise.all(updating.running)) {
    expect(body.data?.updateProductTag.userErrors).toEqual([]);
  }
});

test('operations of a partner start one at a time, and cost 38,400 together', async () => {
  const concurrency = createConcurrency();
  const ended = Promise.withResolvers<void>();
  const running: string[] = [];
  const operation = (name: string, partnerId: number, cost: number) => {
    const context = {
      concurrency,
      starting: undefined,
      authenticate: async () => ({ partnerId }),
      requireClient() {},
      startDatabaseTime: () => performance.now() + 5_000,
    };
    return withCallerSlot(context, async () => {
      running.push(`${name} starts`);
      await setImmediate();
      await withRunningSlot(context, { cost, writes: 0 }, async () => {
        running.push(`${name} runs`);
        await ended.promise;
      });
    });
  };
  const operations = [
    operation('page', 1, 14_000),
    operation('search', 1, 5_000),
    operation('longer page', 1, 10_000),
    operation('small page', 1, 1),
    operation('page of another', 2, 15_000),
  ];
  await setTimeout(50);
  const names = (step: string) => running.filter((each) => each.endsWith(step)).map((each) => each.replace(step, ''));
  expect(names(' starts').toSorted()).toEqual(['longer page', 'page', 'page of another', 'search']);
  expect(names(' runs').toSorted()).toEqual(['page', 'page of another', 'search']);
  ended.resolve();
  await Promise.all(operations);
  expect(running.slice(7).toSorted()).toEqual(['longer page runs', 'small page runs', 'small page starts']);
});

test('operations above 15,000 points run one after the other, and partners take turns', async () => {
  const large = '{ items(first: 100) { nodes { tags(first: 100) { nodes { id name } } } } }';
  const lists = () => app.statements.flatMap((text) => /from "?(items|product_taggings)\b/.exec(text)?.[1] ?? []);
  for (const { token } of [partner, other]) await surfaces.REST.create(app.client, { name_en: 'Large' }, { token });
  app.statements.splice(0);
  const ended: string[] = [];
  const send = async (name: string, tenant: Tenant) => {
    const { body } = await app.client.graphql(large, {}, tenant);
    expect(body.errors).toBeUndefined();
    ended.push(name);
  };
  const running = await holdTable(app.db, 'product_taggings', async () => {
    const operations = [send('first', partner)];
    await untilWaiting(app.db);
    operations.push(...(await untilKnown([send('second', partner), send('third', partner)])));
    operations.push(...(await untilKnown([send('of the other', other)])));
    // Smaller ones pass.
    for (const _time of [1, 2, 3]) await app.client.graphql(own, {}, other);
    return { operations };
  });
  await Promise.all(running.operations);
  expect(lists()).toEqual(Array(4).fill(['items', 'product_taggings']).flat());
  expect(ended.map((name) => (name === 'third' ? 'second' : name))).toEqual([
    'first',
    'of the other',
    'second',
    'second',
  ]);
});

/** Resolves once the callers of requests that were just sent are known: each has a place then, or waits for one. */
async function untilKnown<Result>(requests: Promise<Result>[]): Promise<Promise<Result>[]> {
  const lookups = () => app.statements.filter((text) => text.includes('partner_tokens')).length;
  const count = lookups() + requests.length;
  await expect.poll(lookups, { interval: 2 }).toBe(count);
  return requests;
}
