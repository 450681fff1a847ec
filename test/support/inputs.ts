import type { RawRequest } from './raw-http.ts';

/** A request whose `name` input has about `size` characters; `mark` makes its text different from every other one. */
export interface Input {
  name: string;
  /** The largest size, in characters: a little below the limit of the place that takes it. */
  max: number;
  request(size: number, mark: string): RawRequest;
}

const headerLimit = 14_000;
const bodyLimit = 500_000;

/** What is repeated until it has the size: a text, one that its index makes another, or what opens and closes around a text. */
type Unit = string | ((index: number) => string) | [open: string, inner: string, close: string];

function fill(unit: Unit, size: number): string {
  if (typeof unit === 'string') return unit.repeat(Math.ceil(size / unit.length)).slice(0, size);
  if (typeof unit === 'function') {
    return Array.from({ length: Math.floor(size / unit(12_345).length) }, (_, index) => unit(index)).join('');
  }
  const [open, inner, close] = unit;
  const depth = Math.floor(size / (open.length + close.length));
  return open.repeat(depth) + inner + close.repeat(depth);
}

const units: Record<string, string> = {
  letters: 'a',
  spaces: ' ',
  commas: ',',
  semicolons: ';',
  quotes: '"',
  backslashes: '\\',
  percent: '%25',
  brackets: '[',
  dots: '../',
  digits: '9',
  suggestion: ' Did you mean ',
  combining: '\u0301',
  arabic: 'ع',
  family: '👩‍👩‍👧',
  pairs: 'a=1&',
  elements: 'item_ids[]=1&',
};

type Header = readonly [name: string, value: string];

const get = (target: string, headers: Header[] = []): RawRequest => ({ method: 'GET', target, headers });

function send(method: string, target: string, body: string, token?: string, type = 'application/json'): RawRequest {
  const headers: Header[] = [['Content-Type', type]];
  if (token !== undefined) headers.push(['Authorization', `Bearer ${token}`]);
  return { method, target, headers, body: Buffer.from(body) };
}

const graphql = (query: string, variables: object = {}, token?: string) =>
  send('POST', '/graphql', JSON.stringify({ query, variables }), token);

const v1 = '/partner_portal/v1';
const tags = `${v1}/product_tags`;
const named = (mark: string) => `query ${mark} { services { id } }`;

/** Every place of both surfaces that takes text from a client, with texts of many kinds. */
export function inputs(token: string, tagId: number): Input[] {
  return [...headerInputs(), ...targetInputs(token), ...bodyInputs(token, tagId), ...shapedInputs(token)];
}

function headerInputs(): Input[] {
  const names = [
    ...['accept', 'accept-encoding', 'accept-language', 'authorization', 'content-type', 'cookie', 'forwarded', 'host'],
    ...['idempotency-key', 'if-match', 'if-none-match', 'origin', 'traceparent', 'tracestate', 'user-agent'],
    ...['access-control-request-headers', 'x-forwarded-for', 'x-request-id', 'apollo-require-preflight'],
  ];
  const values = { ...units, qualities: 'en;q=0.1,', tags: '"a",', types: 'a/b;c=d,', parameters: 'a/b;c=" ";' };
  const kinds = Object.entries(values).filter(([, unit]) => /^[\x20-\x7e]*$/.test(unit));
  const places: Record<string, (header: Header, mark: string) => RawRequest> = {
    GET: (header) => get(`${v1}/countries`, [header]),
    'GraphQL GET': (header, mark) => get(`/graphql?query=query%20${mark}{services{id}}`, [header]),
    POST(header, mark) {
      const request = graphql(named(mark));
      return { ...request, headers: [...request.headers.filter(([name]) => name.toLowerCase() !== header[0]), header] };
    },
  };
  return Object.entries(places).flatMap(([place, make]) =>
    names.flatMap((name) =>
      kinds.map(([kind, unit]) => ({
        name: `${place} header ${name}: ${kind}`,
        max: headerLimit,
        request(size, mark) {
          const start = name === 'content-type' && place !== 'GET' ? 'application/json' : 'a';
          return make([name, `${start}${fill(unit, size)}a`], mark);
        },
      })),
    ),
  );
}

function targetInputs(token: string): Input[] {
  const places: Record<string, (text: string, mark: string) => RawRequest> = {
    'path segment': (text, mark) => send('PUT', `${tags}/${text}`, JSON.stringify({ name_en: mark }), token),
    path: (text) => get(`/${text}`),
    'page parameter': (text) => get(`${v1}/lookups?services=${text}`),
    'integer parameter': (text) => get(`${v1}/cities?country_id=${text}`),
    'query string': (text) => get(`${v1}/lookups?${text}`),
    'GraphQL query string': (text, mark) => get(`/graphql?query=query%20${mark}{services{id}}&variables=${text}`),
  };
  const kinds = { ...units, lists: 'services[]=1&', slashes: '/', repeated: 'services=1&' };
  return Object.entries(places).flatMap(([place, make]) =>
    Object.entries(kinds).map(([kind, unit]) => ({
      name: `${place}: ${kind}`,
      max: headerLimit,
      request: (size, mark) => make(encodeURI(fill(unit, size).toWellFormed()).slice(0, headerLimit), mark),
    })),
  );
}

const create = (mark: string) =>
  `mutation ${mark}($input: CreateProductTagInput!) { createProductTag(input: $input) { productTag { id } userErrors { message } } }`;

function bodyInputs(token: string, tagId: number): Input[] {
  const typed = (type: string, field: string) => (text: string, mark: string) =>
    graphql(`query ${mark}($v: ${type}) { ${field} }`, { v: text }, token);
  const parts = (part: object) => send('POST', '/graphql', JSON.stringify(part));
  const places: Record<string, (text: string, mark: string) => RawRequest> = {
    'JSON name': (text) => send('PUT', `${tags}/${tagId}`, JSON.stringify({ name_en: text }), token),
    'JSON text': (text) => send('POST', tags, text, token),
    'GraphQL body': (text) => send('POST', '/graphql', text),
    'persisted query hash': (text, mark) =>
      parts({ extensions: { persistedQuery: { version: 1, sha256Hash: text + mark } } }),
    'operation name': (text, mark) => parts({ query: named(mark), operationName: text }),
    'name variable': (text, mark) => graphql(create(mark), { input: { nameEn: text } }, token),
    'unknown input field': (text, mark) => graphql(create(mark), { input: { nameEn: mark, [text]: 1 } }, token),
    'integer variable': typed('Int', 'cities(countryId: $v) { id }'),
    'enum variable': typed('Locale', 'services { name(locale: $v) }'),
    'cursor variable': typed('String', 'viewer { items(after: $v) { nodes { id } } }'),
    'boolean variable': typed('Boolean!', 'services { id @include(if: $v) }'),
    'variable name': (text, mark) => graphql(named(mark), { [text]: 1 }),
  };
  const kinds = { ...units, lines: '\n', tabs: '\t', 'zero width': '\u200b', marks: '\u0345\u0316' };
  return Object.entries(places).flatMap(([place, make]) =>
    Object.entries(kinds).map(([kind, unit]) => ({
      name: `${place}: ${kind}`,
      max: bodyLimit,
      request(size, mark) {
        const written = (size * unit.length) / Buffer.byteLength(JSON.stringify(unit));
        return make(fill(unit, Math.floor(written - 200)), mark);
      },
    })),
  );
}

/** Texts with a mark for M, and for X and Y what is repeated. */
type Shape = [name: string, template: string, x: Unit, y?: Unit];

const form = 'X&name_en=M';
const forms: Shape[] = [
  ['names alone', 'name_en=M&X', 'a&'],
  ['list elements', form, 'item_ids[]=11&'],
  ['indexed elements', form, (index) => `item_ids[${index}]=1&`],
  ['wrapped elements', form, 'product_tag[item_ids][]=1&'],
  ['distinct names', form, (index) => `n${index}=1&`],
  ['nested names', 'aX=1&name_en=M', '[a]'],
  ['open brackets', 'X=1&name_en=M', '['],
  ['ampersands', form, '&'],
  ['equals', form, '='],
  ['pluses', 'name_en=X&name_en=M', '+'],
  ['percents', 'name_en=X&name_en=M', '%41'],
];

const member = '{"name_en":"M","x":X}';
const itemIds = '{"name_en":"M","item_ids":[X 1]}';
const bodies: Shape[] = [
  ['nested arrays', member, ['[', '', ']']],
  ['nested objects', member, ['{"a":', '1', '}']],
  ['members', '{"name_en":"M",X"x":1}', (index) => `"m${index}":1,`],
  ['repeated members', '{"name_en":"M",X"x":1}', '"name_ar":1,'],
  ['digits', '{"name_en":"M","item_ids":[X]}', '9'],
  ['escapes', '{"name_en":"M","name_ar":"X"}', '\\u0041'],
  ['unknown items', itemIds, (index) => `${1_000_000 + index},`],
  ['repeated items', itemIds, '1,'],
  ['wrong items', itemIds, '"a",'],
  ['unfinished', '{"name_en":"M","name_ar":"X', 'a'],
  ['spaces', '{"name_en":"M",X"x":1}', ' '],
];

const field = 'query M { services { id X } }';
const after = 'query M { services { id } } X';
const spread = 'query M { services { id ...F0 } } X';
const localized = (value: string) => `query M { services { id name(locale: ${value}) } }`;
const documents: Shape[] = [
  ['repeated fields', field, 'id '],
  ['repeated root fields', 'query M { X }', 'services{id} '],
  ['repeated roots, open', 'query M { X', 'services{id '],
  ['aliases', field, (index) => `a${index}:id `],
  ['one alias of other fields', field, (index) => (index % 2 ? 'a:id ' : 'a:nameEn ')],
  ['other arguments', field, (index) => `name(locale:${index % 2 ? 'AR' : 'EN'}) `],
  ['inline fragments', field, '...{id} '],
  ['inline fragments of other names', field, (index) => `...{a${index}:id} `],
  ['inline fragments on a type', field, '... on Service{id nameEn} '],
  ['invalid inline fragments', 'query M { services { id nope X } }', '...{id nameEn code} '],
  ['nested inline fragments', field, ['...{', 'id', '}']],
  ['spreads', `${field} fragment F on Service { id }`, '...F '],
  ['spread fragments', spread, (index) => `fragment F${index} on Service { id ...F${index + 1} } `],
  [
    'fragments side by side',
    `${field} Y`,
    (index) => `...F${index} `.padEnd(22),
    (index) => `fragment F${index} on Service{id}`,
  ],
  ['doubling fragments', spread, (index) => `fragment F${index} on Service{id ...F${index + 1} ...F${index + 1}} `],
  ['unused fragments', after, (index) => `fragment F${index} on Service{id} `],
  ['fragments in a circle', spread, (index) => `fragment F${index} on Service{id ...F${index + 1} ...F0} `],
  ['directives', field, '@include(if:true) '],
  ['unknown directives', field, '@nope '],
  ['unknown fields', field, (index) => `f${index} `],
  ['unknown arguments', 'query M { services { name(X) } }', (index) => `a${index}:1 `],
  ['unknown type', 'query M { services { ... on X {id} } }', 'A'],
  ['long name', field, 'nam'],
  ['variables', 'query M(X) { services { id } }', (index) => `$v${index}:Int `],
  ['repeated variables', 'query M(X) { services { id } }', '$v:Int '],
  ['operations', after, (index) => `query Q${index}{services{id}} `],
  ['comments', after, '# a\n'],
  ['commas', field, ','],
  ['spaces', field, ' '],
  ['lines', field, '\n'],
  ['block string', localized('"""X"""'), '\n  a'],
  ['escaped block string', localized('"""X"""'), '\\"""'],
  ['string', localized('"X"'), ' Did you mean '],
  ['enum value', localized('X'), 'A'],
  ['unfinished string', 'query M { services { name(locale: "X', 'a'],
  ['list literal', 'query M { cities(countryId: [X]) { id } }', '1 '],
  ['nested list literal', 'query M { cities(countryId: X) { id } }', ['[', '', ']']],
  ['object literal', 'mutation M { createProductTag(input: {X}) { productTag { id } } }', (index) => `a${index}:1 `],
  [
    'item list literal',
    'mutation M { createProductTag(input: {nameEn:"abc" itemIds:[X]}) { productTag { id } } }',
    '1 ',
  ],
  [
    'spreads of a field with a list literal',
    'mutation M { X } fragment F on Mutation { createProductTag(input: {nameEn:"abc" itemIds:[Y]}) { __typename } }',
    '...F ',
    '1 ',
  ],
  ['number literal', 'query M { cities(countryId: X) { id } }', '9'],
  ['float literal', 'query M { cities(countryId: 1.X) { id } }', '9'],
  ['introspection', 'query M { __schema { types { X } } }', 'fields { name } '],
  ['deep introspection', 'query M { __schema { types { X } } }', ['fields{type{', 'name', '}}']],
  ['type names', field, '__typename '],
  ['braces closed', after, '}'],
  ['dollars', 'query M X', '$'],
];

function shapedInputs(token: string): Input[] {
  const shaped = (place: string, max: number, shapes: Shape[], make: (text: string) => RawRequest): Input[] =>
    shapes.map(([kind, template, x, y]) => ({
      name: `${place}: ${kind}`,
      max,
      request(size, mark) {
        const room = (size - 300) / (y === undefined ? 1 : 2);
        const parts: Record<string, string> = { M: mark, X: fill(x, room), Y: y === undefined ? '' : fill(y, room) };
        return make(template.replace(/\b[MXY]\b|(?<=\d|a|:)X/g, (name) => parts[name] as string));
      },
    }));
  const formType = 'application/x-www-form-urlencoded';
  const list =
    (unit: (index: number) => unknown): ((size: number, mark: string) => RawRequest) =>
    (size, mark) => {
      const itemIds = Array.from({ length: Math.floor((size - 400) / 8) }, (_, index) => unit(index));
      return graphql(create(mark), { input: { nameEn: mark, itemIds } }, token);
    };
  return [
    ...shaped('form', bodyLimit, forms, (text) => send('POST', tags, text, token, formType)),
    ...shaped('JSON', bodyLimit, bodies, (text) => send('POST', tags, text, token)),
    ...shaped('document', bodyLimit, documents, graphql),
    ...shaped('small document', 13_000, documents, graphql),
    { name: 'item list variable: unknown items', max: bodyLimit, request: list((index) => 1_000_000 + index) },
    { name: 'item list variable: wrong items', max: bodyLimit, request: list(() => 'a') },
  ];
}
