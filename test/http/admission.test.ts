import { once } from 'node:events';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { holdTable } from '../support/locks.ts';
import { openSocket } from '../support/raw-http.ts';
import { createTenant } from '../support/tenant.ts';
import { startApp, use } from '../support/test-app.ts';

const managementPort = await freePort();
const app = use(
  await startApp({ RATE_LIMIT: 'off', MANAGEMENT_PORT: String(managementPort), TRUST_PROXY: 'loopback' }),
);

/** The number of operations that wait for others. */
async function waiting(): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${managementPort}/metrics`)).text();
  return Number(/^partner_queue_waiting\{queue="operations"\} (\d+)$/m.exec(metrics)?.[1]);
}

const untilWaiting = (count: number) => expect.poll(waiting, { interval: 5 }).toBe(count);

/** A page of items with their tags, which costs 10,001 points or a bit more. */
const largePage = '{ items(first: 100) { nodes { tags(first: 49) { nodes { id name } } } } }';

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

test('the writes of an operation count in its weight', async () => {
  const partner = await createTenant(app.db);
  const unknown = Array.from({ length: 9_000 }, (_, index) => 2_000_000_000 + index);
  const add = `mutation ($ids: [Int!]!) { createProductTag(input: { nameEn: "Many", itemIds: $ids }) { userErrors { code } } }`;
  const { held } = await holdTable(app.db, 'items', async () => {
    const held = Array.from({ length: 6 }, () => app.client.graphql(add, { ids: unknown }, partner));
    // Four of them weigh 40,000.
    await untilWaiting(2);
    return { held };
  });
  for (const { body } of await Promise.all(held)) expect(body.data?.createProductTag.userErrors).toHaveLength(1);
});

test.each(['with', 'without'])(
  'a client that disconnects while it waits leaves its place to others: %s a token',
  async (access) => {
    const partner = await createTenant(app.db);
    const token = access === 'with' ? partner.token : 'pp_unknown';
    const headers = { Authorization: `Bearer ${token}` };
    // Operations with unknown tokens wait for nothing but their turns.
    const query = access === 'with' ? largePage : `{ ${'cities { name } '.repeat(20)} }`;
    app.statements.splice(0);
    await holdTable(app.db, 'product_taggings', async () => {
      const held = access === 'with' ? Array.from({ length: 4 }, () => app.client.graphql(query, {}, { token })) : [];
      await expect.poll(() => lookups(), { interval: 5 }).toBe(held.length);
      const sockets = await Promise.all(Array.from({ length: 40 }, () => send(post(query, headers))));
      if (access === 'with') await untilWaiting(40);
      for (const socket of sockets) socket.destroy();
      return { held };
    }).then(({ held }) => Promise.all(held));
    await untilWaiting(0);
    // A place that a client had kept would stay taken.
    expect((await app.client.graphql(query, {}, { token })).body.errors).toBeUndefined();
    expect(app.statements.filter((text) => text.includes('product_taggings'))).toHaveLength(access === 'with' ? 5 : 0);
  },
);

/** The number of tokens that requests have looked up. */
const lookups = () => app.statements.filter((text) => text.includes('partner_tokens')).length;
