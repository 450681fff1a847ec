import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { processMemory } from '../../src/kernel/memory-bounds.ts';
import { startService } from '../support/process.ts';
import { openSocket } from '../support/raw-http.ts';
import { createTenant } from '../support/tenant.ts';
import { copyTemplate, openDatabase, use } from '../support/test-app.ts';

const maxMemory = processMemory / 2 ** 20;

const database = use(await copyTemplate());
const { db } = use(await openDatabase(database.env));
const { token, products } = await createTenant(db, { products: 12 });
// Node's heap under that limit: half of it.
const environment = { RATE_LIMIT: 'off', NODE_OPTIONS: `--max-old-space-size=${maxMemory / 2}` };
const service = use(await startService({ ...database.env, ...environment }));
const { client } = service;

// As many tokens as a document may have.
const distinctDocument = (index: number, field: string) => {
  const selection = Array.from({ length: 40 }, (_, alias) => `a${alias}: services { ${field} ${'id '.repeat(40)}}`);
  return `query Q${index} { ${selection.join(' ')} } # ${'x'.repeat(16_000)}`;
};
// Documents whose responses are not cached would be compiled.
const partnersDocument = (index: number) => {
  const pages = Array.from({ length: 49 }, (_, alias) => `a${alias}: items(first: 1) { ...F }`);
  return `query Q${index} { ${pages.join(' ')} }
    fragment F on ItemConnection {
      nodes { id nameEn nameAr name itemType tags { nodes { id nameEn nameAr name version } } } }`;
};
const largest = '{ items(first: 100) { nodes { id nameEn nameAr name tags { nodes { id nameEn nameAr version } } } } }';
const send = (query: string, bearer?: string) => client.graphql(query, {}, { token: bearer });
const repeat = async (times: number, query: string) => {
  for (let time = 0; time < times; time += 1) await send(query);
};
const headers = (index: number) => ({
  language: `en;q=0.${index}`,
  headers: { 'Accept-Encoding': `gzip;q=0.${index}`, 'If-None-Match': `"${index}"` },
});
const creation = (index: number) => ({
  token,
  headers: { 'Idempotency-Key': `key-${index}` },
  body: { name_en: `Tag ${index}`, item_ids: products },
});

type Attack = [name: string, requests: number, send: (index: number) => Promise<unknown>];
const attacks: Attack[] = [
  ['distinct documents, each sent twice', 300, (index) => repeat(2, distinctDocument(index, 'nameEn'))],
  ['distinct documents of partners, without a token', 300, (index) => repeat(3, partnersDocument(index))],
  ['distinct invalid documents', 300, (index) => send(distinctDocument(index, 'unknown'))],
  ['distinct small documents', 1_000, (index) => send(`query Q${index} { services { id } }`)],
  ['distinct query strings', 2_000, (index) => client.rest('GET', `/lookups?services=1&services=${index}`)],
  ['distinct headers', 1_000, (index) => client.rest('GET', '/services', headers(index))],
  ['distinct tokens', 1_000, (index) => send('{ company { id } }', `pp_${index}`.padEnd(46, '0'))],
  ['distinct idempotency keys', 1_000, (index) => client.rest('POST', '/product_tags', creation(index))],
  ['large responses', 64, () => send(largest, token)],
  ['large bodies', 200, () => send(`{ services { id } } # ${'x'.repeat(500_000)}`)],
];

test.each(attacks)('%s do not exhaust the memory', async (name, requests, send) => {
  let next = 0;
  const work = async () => {
    while (next < requests) await send(++next);
  };
  await Promise.all(Array.from({ length: 16 }, work));
  await expectSound(name);
});

const get = 'GET /partner_portal/v1/countries HTTP/1.1\r\nHost: localhost\r\n\r\n';
const post =
  'POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 524000\r\n\r\n';

// Few connections: the proxy reads responses, does not pipeline, and limits the connections of an address.
test.each([
  ['clients that do not read', 10, get.repeat(Math.ceil(65_536 / get.length)), 3_000],
  ['bodies that never end', 200, post + 'x'.repeat(520_000), 6_000],
])('%s do not exhaust the memory', async (name, count, text, duration) => {
  const bytes = Buffer.from(text);
  const sockets = Array.from({ length: count }, () => {
    const socket = openSocket(service.url).pause();
    return socket.on('connect', () => socket.write(bytes));
  });
  await setTimeout(duration);
  for (const socket of sockets) socket.destroy();
  await expectSound(name);
});

async function expectSound(name: string): Promise<void> {
  expect((await client.fetch('GET', '/livez')).status).toBe(200);
  expect(service.running).toBe(true);
  const status = await readFile(`/proc/${service.pid}/status`, 'utf8');
  const peak = Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1_024);
  console.log(`${name}: peak of ${peak} MB`);
  expect(peak).toBeLessThan(maxMemory);
}
