import { randomUUID } from 'node:crypto';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { envToConfig } from '../../src/app/config.ts';
import { requestErrors } from '../../src/kernel/errors/catalog.ts';
import { companyRows, surfaces } from '../support/product-tag.ts';
import { exchangeRaw, get, type RawAnswer, type RawRequest, send } from '../support/raw-http.ts';
import { getContract } from '../support/rest-contract.ts';
import { startApp, use } from '../support/test-app.ts';
import corpus from './corpus.json' with { type: 'json' };

const env = { RATE_LIMIT: 'off' };
const app = use(await startApp(env));
const contract = getContract(envToConfig(env));
const attacker = await app.createTenant();

// Another company, whose data must not change.
const other = await app.createTenant();
const secret = `Theirs ${randomUUID()}`;
await app.db.updateTable('items').set({ nameEn: secret }).where('companyId', '=', other.companyId).execute();
await app.db.updateTable('companies').set({ nameEn: secret }).where('id', '=', other.companyId).execute();
const otherTag = await surfaces.REST.create(app.client, { name_en: secret, item_ids: other.products }, other);
const secrets = [secret, other.partnerName, attacker.token, other.token];

const tags = '/partner_portal/v1/product_tags';
const form = 'application/x-www-form-urlencoded';
const good = { REST: send('POST', tags, '{"name_en":"Spicy"}'), GraphQL: graphql('{ __typename }') };

const nested = (open: string, inner: string, close: string, times = 5_000) =>
  open.repeat(times) + inner + close.repeat(times);
const list = (length: number, write: (index: number) => unknown) => Array.from({ length }, (_, index) => write(index));

// The corpus, with generated values that are too long for the file.
const texts = [
  ...[...corpus.texts, 'x'.repeat(51), 'x'.repeat(100_000), '\ud800 half', 'e\u0301'.repeat(26)],
  '👩‍👩‍👧‍👦'.repeat(8),
];
const ids = [otherTag.id, other.products[0], attacker.modifier].map(String);
const integers = [...corpus.integers, '9'.repeat(400), ...ids];
const json = [
  ...[...corpus.json, nested('[', '', ']'), nested('{"a":', '1', '}'), JSON.stringify(list(10_001, Number))],
  ...[...texts.map((text) => JSON.stringify(text)), ...integers],
];
const encode = (text: string) => encodeURIComponent(text.toWellFormed().slice(0, 3_000));
const encoded = [...texts.map(encode), ...integers];
const forms = [...corpus.forms, `a${'[a]'.repeat(50)}=1`, `${'a'.repeat(5_000)}=1`, 'item_ids[]=1&'.repeat(10_200)];
const tails = [...corpus.tails, `/${'a'.repeat(10_000)}`, `?${'a=1&'.repeat(3_000)}`];
const headers = [
  ...(corpus.headers as unknown as RawRequest['headers']),
  ['Accept-Language', `${'en-x;q=0.1,'.repeat(500)}ar`],
  ['X-Large', 'x'.repeat(20_000)],
] as const;
const documents = [
  ...corpus.documents,
  `{ __schema { types { ${nested('ofType { ', 'name', '} ', 900)} } } }`,
  ...[500, 5_000].map((times) => `{ ${'__typename '.repeat(times)} }`),
  `{ ${list(200, (index) => `a${index}: countries { id }`)} }`,
  `{ ${'company { '.repeat(4_000)} }`,
  `{ ${nested('... { ', '__typename', '} ', 2_000)} }`,
  `query ($a: ${nested('[', 'Int', ']', 3_000)}) { cities(countryId: $a) { id } }`,
  `{ cities(countryId: ${'['.repeat(9_000)}) }`,
  `{ cities(countryId: "${'x'.repeat(100_000)}") { id } }`,
  `{ ...F0 } ${list(40, (index) => `fragment F${index} on Query { ...F${index + 1} ...F${index + 1} }`)}
    fragment F40 on Query { __typename }`,
  `{ __typename ${'@include(if: true) '.repeat(60)} }`,
];

const prototype = Object.getOwnPropertyNames(Object.prototype);
const otherRows = await companyRows(app.db, other.companyId);
let ownRows = await companyRows(app.db, attacker.companyId);

// Includes changes that no statement seems to make.
afterAll(async () => {
  expect(await companyRows(app.db, other.companyId)).toEqual(otherRows);
  expect(await companyRows(app.db, attacker.companyId)).toEqual(ownRows);
});

/** Sends a request with a token, and checks that it did no harm. */
async function attack(request: RawRequest): Promise<RawAnswer | undefined> {
  app.statements.splice(0);
  app.logLines.splice(0);
  const authorization = ['Authorization', `Bearer ${attacker.token}`] as const;
  const answer = await exchangeRaw(app.url, { ...request, headers: [authorization, ...request.headers] });
  if (answer !== undefined) ensureHarmless(request, answer);
  else expect(mayBeCutOff(request)).toBe(true);
  expect(app.logLines.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(prototype);
  if (app.statements.some((text) => /\b(insert\s+into|update\s+"?\w+"?\s+set|delete\s+from)\b/i.test(text))) {
    const rows = await companyRows(app.db, attacker.companyId);
    if (!isAccepted(answer)) expect(rows).toEqual(ownRows);
    expect(rows.items).toEqual(ownRows.items);
    expect(await companyRows(app.db, other.companyId)).toEqual(otherRows);
    ownRows = rows;
  }
  return answer;
}

// Internal names of the code, the database and the machine.
const insides = new RegExp(
  [
    String.raw`node_modules|node:internal|\.[jt]s:\d|\bat \S+ \(|stacktrace|\[object |\bundefined\b|call stack`,
    String.raw`syntax error at|violates|relation \\?"|duplicate key|invalid input syntax|out of range for type`,
    'kysely|pglite|postgres|express|/(root|home|tmp|usr)/',
  ].join('|'),
  'i',
);

/** Headers of every response that protect its reader in a browser. */
const protection = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
};

function ensureHarmless({ method, target }: RawRequest, { status, headers, body }: RawAnswer): void {
  expect(status).toBeGreaterThanOrEqual(200);
  expect(status).toBeLessThan(500);
  const sent = [...headers].join('\n') + body;
  expect(sent).not.toMatch(insides);
  for (const each of secrets) expect(sent).not.toContain(each);
  const requestId = headers.get('x-request-id');
  expect(requestId).toMatch(/^[\w.:-]{8,128}$/);
  expect(Object.fromEntries(headers)).toMatchObject(protection);
  contract.check({ method, target, status, headers, text: body });
  const type = headers.get('content-type') ?? '';
  if (body === '' || (method === 'GET' && status === 200 && type.startsWith('text/html'))) return;
  expect(headers.get('content-security-policy')).toBe("default-src 'none';frame-ancestors 'none'");
  expect(type).toMatch(/^application\/(problem\+json|json|graphql-response\+json); charset=utf-8$/);
  const parsed = JSON.parse(body);
  if ('request_id' in parsed) {
    expect(parsed).toMatchObject({ status, request_id: requestId });
    if (!('errors' in parsed) && status !== 404) expect(Object.keys(requestErrors)).toContain(parsed.code);
  } else if (/^(http:\/\/\w+)?\/graphql([/?#]|$)/i.test(target)) {
    expect(parsed.errors ?? parsed.data).toBeTruthy();
    const extensions = { code: expect.stringMatching(/^(?!INTERNAL)[A-Z_]+$/), requestId };
    for (const error of parsed.errors ?? []) {
      expect(error).toMatchObject({ message: expect.stringMatching(/\S/), extensions });
    }
  } else {
    expect(status).toBeLessThan(300);
  }
}

// Incomplete requests, requests that are rejected before their end, and tunnels, which Node closes.
function mayBeCutOff({ method, sent, headers, body }: RawRequest): boolean {
  const isLarge = (body?.length ?? 0) > 100_000 || headers.some(([, value]) => value.length > 10_000);
  return sent !== undefined || method === 'CONNECT' || isLarge;
}

// Rows may change only after a successful response: a tag on REST, or a GraphQL mutation without user errors.
function isAccepted(answer: RawAnswer | undefined): boolean {
  if (answer === undefined || answer.status > 201) return false;
  const { id, data } = JSON.parse(answer.body);
  const payloads = Object.values<{ userErrors?: unknown[] } | null>(data ?? {});
  return id !== undefined || payloads.some((payload) => payload && !payload.userErrors?.length);
}

function graphql(query: string, variables = '{}'): RawRequest {
  return send('POST', '/graphql', `{"query":${JSON.stringify(query)},"variables":${variables}}`);
}

// A function, because a text may contain `$&`.
const fill = (text: string, value: string) => text.replaceAll('VALUE', () => value);

const places: [place: string, request: (value: string) => RawRequest][] = [
  ...Object.entries(corpus.bodies).flatMap(([target, bodies]) =>
    bodies.map((body): (typeof places)[number] => [
      `${target} ${body}`,
      (value) => send('POST', target, fill(body, value)),
    ]),
  ),
  ...corpus.operations.map(([query = '', variables = '']): (typeof places)[number] => [
    `${query} ${variables}`,
    (value) => graphql(fill(query, value), fill(variables, value)),
  ]),
];

test.each(places)('unusual JSON values are harmless in %s', async (_place, request) => {
  for (const value of json) await attack(request(value));
});

test('unusual texts and integers are harmless in URLs and forms', async () => {
  for (const value of encoded) {
    for (const url of corpus.urls) await attack(get(fill(url, value)));
    await attack(send('PUT', `${tags}/${value}`, '{"name_en":"Spicy"}'));
    for (const body of corpus.formPlaces) await attack(send('POST', tags, fill(body, value), form));
  }
  for (const text of forms)
    for (const start of ['', 'name_en=Spicy&']) await attack(send('POST', tags, start + text, form));
});

test.each(Object.entries(good))('unusual targets, methods and headers are harmless on %s', async (name, request) => {
  const root = name === 'REST' ? '/partner_portal/v1' : '/graphql';
  for (const target of [...tails.map((tail) => root + tail), ...corpus.targets]) {
    for (const method of ['GET', 'POST', 'PUT']) await attack({ ...request, method, target });
  }
  for (const method of corpus.methods) await attack({ ...request, method });
  for (const header of headers) {
    await attack({ ...request, headers: [header, ...request.headers] });
    await attack({ ...get('/partner_portal/v1/countries'), headers: [header] });
  }
});

/** Ways to corrupt the text of a body and to encode its bytes. */
const breaks: ((body: Buffer) => Buffer)[] = [
  (body) => Buffer.from(body.toString(), 'utf16le'),
  (body) => Buffer.concat([Buffer.from('\ufeff'), body]),
  (body) => Buffer.concat([body.subarray(0, 12), Buffer.from([0xc3, 0x28, 0xff]), body.subarray(12)]),
  (body) => body.subarray(0, body.length / 2),
  (body) => Buffer.concat([body, body]),
];
const codings: [name: string, (body: Buffer) => Buffer][] = [
  ['gzip', (body) => gzipSync(body)],
  ['br', (body) => brotliCompressSync(body)],
  ['gzip, gzip', (body) => gzipSync(gzipSync(body))],
  ['GZIP', (body) => gzipSync(body).subarray(0, -5)],
  ['x-gzip', () => gzipSync(Buffer.alloc(20 * 1024 * 1024))],
  ['snappy', (body) => body],
];

test.each(Object.entries(good))('unusual bodies are harmless on %s', async (_name, request) => {
  const body = request.body as Buffer;
  for (const type of corpus.contentTypes) await attack({ ...request, headers: [['Content-Type', type]] });
  for (const change of breaks) await attack({ ...request, body: change(body) });
  for (const [name, code] of codings) {
    await attack({ ...request, headers: [...request.headers, ['Content-Encoding', name]], body: code(body) });
  }
  for (const sent of [0, 0.5, 0.99]) for (const chunked of [true, false]) await attack({ ...request, chunked, sent });
});

test('unusual documents are harmless', async () => {
  for (const query of documents) {
    for (const variables of ['{}', '{"id":null}', '{"id":1}']) await attack(graphql(query, variables));
    if (query.length < 3_000) await attack(get(`/graphql?query=${encode(query)}`));
  }
});

// Ids and columns that no input has, and names for prototype pollution.
const members = corpus.members.map((member) =>
  member.replaceAll('COMPANY', String(other.companyId)).replace('TAG', String(otherTag.id)),
);

test.each(members)('the unknown member %s is ignored, or rejected in an input of GraphQL', async (member) => {
  const created = await attack(send('POST', tags, `{"name_en":"Spicy",${member}}`));
  const { id } = JSON.parse(created?.body ?? '');
  const row = app.db.selectFrom('productTags').select(['companyId', 'nameEn']).where('id', '=', id);
  expect(await row.executeTakeFirst()).toEqual({ companyId: attacker.companyId, nameEn: 'Spicy' });
  const create = 'mutation ($input: CreateProductTagInput!) { createProductTag(input: $input) { productTag { id } } }';
  const rejected = await attack(graphql(create, `{"input":{"nameEn":"Spicy",${member}}}`));
  expect(JSON.parse(rejected?.body ?? '')).toMatchObject({ errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] });
  const ignored = await attack(send('POST', '/graphql', `{"query":"{ __typename }",${member}}`));
  expect(JSON.parse(ignored?.body ?? '')).toEqual({ data: { __typename: 'Query' } });
});
