import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { copyTemplate, openDatabase, use } from '../support/app.ts';
import { startService } from '../support/process.ts';
import { createTenant, insertItems } from '../support/tenant.ts';
import type { Attack } from './attacker.ts';

const database = use(await copyTemplate());
const { db } = use(await openDatabase(database.env));
const attacker = await createTenant(db);
const bystander = await createTenant(db);
// The limits of a deployment, with the smallest heap that SECURITY.md promises for.
const service = use(
  await startService({ ...database.env, LOG_LEVEL: 'warn', NODE_OPTIONS: '--max-old-space-size=256' }),
);

await addLargeTags();

const head = (length: number | undefined, ...headers: string[]) =>
  `${[
    'POST /graphql HTTP/1.1',
    'Host: localhost',
    'Connection: close',
    length === undefined ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`,
    ...(headers.some((header) => header.startsWith('Content-Type')) ? [] : ['Content-Type: application/json']),
    ...headers,
  ].join('\r\n')}\r\n\r\n`;
const post = (query: string, ...headers: string[]) => {
  // A number of six digits for each request, so that every document is another one.
  const body = JSON.stringify({ query: `${query} # {n}` });
  return [head(undefined, ...headers), '1\r\n \r\n', ...chunk(body)];
};
// The number changes the length of the text, so that each document goes in chunks of its own.
const chunk = (body: string) => {
  const [before = '', after = ''] = body.split('{n}');
  return [
    `${before.length.toString(16)}\r\n${before}\r\n`,
    '6\r\n{n}\r\n',
    `${after.length.toString(16)}\r\n${after}\r\n0\r\n\r\n`,
  ];
};
const aliases = (count: number, field: string) =>
  Array.from({ length: count }, (_, index) => `n${index}:${field}`).join(' ');
const variables = Array.from({ length: 1_650 }, (_, index) => `$a${index}:Int!`).join(' ');
const token = `Authorization: Bearer ${attacker.token}`;
const utf7 = `+${'AGEA'.repeat(100_000)}-`;
const cursor = gzipSync(
  JSON.stringify({ query: `{viewer{items(after:"${'A'.repeat(480_000)}"){nodes{tags(first:1){nodes{id}}}}}}` }),
);

type Row = [name: string, connections: number, request: string[], endless?: boolean];

test.each<Row>([
  ['bodies in chunks of one byte', 8, [head(undefined), ...Array(500).fill('1\r\nx\r\n'.repeat(1_000))]],
  ['short bodies in chunks of one byte', 150, [head(undefined), '1\r\nx\r\n'.repeat(4_000)], true],
  ['large bodies that never end', 300, [head(524_000), 'x'.repeat(520_000)], true],
  ['documents with many variables', 32, post(`query(${variables}){services{id}}`)],
  ['documents with many literals', 32, post(`{${aliases(700, 'cities(countryId:682){id}')}}`)],
  ['aliases of a name', 32, post(`{cities{${aliases(48, 'name')}}}`)],
  ['introspection with aliases', 32, post(`{__schema{${aliases(20, 'types{fields{name type{name ofType{name}}}}')}}}`)],
  ['a long cursor, compressed', 32, [head(cursor.length, 'Content-Encoding: gzip', token), cursor.toString('latin1')]],
  ['a body in UTF-7', 32, [head(utf7.length, 'Content-Type: application/json; charset=utf-7'), utf7]],
  ['large tags of one partner', 16, post('{viewer{items(first:10){nodes{tags{id version}}}}}', token)],
  ['tokens that nobody has', 32, post('{viewer{company{id}}}', 'Authorization: Bearer pp_{n}00000000000000000000')],
])('%s neither end the process nor get others rejected', async (name, connections, request, endless) => {
  const before = service.running;
  const attack: Attack = { port: Number(new URL(service.url).port), connections, duration: 5_000, request };
  const worker = new Worker(new URL('./attacker.ts', import.meta.url), { workerData: { ...attack, endless } });
  const ended = new Promise((resolve, reject) => worker.once('exit', resolve).once('error', reject));
  const waits: number[] = [];
  const statuses = new Set<number>();
  let isOver = false;
  void ended.finally(() => {
    isOver = true;
  });
  const requests: [path: string, init?: RequestInit][] = [
    ['/livez'],
    ['/partner_portal/v1/countries'],
    [
      '/graphql',
      {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${bystander.token}` },
        body: JSON.stringify({ query: '{viewer{items(first:5){nodes{id nameEn}}}}' }),
      },
    ],
  ];
  const watch = async ([path, init]: (typeof requests)[number]) => {
    while (!isOver) {
      const start = performance.now();
      const response = await fetch(service.url + path, init);
      await response.arrayBuffer();
      waits.push(performance.now() - start);
      statuses.add(response.status);
      await setTimeout(20);
    }
  };
  await Promise.all([ended, ...requests.map(watch)]);
  waits.sort((left, right) => left - right);
  expect(before && service.running).toBe(true);
  expect([...statuses]).toEqual([200]);
  const [middle, most] = [0.5, 0.95].map((share) => Math.round(waits[Math.floor(share * waits.length)] ?? 0));
  console.log(
    `${name}: bystanders waited ${middle} ms (median), ${most} ms (95 %), ${Math.round(waits.at(-1) ?? 0)} ms at most`,
  );
});

/** Ten items of the attacker, each in ten tags of 10,000 items. */
async function addLargeTags(): Promise<void> {
  const { companyId } = attacker;
  const items = await insertItems(db, companyId, 'product', 10_000);
  for (let number = 0; number < 10; number += 1) {
    const { id } = await db
      .insertInto('productTags')
      .values({ companyId, nameEn: `Large ${number}`, nameAr: null })
      .returning('id')
      .executeTakeFirstOrThrow();
    const rows = items.map((itemId) => ({ companyId, productTagId: id, itemId }));
    for (let from = 0; from < rows.length; from += 5_000) {
      await db
        .insertInto('productTaggings')
        .values(rows.slice(from, from + 5_000))
        .execute();
    }
  }
}
