import { brotliCompressSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
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
const item = 'query ($id: Int!) { viewer { item(id: $id) { id nameEn tags { nameEn } } } }';

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

/** The usual value, save now and then: so a request has few faults, and others reach what is behind them. */
function mostly<T>(usual: fc.Arbitrary<T>, other: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof({ arbitrary: usual, weight: 15 }, { arbitrary: other, weight: 1 });
}

const texts = fc.oneof(
  { arbitrary: fc.constantFrom('Spicy', 'حار جدا', '  Trimmed  ', '🌶🌶🌶', 'x'.repeat(50)), weight: 4 },
  { arbitrary: fc.constantFrom(...strange.texts), weight: 1 },
  { arbitrary: fc.string({ unit: 'binary', maxLength: 60 }), weight: 1 },
);
const quoted = texts.map((text) => JSON.stringify(text));
const anyJson = fc.oneof(fc.constantFrom(...strange.json), quoted, fc.json({ maxDepth: 3 }));

function integers({ ownTags, ownProducts, modifier, otherTag, otherProduct }: KnownIds): fc.Arbitrary<string> {
  const own = fc.constantFrom(...ownTags, ...ownProducts).map(String);
  const strangers = fc.constantFrom(...[modifier, otherTag, otherProduct].map(String), ...strange.integers);
  return fc.oneof({ arbitrary: own, weight: 4 }, strangers, fc.bigInt().map(String));
}

/** The text of an object of these members, mostly; of which some lack, are of another type, or have strange ones beside them. */
function objects(known: KnownIds, values: Record<string, fc.Arbitrary<string>>): fc.Arbitrary<string> {
  const members = Object.entries(values).map(([name, value]) =>
    fc.option(mostly(value, anyJson), { freq: 20, nil: undefined }).map((text) => text && `"${name}":${text}`),
  );
  const others = mostly(fc.constant(undefined), fc.constantFrom(...strangeMembers(known)));
  const object = fc.tuple(...members, others).map((all) => `{${all.filter((member) => member !== undefined)}}`);
  return mostly(object, anyJson);
}

function tagFields(known: KnownIds, [nameEn, nameAr, itemIds]: [string, string, string]): fc.Arbitrary<string> {
  const ids = mostly(fc.subarray(known.ownProducts.map(String)), fc.array(integers(known), { maxLength: 8 }));
  return objects(known, {
    [nameEn]: quoted,
    [nameAr]: fc.oneof(quoted, fc.constant('null')),
    [itemIds]: ids.map((list) => `[${list}]`),
  });
}

type Places = readonly ((value: string) => RawRequest)[];
const at = (places: Places, values: fc.Arbitrary<string>) =>
  fc.tuple(fc.constantFrom(...places), values).map(([place, value]) => place(value));

function restRequests(known: KnownIds): fc.Arbitrary<RawRequest> {
  const fields = tagFields(known, ['name_en', 'name_ar', 'item_ids']);
  const updates = fc.tuple(integers(known), fields).map(([id, text]) => send('PUT', `${tags}/${id}`, text));
  const encoded = fc.oneof(integers(known), texts.map(encode));
  return fc.oneof(at(places.REST.json.slice(0, 2), fields), updates, at(places.REST.encoded, encoded));
}

const goodDocument = fc.constantFrom(...corpus.goodDocuments);

/** A good document with tokens removed, and others put in. */
const mixedDocument = goodDocument.chain((document) => {
  const tokens = document.match(/[\w$]+|[^\s\w]/g) ?? [];
  const added = fc.constantFrom(...'{ } ( ) [ ] ! : ... @include(if:$id) $id null 1 "x" on __typename'.split(' '));
  const edit = fc.tuple(fc.nat(tokens.length), fc.nat(2), fc.array(added, { maxLength: 1 }));
  return fc.array(edit, { minLength: 1, maxLength: 3 }).map((edits) => {
    for (const [at, removed, more] of edits) tokens.splice(at, removed, ...more);
    return tokens.join(' ');
  });
});

function graphqlRequests(known: KnownIds): fc.Arbitrary<RawRequest> {
  const variables = objects(known, {
    input: tagFields(known, ['nameEn', 'nameAr', 'itemIds']),
    id: integers(known),
    number: mostly(fc.constant('1'), integers(known)),
    text: quoted,
    locale: mostly(fc.constantFrom('"EN"', '"AR"'), fc.constant('"fr"')),
    type: mostly(fc.constantFrom('"PRODUCT"', 'null'), fc.constant('"__proto__"')),
  });
  const document = fc.oneof(
    { arbitrary: goodDocument, weight: 6 },
    { arbitrary: mixedDocument, weight: 3 },
    { arbitrary: fc.oneof(fc.constantFrom(...strange.documents), texts), weight: 3 },
  );
  const body = objects(known, {
    query: document.map((text) => JSON.stringify(text)),
    variables,
    operationName: mostly(fc.constant('null'), fc.constantFrom('"M"', '"__proto__"', '""', '1')),
    extensions: mostly(fc.constant('{}'), fc.constant('{"persistedQuery":{"version":1,"sha256Hash":"x"}}')),
  });
  const batch = body.map((text) => `[${text},${text}]`);
  const byGet = fc.tuple(document, variables).map((pair) => pair.map(encode).join('&variables='));
  return fc.oneof(
    { arbitrary: mostly(body, batch).map((text) => send('POST', '/graphql', text)), weight: 7 },
    byGet.map((query) => get(`/graphql?query=${query}`)),
  );
}

/** For a URL or a form. */
export function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed().slice(0, 3_000));
}

const writings: ((body: Buffer) => Buffer)[] = [
  (body) => Buffer.from(body.toString(), 'latin1'),
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

/** Requests to a surface with a token, whole and well written, mostly; from good ones to none at all. */
export function requests(surface: Surface, known: KnownIds, token: string): fc.Arbitrary<RawRequest> {
  const none = fc.constant(undefined);
  const faults = fc.record({
    request: { REST: restRequests, GraphQL: graphqlRequests }[surface](known),
    language: fc.constantFrom('ar', 'en', 'ar-SA, en;q=0.5'),
    credentials: mostly(fc.constant(`Bearer ${token}`), fc.constantFrom('', 'Bearer', `Bearer ${token}x`)),
    route: mostly(none, fc.tuple(fc.constantFrom('GET', 'POST', 'PUT', ...strange.methods), fc.nat())),
    headers: mostly<Header[]>(fc.constant([]), fc.subarray(strange.headers, { minLength: 1, maxLength: 3 })),
    type: mostly(none, fc.constantFrom(...strange.contentTypes)),
    writing: mostly(none, fc.constantFrom(...writings)),
    coding: mostly(none, fc.constantFrom(...codings)),
    chunked: mostly(fc.constant(false), fc.constant(true)),
    sent: mostly(none, fc.double({ min: 0, max: 0.99, noNaN: true })),
  });
  const targets = [...strange.tails.map((tail) => roots[surface] + tail), ...strange.targets];
  return faults.map(({ request, language, credentials, route, headers, type, writing, coding, chunked, sent }) => {
    const [method, target] = route ?? [];
    let body: Buffer | undefined = request.body && Buffer.from(request.body);
    for (const write of [writing, coding?.[1]]) body = body && write ? write(body) : body;
    const own = request.headers.map(([name, value]): Header => [name, type ?? value]);
    return printable({
      method: method ?? request.method,
      target: target === undefined ? request.target : (targets[target % targets.length] as string),
      headers: [
        ['Authorization', credentials],
        ['Accept-Language', language],
        ...headers,
        ...own,
        ...(body && coding ? [['Content-Encoding', coding[0]] as const] : []),
      ],
      body,
      chunked,
      ...(sent !== undefined && { sent }),
    });
  });
}

// As a failing run prints it.
function printable(request: RawRequest): RawRequest {
  const { method, target, headers, body = '', chunked, sent } = request;
  const text = Buffer.from(body).toString('latin1').slice(0, 2_000);
  const print = () =>
    JSON.stringify({ method, target: target.slice(0, 2_000), headers, chunked, sent, length: body.length, text });
  return { ...request, [fc.toStringMethod]: print } as RawRequest;
}
