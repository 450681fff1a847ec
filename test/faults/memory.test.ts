import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { use } from '../support/app.ts';
import { startGateway } from '../support/gateway.ts';

/** In MB. SECURITY.md promises it for a heap of 256 MB. */
const maxMemory = 640;

const gateway = use(await startGateway({ LOG_LEVEL: 'warn', NODE_OPTIONS: '--max-old-space-size=256' }));

const distinctDocument = (index: number, field: string) => {
  const selection = Array.from({ length: 40 }, (_, alias) => `a${alias}: services { id ${field} }`).join(' ');
  return `query Q${index} { ${selection} } # ${'x'.repeat(22_000)}`;
};
const post = (query: string, headers: Record<string, string> = {}) =>
  gateway.client.fetch('POST', '/graphql', {
    body: JSON.stringify({ query }),
    headers: { 'Content-Type': 'application/json', ...headers },
  });
const largest = `{ viewer { items(first: 100) { nodes { id nameEn nameAr name tags { id nameEn nameAr itemIds } } } } }`;

const attacks: Record<string, () => Promise<unknown>> = {
  'distinct documents, each sent twice': () =>
    times(300, async (index) => {
      await post(distinctDocument(index, 'nameEn'));
      await post(distinctDocument(index, 'nameEn'));
    }),
  // Their responses are not cached, so the documents would be compiled.
  'distinct documents of partners, without a token': () =>
    times(300, async (index) => {
      const viewers = Array.from({ length: 49 }, (_, alias) => `a${alias}: viewer { items(first: 1) { ...F } }`);
      const query = `query Q${index} { ${viewers.join(' ')} }
        fragment F on ItemConnection { nodes { id nameEn nameAr name itemType tags { id nameEn nameAr name version } } }`;
      for (let time = 0; time < 3; time += 1) await post(query);
    }),
  'distinct invalid documents': () => times(300, (index) => post(distinctDocument(index, 'unknown'))),
  'distinct small documents': () => times(10_000, (index) => post(`query Q${index} { services { id } }`)),
  'distinct query strings': () =>
    times(20_000, (index) => gateway.client.rest('GET', `/lookups?services=1&services=${index}`)),
  'distinct headers': () =>
    times(5_000, (index) =>
      gateway.client.rest('GET', '/services', {
        language: `en;q=0.${index}`,
        headers: { 'Accept-Encoding': `gzip;q=0.${index}`, 'If-None-Match': `"${index}"` },
      }),
    ),
  'distinct tokens': () => times(5_000, (index) => post('{ viewer { company { id } } }', bearer(`pp_${index}`))),
  'distinct idempotency keys': () =>
    times(1_000, (index) =>
      gateway.client.rest('POST', '/product_tags', {
        token: gateway.tenant.token,
        headers: { 'Idempotency-Key': `key-${index}` },
        body: { name_en: `Tag ${index}`, item_ids: gateway.tenant.products },
      }),
    ),
  'large responses': () => times(64, () => post(largest, bearer(gateway.tenant.token))),
  'large bodies': () => times(200, () => post(`{ services { id } } # ${'x'.repeat(500_000)}`)),
  'clients that do not read': async () => {
    const request = 'GET /partner_portal/v1/countries HTTP/1.1\r\nHost: localhost\r\n\r\n';
    const sockets = Array.from({ length: 60 }, () => flood(request.repeat(Math.ceil(65_536 / request.length))));
    await setTimeout(3_000);
    for (const socket of sockets) socket.destroy();
  },
  'bodies that never end': async () => {
    const head =
      'POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 524000\r\n\r\n';
    const bytes = Buffer.from(head + 'x'.repeat(520_000));
    // From two addresses: one has at most half of the connections.
    const sockets = Array.from({ length: 1_500 }, (_, index) => flood(bytes, `127.0.0.${1 + (index % 2)}`));
    await setTimeout(6_000);
    for (const socket of sockets) socket.destroy();
  },
};

test.each(Object.entries(attacks))('%s do not exhaust the memory', { timeout: 300_000 }, async (name, attack) => {
  await attack();
  expect((await gateway.client.fetch('GET', '/livez')).status).toBe(200);
  expect(gateway.service.running).toBe(true);
  const peak = await peakMemory();
  console.log(`${name}: peak of ${peak} MB`);
  expect(peak).toBeLessThan(maxMemory);
});

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

/** Runs something `count` times, 16 at a time. */
async function times(count: number, run: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const work = async () => {
    while (next < count) {
      next += 1;
      await run(next);
    }
  };
  await Promise.all(Array.from({ length: 16 }, work));
}

/** Sends bytes on a connection whose responses nobody reads. */
function flood(bytes: string | Buffer, localAddress = '127.0.0.1'): Socket {
  const port = Number(new URL(gateway.service.url).port);
  const socket = connect({ port, host: '127.0.0.1', localAddress }).pause();
  socket.on('error', () => {});
  void once(socket, 'connect').then(
    () => socket.write(bytes),
    () => {},
  );
  return socket;
}

/** The largest resident memory of the service so far, in MB. */
async function peakMemory(): Promise<number> {
  const status = await readFile(`/proc/${gateway.service.pid}/status`, 'utf8');
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1_024);
}
