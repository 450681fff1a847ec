import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createAdmin } from '../support/process.ts';
import { surfaces } from '../support/product-tag.ts';
import { exchangeRaw, type RawRequest, send } from '../support/raw-http.ts';
import { copyTemplate, startApp, use, useFolder } from '../support/test-app.ts';

// A quadratic step on half a megabyte takes longer than `exchangeRaw` waits. Tests of linear time measure the other inputs.

const app = use(await startApp({ RATE_LIMIT: 'off', TRUST_PROXY: '127.0.0.0/8' }));
const tenant = await app.createTenant();
const tag = await surfaces.REST.create(app.client, { name_en: 'Spicy' }, tenant);

/** Longest values: of a text in a body, and of a header or a path. */
const [inBody, inHead] = [500_000, 15_000];

/** A text of about `length` characters. */
type Text = (length: number) => string;

const repeatText =
  (pattern: string, end = ''): Text =>
  (length) =>
    pattern.repeat(Math.floor(length / pattern.length)) + end;

/** Repetitions that some regular expression might try to divide in many ways, without the end that it looks for. */
const runs: Record<string, Text> = {
  letters: repeatText('a', '!'),
  digits: repeatText('1', 'x'),
  'zeros and a point': repeatText('0', '.1x'),
  signs: repeatText('-'),
  'minus digits': repeatText('-1'),
  spaces: (length) => `a${repeatText(' ')(length)}a`,
  tabs: (length) => `a${repeatText('\t')(length)}a`,
  quotes: repeatText('"'),
  'quoted texts': repeatText('"a"', 'x'),
  'entity tags': repeatText('"a",', 'x'),
  'weak entity tags': repeatText('W/"a" , ', 'W/'),
  'an open entity tag': (length) => `"${repeatText('!')(length)}`,
  'commas and spaces': repeatText(' ,', 'x'),
  'escaped quotes': (length) => `"${repeatText('\\"')(length)}`,
  backslashes: (length) => `"${repeatText('\\')(length)}`,
  semicolons: repeatText(';'),
  parameters: (length) => `a/b${repeatText(';q=1')(length)}`,
  'a media type and spaces': (length) => `a/b${repeatText(' ')(length)}x`,
  colons: repeatText(':', 'x'),
  points: repeatText('1.', 'x'),
  brackets: repeatText('[', ']'),
  'closing brackets': (length) => `[${repeatText(']')(length)}x`,
  'an IPv6 address': repeatText('f:', 'x'),
  slashes: repeatText('/', 'x'),
  percent: repeatText('%25', '41'),
  'percent signs': repeatText('%'),
  equals: repeatText('='),
  'names of credentials': repeatText('bearer ', '!'),
  'a credential of plus signs': (length) => `token${repeatText('+ ')(length)}`,
  authorizations: repeatText('authorization : '),
  'authorization and spaces': (length) => `authorization${repeatText(' ')(length)}`,
  'beginnings of tokens': repeatText('pp_'),
  'combining marks': (length) => `a${repeatText('\u0301\u0323')(length)}`,
  'letters that normalize to many': repeatText('\uFDFA'),
  'Hangul parts': repeatText('\u1100\u1161'),
  'invisible marks': (length) => `${repeatText('\u200E')(length / 2)}a${repeatText('\u200E')(length / 2)}`,
  'direction marks': repeatText('\u202E'),
  'lone surrogates': repeatText('\uD800'),
  emoji: repeatText('👩‍👩‍👧‍👦'),
  'wildcards of like': repeatText('%_\\'),
  words: repeatText('a '),
  'curly brackets': repeatText('{', '}'),
  times: (length) => `2027-${repeatText(':')(length)}Z`,
};

const rows = Object.entries(runs);
const authorization = ['Authorization', `Bearer ${tenant.token}`] as const;

/** Sends a request; expects a response other than a failure. */
async function expectAnswer(what: string, request: RawRequest, host?: string): Promise<void> {
  const answer = await exchangeRaw(app.url, { ...request, headers: [authorization, ...request.headers] }, host);
  expect(answer?.status, `${what}: ${answer?.body.slice(0, 300)}`).toBeLessThan(500);
}

const rest = (method: 'POST' | 'PUT', body: string, type?: string) =>
  send(method, `/partner_portal/v1/product_tags${method === 'PUT' ? `/${tag.id}` : ''}`, body, type);
const graphql = (query: string, variables: object) => send('POST', '/graphql', JSON.stringify({ query, variables }));

const outcome = '{ productTag { id } userErrors { code } }';
const bodies: Record<string, (text: string) => RawRequest> = {
  'an item id on REST': (text) => rest('POST', JSON.stringify({ name_en: 'Spicy', item_ids: [text, 1] })),
  'an unknown field on REST': (text) => rest('POST', JSON.stringify({ [text.toWellFormed()]: text.slice(0, 9) })),
  'a form': (text) => rest('POST', text, 'application/x-www-form-urlencoded'),
  'a value of a form': (text) => rest('POST', `_method=${text}`, 'application/x-www-form-urlencoded'),
  'an index in a form': (text) => rest('POST', `item_ids[${text}]=1`, 'application/x-www-form-urlencoded'),
  'a multipart form': (text) => multipart(`Content-Disposition: form-data; name=name_en\r\n\r\n${text}`),
  'a header of a part': (text) =>
    multipart(`Content-Disposition: form-data${inPart(text)}x; name=name_en\r\n\r\nSpicy`, 6),
  'a name of a part': (text) => multipart(`Content-Disposition: form-data; name=${inPart(text)}x\r\n\r\nSpicy`, 6),
  'a document': (text) => graphql(text, {}),
  'a literal': (text) => graphql(`{ items(search: ${JSON.stringify(text)}) { nodes { id } } }`, {}),
  'a search': (text) => graphql('query ($text: String) { items(search: $text) { nodes { id } } }', { text }),
  'a cursor': (text) =>
    graphql('query ($text: String) { items(after: $text) { nodes { id } } }', { text: toBase64url(`item:${text}`) }),
  'a cursor of names': (text) =>
    graphql('query ($text: String) { items(orderBy: NAME_EN, after: $text) { nodes { id } } }', {
      text: toBase64url(`item:NAME_EN:1:${text}`),
    }),
  'a condition': (text) =>
    graphql(`mutation ($text: String) { deleteProductTag(id: ${tag.id}, ifMatch: $text) ${outcome} }`, { text }),
  'an idempotency key': (text) =>
    graphql(
      `mutation ($text: String) { createProductTag(input: { nameEn: "ab" }, idempotencyKey: $text) ${outcome} }`,
      { text },
    ),
};

function toBase64url(text: string): string {
  return Buffer.from(text).toString('base64url');
}

/** A text within the headers of a part, which the parser cuts after 81,920 bytes. */
const inPart = (text: string) => text.slice(0, 81_000);

function multipart(part: string, times = 1): RawRequest {
  return rest('POST', `${`--x\r\n${part}\r\n`.repeat(times)}--x--`, 'multipart/form-data; boundary=x');
}

/** As many characters as fit into a body, however they are encoded. */
function shortened(make: (text: string) => RawRequest, text: Text): RawRequest {
  const max = 524_288;
  const request = make(text(inBody));
  const { length = 0 } = request.body ?? {};
  return length <= max ? request : make(text(Math.floor((inBody * max) / length) - 2_000));
}

test.each(Object.entries(bodies))('half a megabyte as %s', async (_, make) => {
  for (const [name, text] of rows) await expectAnswer(name, shortened(make, text));
});

const deep = (open: string, inner: string, close: string, times: number) =>
  open.repeat(times) + inner + close.repeat(times);
const lists = (times: number) => deep('[', '', ']', times);
const objects = (times: number) => deep('{"a":', '1', '}', times);

describe('structures of half a megabyte', () => {
  const ids = Array.from({ length: 60_000 }, (_, id) => `"${id} "`).join();
  const fields = Array.from({ length: 40_000 }, (_, id) => `"field${id}":1`).join();
  const values = { lists: lists(240_000), objects: objects(80_000), fields: `{${fields}}`, ids: `[${ids}]` };
  const places: Record<string, (value: string) => RawRequest> = {
    'a body of REST': (value) => rest('POST', value),
    'a name on REST': (value) => rest('POST', `{"name_en":${value}}`),
    'items on REST': (value) => rest('PUT', `{"name_en":"Spicy","item_ids":${value}}`),
    'an item on REST': (value) => rest('PUT', `{"name_en":"Spicy","item_ids":[1,${value}]}`),
    'the wrapper on REST': (value) => rest('POST', `{"product_tag":${value}}`),
    'a body of GraphQL': (value) => send('POST', '/graphql', value),
    variables: (value) => withVariables('query ($id: Int) { cities(countryId: $id) { id } }', value),
    'a variable': (value) => withVariables('query ($id: Int!) { item(id: $id) { id } }', `{"id":${value}}`),
    'a variable of a list': (value) =>
      withVariables('query ($ids: [Int!]!) { itemsByIds(ids: $ids) { id } }', `{"ids":${value}}`),
    'a variable of an input': (value) =>
      withVariables(
        `mutation ($input: CreateProductTagInput!) { createProductTag(input: $input) ${outcome} }`,
        `{"input":${value}}`,
      ),
    extensions: (value) =>
      send('POST', '/graphql', `{"query":"{ __typename }","extensions":{"persistedQuery":${value}}}`),
  };
  const withVariables = (query: string, variables: string) =>
    send('POST', '/graphql', `{"query":${JSON.stringify(query)},"variables":${variables}}`);
  test.each(Object.entries(places))('as %s', async (_, make) => {
    for (const [name, value] of Object.entries(values)) await expectAnswer(name, make(value));
  });
});

/** Headers that we read, the beginnings of their values, and the longest value that is parsed if it is shorter than `inHead`. */
const headers: [name: string, before: string, max?: number][] = [
  ['Accept', '', 990],
  ['Accept', 'application/json;a=', 970],
  ['Accept-Encoding', '', 490],
  ['Accept-Language', '', 990],
  ['Accept-Language', 'ar-', 990],
  ['Access-Control-Request-Headers', ''],
  ['Authorization', 'Bearer '],
  ['Authorization', 'Token token="'],
  ['Content-Encoding', '', 190],
  ['Content-Type', '', 490],
  ['Content-Type', 'application/json; charset=', 460],
  ['Content-Type', 'multipart/form-data; boundary=', 460],
  ['Host', ''],
  ['Idempotency-Key', ''],
  ['If-Match', '', 990],
  ['If-None-Match', '', 3_990],
  ['Origin', ''],
  ['traceparent', '', 190],
  ['X-Forwarded-For', ''],
  ['X-Forwarded-For', '127.0.0.1, ['],
  ['X-Forwarded-Proto', ''],
  ['X-HTTP-Method-Override', ''],
  ['X-Request-Id', '', 190],
];

test.each(headers)('the longest header %s: %s', async (name, before, max = inHead) => {
  // What Node accepts in a header.
  for (const [what, text] of rows.filter(([, each]) => /^[\t -~]*$/.test(each(99)))) {
    for (const length of new Set([max, inHead])) {
      const value = before + text(length);
      const { headers: own, ...request } = name === 'Accept' ? graphql('{', {}) : rest('PUT', '{"name_en":"Spicy"}');
      const sent = name === 'Host' ? own : [...own.filter(([each]) => each !== name), [name, value] as const];
      await expectAnswer(what, { ...request, headers: sent }, name === 'Host' ? value : undefined);
    }
  }
});

const v1 = '/partner_portal/v1';
const paths = ['', '/', '/assets/x/', '/guides/', '/?lang=en&api=', '/graphql?query=', '/graphql?variables='];

test.each([...paths, `${v1}/product_tags/`, `${v1}/lookups?`, `${v1}/lookups?brand_types=`])(
  'the longest path after %s',
  async (path) => {
    for (const [what, text] of rows.filter(([, each]) => /^[!-~]*$/.test(each(99))))
      await expectAnswer(what, { method: 'GET', target: path + text(inHead), headers: [] });
  },
);

describe('a CSV file', async () => {
  const database = use(await copyTemplate());
  const folder = await useFolder();
  const { run } = createAdmin(database.env);
  const heading = 'id,partner_id,label,access,expires_at,revoked_at,token_hash\n';
  const tags = 'id,company_id,name_en,name_ar,item_ids\n';
  const formatCell = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const files: Record<string, [command: string, content: string]> = {
    ...Object.fromEntries(
      rows.flatMap(([name, text]) => {
        const [cell, time] = [formatCell(text(inBody)), formatCell(`2027-${text(inBody)}Z`)];
        return [
          [`tokens of ${name}`, ['import tokens', `${heading}9,1,${cell},full,,,x\n9,1,,full,${time},,\n`]],
          [`tags of ${name}`, ['import tags', `${tags}9,1,${cell},,${cell}\n`]],
        ];
      }),
    ),
    'names before a repeated one': ['import tags', `${'x,'.repeat(200_000)}${'id,'.repeat(200_000)}\n`],
  };
  // Each takes at most a few seconds on a slow machine.
  test.each(Object.entries(files))(
    'of %s',
    async (_name, [command, content]) => {
      const file = join(folder, 'x.csv');
      await writeFile(file, content);
      const { code, stderr } = await run(...command.split(' '), file);
      expect(code, stderr.slice(0, 500)).toBe(1);
      expect(stderr).toMatch(/must|is required|is missing|unknown column|Quote/);
    },
    30_000,
  );
});
