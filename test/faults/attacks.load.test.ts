import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { startService } from '../support/process.ts';
import { surfaces } from '../support/product-tag.ts';
import { createTenant } from '../support/tenant.ts';
import { copyTemplate, openDatabase, use } from '../support/test-app.ts';
import type { Attack } from './attacker.ts';

const database = use(await copyTemplate());
const { db } = use(await openDatabase(database.env));
const attacker = await createTenant(db, { products: 10_000 });
const bystander = await createTenant(db);
// Default settings, with the smallest heap that SECURITY.md promises. The reader of its log stalls, too.
const service = use(
  await startService({ ...database.env, LOG_LEVEL: 'info', NODE_OPTIONS: '--max-old-space-size=256' }),
);
service.pauseOutput();
const client = new Client(service.url);
const tag = await surfaces.REST.create(client, { name_en: 'Bystander' }, bystander);

await addLargeTags();
/** A tag that the attacker's writes wait for. */
const { id: contended } = await surfaces.REST.create(client, { name_en: 'Contended' }, attacker);
const longNames = await addLongNames();
await addBranches();

const token = `Authorization: Bearer ${attacker.token}`;
const brotli = 'Accept-Encoding: br';

const request = (line: string, ...headers: string[]) =>
  `${[`${line} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers].join('\r\n')}\r\n\r\n`;
const post = (length: number | undefined, type: string, ...headers: string[]) => {
  const framing = length === undefined ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`;
  return request('POST /graphql', framing, `Content-Type: ${type}`, ...headers);
};
const json = 'application/json';

const put = (type: string, body: string) =>
  request('PUT /partner_portal/v1/product_tags/{n}', `Content-Length: ${body.length}`, `Content-Type: ${type}`, token) +
  body;

/** A GraphQL request; its numbers have six digits. */
const graphql = (query: string, headers: string[] = [], variables = {}) => {
  const body = JSON.stringify({ query, variables });
  return post(body.replace(/\{(n|third)\}/g, '000000').length, json, ...headers) + body;
};

interface Row extends Partial<Attack> {
  name: string;
  requests: string[];
  /**
   * Whether the first response to each request has no error: rejections are quick. Or a flood of bytes, which the process
   * survives, but only the proxy keeps from others: floods.load.test.ts.
   */
  outcome: 'accepted' | 'rejected' | 'flood';
}

/** A document with a different comment in each request. */
const accepted = (name: string, query: string, ...headers: string[]): Row => ({
  name,
  requests: [graphql(`${query} # {n}`, headers)],
  outcome: 'accepted',
});
const rejected = (name: string, query: string, ...headers: string[]): Row => ({
  ...accepted(name, query, ...headers),
  outcome: 'rejected',
});

const times = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ');
const aliases = (count: number, field: string) => times(count, (index) => `n${index}:${field}`);
/** Ten thousand items. */
const ofManyItems = (fields: string) =>
  `{items(first:100){nodes{tags(first:10){nodes{items(first:10){nodes{${fields}}}}}}}}`;
/** Items of a tag in fragments within fragments. */
const nested = (count: number) =>
  Object.entries({
    A: ['ProductTag', 'items(first:1){nodes{...B}}'],
    B: ['Item', 'tags(first:1){nodes{...C}}'],
    C: ['ProductTag', 'items(first:3){nodes{id name}}'],
  }).reduce(
    (query, [name, [type, field = '']]) => `${query} fragment ${name} on ${type}{${aliases(count, field)}}`,
    '{productTags(first:1){nodes{...A}}}',
  );

const utf7 = `+${'AGEA'.repeat(100_000)}-`;
const cursor = `{items(after:"${'A'.repeat(480_000)}"){nodes{tags(first:1){nodes{id}}}}}`;
const compressed = gzipSync(JSON.stringify({ query: cursor }));
/** Long lists of numbers in skipped fields, of operations that wait for each other. */
const manyNumbers = gzipSync(
  JSON.stringify({
    query: 'query($i:[Int!]!){items(search:"a"){totalCount}b:itemsByIds(ids:$i)@skip(if:true){id}}',
    variables: { i: Array(49_900).fill(1) },
  }),
);
/** A text that takes long to check, in each of many mutations. */
const versions = gzipSync(
  JSON.stringify({
    query: `mutation($a:String!){${aliases(64, 'deleteProductTag(id:1,ifMatch:$a){__typename}')}
      z:createProductTag(idempotencyKey:"",input:{nameEn:"abc"}){__typename}}`,
    variables: { a: `"a"${' '.repeat(518_000)}\u3000,` },
  }),
);
const spaces = ' '.repeat(970);
const form = `--x\r\nContent-Disposition: form-data;${spaces}name="n"\r\n\r\n1\r\n`.repeat(480);
const variables = (count: number, use: string) =>
  `(${times(count, (index) => `$a${index}:Int!`)})${use.replace(
    '*',
    times(count, (index) => `$a${index}`),
  )}`;
const branches = 'branches(first:100){nodes{id name address{city{name country{dialCode}}}services{id}}}';
/** As often as a selection may have a field, for graphql-js to compare. */
const overlapping = `{${aliases(9, `services{${'id code '.repeat(50)}}`)}}`;
/** As many fields as are compiled. */
const compiled = `{${aliases(4, `services{${aliases(48, 'code')}}`)}}`;

const rows: Row[] = [
  {
    name: 'bodies in chunks of one byte',
    requests: [post(undefined, json) + '1\r\nx\r\n'.repeat(500_000)],
    connections: 8,
    outcome: 'flood',
  },
  {
    name: 'short bodies in chunks of one byte',
    requests: [post(undefined, json) + '1\r\nx\r\n'.repeat(4_000)],
    connections: 150,
    isEndless: true,
    outcome: 'flood',
  },
  {
    name: 'bodies that do not end, large and small',
    requests: [post(524_000, json) + 'x'.repeat(520_000), post(524_000, json) + 'x'.repeat(1_000)],
    connections: 350,
    addresses: 4,
    isEndless: true,
    outcome: 'flood',
  },
  {
    name: 'a body of nested lists',
    requests: [post(500_000, json) + '['.repeat(250_000) + ']'.repeat(250_000)],
    outcome: 'rejected',
  },
  {
    name: 'a body in UTF-7',
    requests: [post(utf7.length, 'application/json; charset=utf-7') + utf7],
    outcome: 'rejected',
  },
  {
    name: 'a long cursor, compressed',
    requests: [post(compressed.length, json, 'Content-Encoding: gzip', token) + compressed.toString('latin1')],
    outcome: 'rejected',
  },
  {
    name: 'searches with long lists of numbers, compressed',
    requests: [post(manyNumbers.length, json, 'Content-Encoding: gzip', token) + manyNumbers.toString('latin1')],
    connections: 100,
    outcome: 'accepted',
  },
  {
    name: 'one long text for many mutations, compressed',
    requests: [post(versions.length, json, 'Content-Encoding: gzip', token) + versions.toString('latin1')],
    connections: 60,
    outcome: 'rejected',
  },
  {
    name: 'a body of many objects',
    requests: [graphql('{services{code}}', [token], { x: Array.from({ length: 170_000 }, () => ({})) })],
    outcome: 'accepted',
  },
  {
    name: 'an input of many unknown fields',
    requests: [
      graphql('mutation($input:CreateProductTagInput!){createProductTag(input:$input){replayed}}', [token], {
        input: Object.fromEntries(Array.from({ length: 40_000 }, (_, index) => [`k${index}`, 1])),
      }),
    ],
    outcome: 'rejected',
  },
  {
    name: 'item ids that are objects',
    requests: [put(json, JSON.stringify({ item_ids: Array.from({ length: 170_000 }, () => ({})) }))],
    outcome: 'rejected',
  },
  {
    name: 'a name of 500,000 characters',
    requests: [put('application/x-www-form-urlencoded', `name_en=${'='.repeat(500_000)}`)],
    outcome: 'rejected',
  },
  {
    name: 'a form whose parts have many spaces, compressed',
    requests: [
      put('multipart/form-data; boundary=x\r\nContent-Encoding: gzip', gzipSync(`${form}--x--`).toString('latin1')),
    ],
    outcome: 'rejected',
  },
  { name: 'an encoded path', requests: [request(`GET /${'%25'.repeat(4_000)}pp_token`)], outcome: 'rejected' },
  rejected('unknown tokens', '{company{id}}', 'Authorization: Bearer pp_{n}0000000000'),
  {
    ...rejected('many errors, in many lines', `${'\n'.repeat(30_000)}{${aliases(149, 'partner{id}')}}`),
    connections: 60,
  },
  rejected('too many variables', `query${variables(1_650, '{services{id}}')}`),
  rejected('too many literals', `{${aliases(700, 'cities(countryId:682){id}')}}`),
  rejected('too many aliases of a name', `{cities{${aliases(48, 'name')}}}`),
  rejected('names of 30,000 characters', `{timezones{${'a'.repeat(30_000)}:id}}`),
  accepted('pages of which nothing is selected', '{items(first:100){nodes{tags(first:100){__typename}}}}', token),
  accepted(
    'long names of many rows',
    `{itemsByIds(ids:[${longNames}]){${times(50, (index) => `${'n'.repeat(98)}${10 + index}:nameAr`)}}}`,
    token,
  ),
  accepted('times of many rows', ofManyItems('createdAt updatedAt a:createdAt b:updatedAt'), token),
  accepted('tags of many rows', ofManyItems(times(4, (id) => `n${id}:hasProductTag(id:${id})`)), token),
  accepted('pages in many rows', `{items(first:36){nodes{${aliases(50, 'tags(first:1){nodes{id}}')}}}}`, token),
  rejected('too large an introspection', `{__schema{${aliases(20, 'types{fields{name type{name ofType{name}}}}')}}}`),
  accepted('the largest introspection', `{__schema{${aliases(7, 'types{name fields{name description type{name}}}')}}}`),
  accepted('aliases of a list', `{${aliases(23, 'cities{name}')}}`),
  accepted('large lists, compressed', `{${aliases(3, 'cities{id nameEn nameAr country{nameAr dialCode}}')}}`, brotli),
  accepted('fields that overlap', overlapping),
  accepted(
    'nested fragments',
    `{...F0} ${times(80, (n) => `fragment F${n} on Query{${n < 79 ? `...F${n + 1} `.repeat(3) : 'services{id}'}}`)}`,
  ),
  accepted(
    'variables in a list',
    `mutation${variables(100, '{removeProductTagItems(id:1,itemIds:[*]){userErrors{code}}}')}`.replaceAll(
      'Int!',
      'Int!=1',
    ),
    token,
  ),
  accepted('large tags', `{${aliases(2, 'items(first:10){nodes{tags(first:100){nodes{id version}}}}')}}`, token),
  accepted('ids of items', '{productTags(first:9){nodes{itemIds}}}', token),
  rejected('too many fields in fragments', nested(12), token),
  accepted('fields in fragments', nested(4), token),
  accepted(
    'pages of items',
    `{items(first:90){nodes{${aliases(2, 'tags(first:10){nodes{id nameEn nameAr}}')}}}}`,
    token,
  ),
  {
    name: 'large operations together',
    requests: [
      `{${times(3, (index) => `n${index}:productTags(first:100){nodes{${aliases(18, 'name')}}}`)}}`,
      `{${aliases(10, 'items(first:100){nodes{id nameEn nameAr name itemType}}')}}`,
      overlapping,
    ].map((query) => graphql(`${query} # {n}`, [token])),
    outcome: 'accepted',
  },
  {
    name: 'creations with many unknown items',
    requests: [
      graphql(
        'mutation($ids:[Int!]!){createProductTag(input:{nameEn:"Many",itemIds:$ids}){userErrors{code itemIds}}} # {n}',
        [token],
        { ids: Array.from({ length: 9_900 }, (_, index) => 2_000_000_000 + index) },
      ),
    ],
    outcome: 'accepted',
  },
  accepted(
    'objects that overlap, with a token',
    `{${times(3, (index) => `n${index}:partner{id} `.repeat(50))}}`,
    token,
  ),
  accepted(
    'the largest introspection, with a token',
    `{__schema{${aliases(7, 'types{name fields{name description type{name}}}')}}}`,
    token,
  ),
  accepted('branches', `{company{${aliases(20, branches)}}}`, token),
  {
    // The third request uses the compiled document; a variable keeps responses out of the cache.
    name: 'documents that are compiled',
    requests: [graphql(`${compiled} # {third}`, [token], { n: '{n}' })],
    outcome: 'accepted',
  },
  {
    name: 'small reads of 250 connections',
    requests: [graphql('{items(first:5){nodes{id nameEn}}} # {n}', [token])],
    connections: 250,
    outcome: 'accepted',
  },
  {
    name: 'large pages of 250 connections',
    requests: [graphql('{items(first:100){nodes{id nameEn tags(first:20){nodes{id}}}}} # {n}', [token])],
    connections: 250,
    outcome: 'accepted',
  },
  {
    // The others hold a hundred tags each while they wait for the tag that the first ones write.
    name: 'settings of many tags by clients that leave',
    requests: [
      ...[0, 1, 0, 1].map((half) =>
        graphql(
          'mutation($id:Int!,$ids:[Int!]!){updateProductTag(id:$id,input:{itemIds:$ids}){userErrors{code}}} # {n}',
          [token],
          { id: contended, ids: attacker.products.filter((_, index) => index % 2 === half) },
        ),
      ),
      ...Array(76).fill(
        graphql(
          `mutation{addProductTagItems(id:${contended},itemIds:[${times(99, (index) => `-1{n}${10 + index}`)}]){userErrors{code}}}`,
          [token],
        ),
      ),
    ],
    connections: 80,
    resetAfter: 700,
    outcome: 'accepted',
  },
  {
    name: 'malformed ranges in Accept of 250 connections',
    requests: [request('GET /graphql', `Accept: ${'a@/bbbbbbbbbbbbbbb,'.repeat(50)}*/*`)],
    connections: 250,
    outcome: 'rejected',
  },
  {
    name: 'spaces in Accept of 250 connections',
    requests: [request('GET /unknown', `Accept: text/html;x=y${spaces}x`)],
    connections: 250,
    outcome: 'rejected',
  },
  {
    name: 'commas in Authorization of 250 connections',
    requests: [request('GET /partner_portal/v1/services', `Authorization: Bearer ${','.repeat(15_500)}`)],
    connections: 250,
    outcome: 'accepted',
  },
  {
    name: 'commas in Accept-Encoding of 250 connections',
    requests: [request('GET /partner_portal/v1/cities', `Accept-Encoding: {n}${',a'.repeat(7_500)}`)],
    connections: 250,
    outcome: 'accepted',
  },
  {
    name: 'large documents that wait',
    requests: [
      graphql(
        `{items(first:1,search:"a"){nodes{${['id', 'name', 'nameEn', 'nameAr'].map((name) => times(50, (index) => `${name}${index}:${name}`))}}}} # {n}`,
        [token],
      ),
    ],
    connections: 250,
    outcome: 'accepted',
  },
  {
    name: 'large lists, new and cached ones, of 250 connections',
    requests: [
      graphql(`{${aliases(11, 'timezones{id name utcOffset}')}} # {n}`),
      ...Array(19).fill(graphql('{timezones{id name}}')),
    ],
    connections: 250,
    outcome: 'accepted',
  },
  {
    name: 'malformed ranges in Accept',
    requests: [request('GET /unknown', `Accept: ${'a,'.repeat(497)}a`)],
    outcome: 'rejected',
  },
  {
    name: 'compressed pages',
    requests: [request('GET /guides/graphql', brotli, 'Accept: text/html')],
    outcome: 'accepted',
  },
  {
    name: 'long URLs',
    requests: [request(`GET /partner_portal/v1/lookups?${'services&'.repeat(1_700)}`)],
    outcome: 'rejected',
  },
  {
    name: 'compressed reads',
    requests: [request('GET /partner_portal/v1/cities?n={n}', brotli)],
    connections: 24,
    outcome: 'accepted',
  },
  {
    name: 'compressed pages of lookups',
    requests: [request('GET /partner_portal/v1/lookups?brand_types={n}&cuisine_types=-1&services=-1', brotli)],
    connections: 24,
    outcome: 'accepted',
  },
];

/** What others wait at most, in ms: the 95th percentile on open connections, and anybody. */
const [mostWaits, longestWait] = [500, 1_000];

/** What 95 % of them wait at most before the attack, in ms. On a busy machine they wait longer, and the bounds grow with it. */
const usualWait = 20;

// A service that has just started runs code that is not compiled yet.
await waitsUntil(setTimeout(8_000));

// Before the attacks, which use up rate limits.
test.each(rows.filter(({ outcome }) => outcome !== 'flood'))('$name: $outcome', async ({ outcome, requests }) => {
  for (const each of new Set(requests)) expect(await toOutcome(each)).toBe(outcome);
});

test.each(rows)('$name: the process lives, and others are served in time', async ({ outcome, ...row }) => {
  const { open: quiet } = await waitsUntil(setTimeout(1_000));
  const attack = { connections: 32, addresses: 1, isEndless: false, ...row, duration: 2_000 };
  const workerData = { ...attack, port: Number(new URL(service.url).port) } satisfies Attack;
  const worker = new Worker(new URL('./attacker.ts', import.meta.url), { workerData });
  const ended = new Promise((resolve, reject) => worker.once('exit', resolve).once('error', reject));
  const { open, connecting } = await waitsUntil(ended);
  expect(service.running).toBe(true);
  if (outcome === 'flood') return;
  const busyness = Math.max(1, percentile(quiet, 0.95) / usualWait);
  expect(percentile(open, 0.95)).toBeLessThan(mostWaits * busyness);
  expect(percentile([...open, ...connecting], 1)).toBeLessThan(longestWait * busyness);
});

async function toOutcome(request: string): Promise<string> {
  const numbered = request.replaceAll(/\{(n|third)\}/g, '000001').replace(brotli, 'Accept-Encoding: identity');
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  socket.write(numbered, 'latin1');
  const response = await text(socket);
  const isAccepted = response.startsWith('HTTP/1.1 200') && !response.includes('"errors":');
  return isAccepted ? 'accepted' : 'rejected';
}

/** The waits of others in ms until something ends, on open connections and on new ones. */
async function waitsUntil(end: Promise<unknown>): Promise<{ open: number[]; connecting: number[] }> {
  let isOver = false;
  const ended = end.finally(() => {
    isOver = true;
  });
  const [open, connecting]: [number[], number[]] = [[], []];
  const statuses = new Set<number>();
  const measure = async (waits: number[], sending: Promise<{ status: number }>) => {
    const start = performance.now();
    statuses.add((await sending).status);
    waits.push(performance.now() - start);
  };
  /** Sends 20 requests a second, whether earlier ones have responses or not. */
  const watch = async (waits: number[], send: (count: number) => Promise<{ status: number }>) => {
    const sent: Promise<void>[] = [];
    for (; !isOver; await setTimeout(50)) sent.push(measure(waits, send(sent.length)));
    await Promise.all(sent);
  };
  const { token: bystanders, products } = bystander;
  await Promise.all([
    ended,
    watch(connecting, probe),
    watch(open, () => client.rest('GET', '/countries')),
    watch(open, () => client.graphql('{items(first:5){nodes{id nameEn}}}', {}, { token: bystanders })),
    watch(open, (count) => {
      const body = { name_en: `Bystander ${count}`, item_ids: products.slice(count % 3) };
      return client.rest('PUT', `/product_tags/${tag.id}`, { token: bystanders, body });
    }),
  ]);
  expect([...statuses]).toEqual([200]);
  return { open, connecting };
}

/** A health check on a new connection. */
async function probe(): Promise<{ status: number }> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  get(`${service.url}/livez`, { agent: false }, resolve).on('error', reject);
  const response = await promise;
  await text(response);
  return { status: response.statusCode ?? 0 };
}

function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(share * sorted.length) - 1] as number;
}

/** Ten tags of the attacker, each with all products. */
async function addLargeTags(): Promise<void> {
  const { companyId } = attacker;
  await sql`insert into product_tags (company_id, name_en)
    select ${companyId}::integer, 'Large' from generate_series(1, 10)`.execute(db);
  await sql`insert into product_taggings (company_id, product_tag_id, item_id)
    select company_id, product_tags.id, items.id from product_tags join items using (company_id)
    where company_id = ${companyId} and item_type = 'product'`.execute(db);
}

/** Gives 100 items of the attacker the longest names; returns their ids. */
async function addLongNames(): Promise<number[]> {
  const ids = attacker.products.slice(-100);
  await sql`update items set name_en = repeat('漢', 255), name_ar = repeat('字', 255) where id = any(${ids})`.execute(
    db,
  );
  return ids;
}

/** 500 branches of the attacker, each with all services. */
async function addBranches(): Promise<void> {
  const { companyId } = attacker;
  await sql`insert into branches (company_id, name_en, name_ar, city_id)
    select ${companyId}::integer, 'Branch', 'فرع', city_id from companies, generate_series(1, 500)
    where companies.id = ${companyId}`.execute(db);
  await sql`insert into branch_services (company_id, branch_id, service_id)
    select company_id, branches.id, services.id from branches, services where company_id = ${companyId}`.execute(db);
}
