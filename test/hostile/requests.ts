import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { RawRequest } from '../support/raw-http.ts';
import corpus from './corpus.json' with { type: 'json' };

/** What an attacker knows: ids of its own company, and of another. */
export interface KnownIds {
  ownTags: number[];
  ownProducts: number[];
  modifier: number;
  otherTag: number;
  otherProduct: number;
  otherCompany: number;
}

type Header = readonly [name: string, value: string];

const range = (length: number) => Array.from({ length }, (_, index) => index);
const nested = (open: string, inner: string, close: string, times = 5_000) =>
  open.repeat(times) + inner + close.repeat(times);

/** The corpus with the values that are too long to write down. */
export const strange = {
  ...corpus,
  texts: [
    ...corpus.texts,
    'x'.repeat(51),
    'x'.repeat(100_000),
    '\ud800 half',
    'e\u0301'.repeat(26),
    '👩‍👩‍👧‍👦'.repeat(8),
  ],
  integers: [...corpus.integers, '9'.repeat(400)],
  json: [...corpus.json, nested('[', '', ']'), nested('{"a":', '1', '}'), JSON.stringify(range(10_001))],
  forms: [...corpus.forms, `a${'[a]'.repeat(50)}=1`, `${'a'.repeat(5_000)}=1`, 'item_ids[]=1&'.repeat(10_200)],
  tails: [...corpus.tails, `/${'a'.repeat(10_000)}`, `?${'a=1&'.repeat(3_000)}`],
  headers: [
    ...(corpus.headers as unknown as Header[]),
    ['Accept-Language', `${'en-x;q=0.1,'.repeat(500)}ar`],
    ['X-Large', 'x'.repeat(20_000)],
  ] as Header[],
  documents: [
    ...corpus.documents,
    `{ __schema { types { ${nested('ofType { ', 'name', '} ', 900)} } } }`,
    `{ ${'__typename '.repeat(500)} }`,
    `{ ${'__typename '.repeat(5_000)} }`,
    `{ ${range(200).map((index) => `a${index}: countries { id }`)} }`,
    `{ ${'viewer { '.repeat(4_000)} }`,
    `{ ${nested('... { ', '__typename', '} ', 2_000)} }`,
    `query ($a: ${nested('[', 'Int', ']', 3_000)}) { cities(countryId: $a) { id } }`,
    `{ cities(countryId: ${'['.repeat(9_000)}) }`,
    `{ cities(countryId: "${'x'.repeat(100_000)}") { id } }`,
    `{ ...F0 } ${range(40).map((index) => `fragment F${index} on Query { ...F${index + 1} ...F${index + 1} }`)}
      fragment F40 on Query { __typename }`,
    `{ __typename ${'@include(if: true) '.repeat(60)} }`,
  ],
};

/** Members that no input has: other ids, other columns, and the names by which prototypes are polluted; as JSON. */
export const strangeMembers = ({ otherCompany, otherTag }: KnownIds): string[] => [
  ...['company_id', 'companyId'].map((name) => `"${name}":${otherCompany}`),
  `"id":${otherTag}`,
  `"__proto__":{"company_id":${otherCompany},"companyId":${otherCompany},"polluted":true}`,
  ...['"partner_id":1', '"created_at":"1970-01-01"', '"constructor":{"prototype":{"polluted":true}}'],
  ...['"prototype":{"polluted":true}', '"hasOwnProperty":1', '"toString":"text"', '"then":1'],
];

const jsonType = 'application/json';
export const formType = 'application/x-www-form-urlencoded';
const v1 = '/partner_portal/v1';

/** A request with a body of that type. */
export function send(method: string, target: string, body: string | Buffer, type = jsonType): RawRequest {
  return { method, target, headers: [['Content-Type', type]], body: Buffer.from(body) };
}

export const get = (target: string): RawRequest => ({ method: 'GET', target, headers: [] });
export const graphql = (query: string, variables = '{}') =>
  send('POST', '/graphql', `{"query":${JSON.stringify(query)},"variables":${variables}}`);

const tags = `${v1}/product_tags`;
const create = `mutation M($input: CreateProductTagInput!) {
  createProductTag(input: $input) { productTag { id } userErrors { code } } }`;
const item = 'query ($id: Int!) { viewer { item(id: $id) { id nameEn tags { nodes { nameEn } } } } }';

/** Each place of a surface that takes a value, by what it takes. */
export const places = {
  REST: {
    json: [
      (value) => send('POST', tags, value),
      (value) => send('POST', tags, `{"product_tag":${value}}`),
      (value) => send('POST', tags, `{"product_tag":{"name_en":${value}}}`),
      ...['name_en', 'name_ar', 'item_ids'].map(
        (field) => (value: string) => send('POST', tags, `{"name_en":"Spicy","${field}":${value}}`),
      ),
      (value) => send('POST', tags, `{"name_en":"Spicy","item_ids":[${value}]}`),
    ],
    encoded: [
      (value) => send('PUT', `${tags}/${value}`, '{"name_en":"Spicy"}'),
      (value) => send('POST', tags, `name_en=${value}`, formType),
      (value) => send('POST', tags, `name_en=Spicy&item_ids[]=${value}`, formType),
      (value) => get(`${v1}/cities?country_id=${value}`),
      (value) => get(`${v1}/lookups?brand_types=${value}&week_days=${value}`),
    ],
  },
  GraphQL: {
    json: [
      (value) => send('POST', '/graphql', value),
      ...['query', 'variables', 'operationName', 'extensions'].map(
        (part) => (value: string) => send('POST', '/graphql', `{"query":"{ __typename }","${part}":${value}}`),
      ),
      (value) => send('POST', '/graphql', `{"query":"{ __typename }","extensions":{"persistedQuery":${value}}}`),
      (value) => graphql(create, `{"input":${value}}`),
      ...['nameEn', 'nameAr', 'itemIds'].map(
        (field) => (value: string) => graphql(create, `{"input":{"nameEn":"Spicy","${field}":${value}}}`),
      ),
      (value) => graphql(create, `{"input":{"nameEn":"Spicy","itemIds":[${value}]}}`),
      (value) => graphql(item, `{"id":${value}}`),
      (value) => graphql(`mutation { deleteProductTag(id: ${value}) { deletedProductTagId userErrors { code } } }`),
      (value) => graphql(`{ cities(countryId: ${value}) { id } lookups { brandTypes(page: ${value}) { name } } }`),
    ],
    encoded: [
      (value) => get(`/graphql?query=${value}`),
      (value) => get(`/graphql?query={__typename}&variables=${value}`),
    ],
  },
} satisfies Record<string, Record<'json' | 'encoded', ((value: string) => RawRequest)[]>>;

export type Surface = keyof typeof places;

export const roots: Record<Surface, string> = { REST: v1, GraphQL: '/graphql' };

/** For a URL or a form. */
export function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed().slice(0, 3_000));
}

/** Ways to break the text of a body, and to encode its bytes. */
export const writings: ((body: Buffer) => Buffer)[] = [
  (body) => Buffer.from(body.toString(), 'latin1'),
  (body) => Buffer.from(body.toString(), 'utf16le'),
  (body) => Buffer.concat([Buffer.from('\ufeff'), body]),
  (body) => Buffer.concat([body.subarray(0, 12), Buffer.from([0xc3, 0x28, 0xff]), body.subarray(12)]),
  (body) => body.subarray(0, body.length / 2),
  (body) => Buffer.concat([body, body]),
];
export const codings: [name: string, (body: Buffer) => Buffer][] = [
  ['gzip', (body) => gzipSync(body)],
  ['br', (body) => brotliCompressSync(body)],
  ['gzip, gzip', (body) => gzipSync(gzipSync(body))],
  ['GZIP', (body) => gzipSync(body).subarray(0, -5)],
  ['x-gzip', () => gzipSync(Buffer.alloc(20 * 1024 * 1024))],
  ['snappy', (body) => body],
];
