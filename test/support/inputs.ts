import type { RawRequest } from './raw-http.ts';

/** A request whose `name` input has about `size` characters; `mark` makes its text different from every other one. */
export interface Input {
  name: string;
  /** The largest size, in characters: a little below the limit of the place that takes it. */
  max: number;
  request(size: number, mark: string): RawRequest;
}

const fillers: Record<string, string> = {
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
const fill = (unit: string, size: number) => unit.repeat(Math.ceil(size / unit.length)).slice(0, size);
const isHeaderText = (unit: string) => /^[\x20-\x7e]*$/.test(unit);
const count = <T>(size: number, unit: string, make: (index: number) => T) =>
  Array.from({ length: Math.floor(size / unit.length) }, (_, index) => make(index));

const headerLimit = 14_000;
const bodyLimit = 500_000;

type Header = readonly [name: string, value: string];

function graphql(query: string, variables: object = {}, token?: string): RawRequest {
  return json('POST', '/graphql', JSON.stringify({ query, variables }), token);
}

function json(method: string, target: string, body: string, token?: string): RawRequest {
  return send(method, target, 'application/json', body, token);
}

function send(method: string, target: string, type: string, body: string, token?: string): RawRequest {
  const headers: Header[] = [['Content-Type', type]];
  if (token !== undefined) headers.push(['Authorization', `Bearer ${token}`]);
  return { method, target, headers, body: Buffer.from(body) };
}

const tags = '/partner_portal/v1/product_tags';

/** Every place of both surfaces that takes text from a client, with texts of many kinds. */
export function inputs(token: string, tagId: number): Input[] {
  return [
    ...headers(),
    ...targets(token),
    ...forms(token),
    ...jsonBodies(token, tagId),
    ...variables(token),
    ...documents(),
  ];
}

function headers(): Input[] {
  const names = [
    ...['accept', 'accept-encoding', 'accept-language', 'authorization', 'content-type', 'cookie', 'forwarded', 'host'],
    ...['idempotency-key', 'if-match', 'if-none-match', 'origin', 'traceparent', 'tracestate', 'user-agent'],
    ...['access-control-request-headers', 'x-forwarded-for', 'x-request-id', 'apollo-require-preflight'],
  ];
  const values = { ...fillers, qualities: 'en;q=0.1,', tags: '"a",', types: 'a/b;c=d,', parameters: 'a/b;c=" ";' };
  return names.flatMap((name) =>
    Object.entries(values)
      .filter(([, unit]) => isHeaderText(unit))
      .flatMap(([kind, unit]) => [
        {
          name: `GET header ${name}: ${kind}`,
          max: headerLimit,
          request: (size: number): RawRequest => ({
            method: 'GET',
            target: '/partner_portal/v1/countries',
            headers: [[name, `a${fill(unit, size)}a`]],
          }),
        },
        {
          name: `GraphQL GET header ${name}: ${kind}`,
          max: headerLimit,
          request: (size: number, mark: string): RawRequest => ({
            method: 'GET',
            target: `/graphql?query=query%20${mark}{services{id}}`,
            headers: [[name, `${name === 'content-type' ? 'application/json' : 'a'}${fill(unit, size)}a`]],
          }),
        },
        {
          name: `POST header ${name}: ${kind}`,
          max: headerLimit,
          request(size: number, mark: string): RawRequest {
            const request = graphql(`query ${mark} { services { id } }`);
            const others = request.headers.filter(([other]) => other.toLowerCase() !== name);
            const value = name === 'content-type' ? `application/json${fill(unit, size)}a` : `a${fill(unit, size)}a`;
            return { ...request, headers: [...others, [name, value]] };
          },
        },
      ]),
  );
}

function targets(token: string): Input[] {
  const places: Record<string, (text: string, mark: string) => RawRequest> = {
    'path segment': (text, mark) => json('PUT', `${tags}/${text}`, JSON.stringify({ name_en: mark }), token),
    path: (text) => ({ method: 'GET', target: `/${text}`, headers: [] }),
    'page parameter': (text) => ({ method: 'GET', target: `/partner_portal/v1/lookups?services=${text}`, headers: [] }),
    'integer parameter': (text) => ({
      method: 'GET',
      target: `/partner_portal/v1/cities?country_id=${text}`,
      headers: [],
    }),
    'query string': (text) => ({ method: 'GET', target: `/partner_portal/v1/lookups?${text}`, headers: [] }),
    'GraphQL query string': (text, mark) => ({
      method: 'GET',
      target: `/graphql?query=query%20${mark}{services{id}}&variables=${text}`,
      headers: [['Content-Type', 'application/json']],
    }),
  };
  return Object.entries(places).flatMap(([place, make]) =>
    Object.entries({ ...fillers, lists: 'services[]=1&', slashes: '/', repeated: 'services=1&' }).map(
      ([kind, unit]) => ({
        name: `${place}: ${kind}`,
        max: headerLimit,
        request: (size: number, mark: string) =>
          make(encodeURI(fill(unit, size).toWellFormed()).slice(0, headerLimit), mark),
      }),
    ),
  );
}

function forms(token: string): Input[] {
  const type = 'application/x-www-form-urlencoded';
  const bodies: Record<string, (size: number) => string> = {
    'list elements': (size) => count(size, 'item_ids[]=11&', () => 'item_ids[]=11').join('&'),
    'indexed elements': (size) => count(size, 'item_ids[123]=1&', (index) => `item_ids[${index}]=1`).join('&'),
    'wrapped elements': (size) =>
      count(size, 'product_tag[item_ids][]=1&', () => 'product_tag[item_ids][]=1').join('&'),
    'distinct names': (size) => count(size, 'n12345=1&', (index) => `n${index}=1`).join('&'),
    'nested names': (size) => `a${fill('[a]', size)}=1`,
    'open brackets': (size) => `${fill('[', size)}=1`,
    ampersands: (size) => fill('&', size),
    equals: (size) => fill('=', size),
    pluses: (size) => `name_en=${fill('+', size)}`,
    percents: (size) => `name_en=${fill('%41', size)}`,
  };
  return Object.entries(bodies).map(([kind, make]) => ({
    name: `form: ${kind}`,
    max: bodyLimit,
    request: (size, mark) => send('POST', tags, type, `${make(size - 100)}&name_en=${mark}`, token),
  }));
}

function jsonBodies(token: string, tagId: number): Input[] {
  const shapes: Record<string, (size: number) => string> = {
    'nested arrays': (size) => `"x":${'['.repeat(size / 2)}${']'.repeat(size / 2)}`,
    'nested objects': (size) => `"x":${'{"a":'.repeat(size / 6)}1${'}'.repeat(size / 6)}`,
    members: (size) => count(size, '"m12345":1,', (index) => `"m${index}":1`).join(','),
    'repeated members': (size) => count(size, '"name_ar":1,', () => '"name_ar":1').join(','),
    digits: (size) => `"item_ids":[${fill('9', size)}]`,
    escapes: (size) => `"name_ar":"${'\\u0041'.repeat(size / 6)}"`,
    'unknown items': (size) => `"item_ids":[${count(size, '1234567,', (index) => String(1_000_000 + index))}]`,
    'repeated items': (size) => `"item_ids":[${count(size, '1,', () => '1')}]`,
    'wrong items': (size) => `"item_ids":[${count(size, '"a",', () => '"a"')}]`,
    unfinished: (size) => `"name_ar":"${fill('a', size)}`,
    spaces: (size) => `${fill(' ', size)}"x":1`,
  };
  return [
    ...Object.entries(shapes).map(([kind, make]) => ({
      name: `JSON: ${kind}`,
      max: bodyLimit,
      request: (size: number, mark: string) => json('POST', tags, `{"name_en":"${mark}",${make(size - 100)}}`, token),
    })),
    ...texts('JSON name', bodyLimit, (text) =>
      json('PUT', `${tags}/${tagId}`, JSON.stringify({ name_en: text }), token),
    ),
    ...texts('JSON text', bodyLimit, (text) => json('POST', tags, text, token)),
    ...texts('GraphQL body', bodyLimit, (text) => json('POST', '/graphql', text)),
    ...texts('persisted query hash', bodyLimit, (sha256Hash, mark) =>
      json(
        'POST',
        '/graphql',
        JSON.stringify({ extensions: { persistedQuery: { version: 1, sha256Hash: sha256Hash + mark } } }),
      ),
    ),
    ...texts('operation name', bodyLimit, (text, mark) =>
      json('POST', '/graphql', JSON.stringify({ query: `query ${mark} { services { id } }`, operationName: text })),
    ),
  ];
}

function texts(name: string, max: number, request: (text: string, mark: string) => RawRequest): Input[] {
  return Object.entries({ ...fillers, lines: '\n', ' tabs': '\t', 'zero width': '\u200b', marks: '\u0345\u0316' }).map(
    ([kind, unit]) => ({
      name: `${name}: ${kind}`,
      max,
      request: (size, mark) =>
        request(fill(unit, (size * unit.length) / Buffer.byteLength(JSON.stringify(unit)) - 200), mark),
    }),
  );
}

function variables(token: string): Input[] {
  const create = (mark: string) =>
    `mutation ${mark}($input: CreateProductTagInput!) { createProductTag(input: $input) { productTag { id } userErrors { message } } }`;
  const lists: Record<string, (size: number) => unknown> = {
    'unknown items': (size) => count(size, '1234567,', (index) => 1_000_000 + index),
    'wrong items': (size) => count(size, '"a",', () => 'a'),
  };
  const typed = (type: string, field: string) => (text: string, mark: string) =>
    graphql(`query ${mark}($v: ${type}) { ${field} }`, { v: text }, token);
  return [
    ...texts('name variable', bodyLimit, (text, mark) => graphql(create(mark), { input: { nameEn: text } }, token)),
    ...texts('unknown input field', bodyLimit, (text, mark) =>
      graphql(create(mark), { input: { nameEn: mark, [text]: 1 } }, token),
    ),
    ...texts('integer variable', bodyLimit, typed('Int', 'cities(countryId: $v) { id }')),
    ...texts('enum variable', bodyLimit, typed('Locale', 'services { name(locale: $v) }')),
    ...texts('cursor variable', bodyLimit, typed('String', 'viewer { items(after: $v) { nodes { id } } }')),
    ...texts('boolean variable', bodyLimit, typed('Boolean!', 'services { id @include(if: $v) }')),
    ...texts('variable name', bodyLimit, (text, mark) => graphql(`query ${mark} { services { id } }`, { [text]: 1 })),
    ...Object.entries(lists).map(([kind, make]) => ({
      name: `item list variable: ${kind}`,
      max: bodyLimit,
      request: (size: number, mark: string) =>
        graphql(create(mark), { input: { nameEn: mark, itemIds: make(size - 400) } }, token),
    })),
  ];
}

function documents(): Input[] {
  const inside = (text: string, mark: string) => `query ${mark} { services { id ${text} } }`;
  const shapes: Record<string, (size: number, mark: string) => string> = {
    'repeated fields': (size, mark) => inside(fill('id ', size), mark),
    'repeated root fields': (size, mark) => `query ${mark} { ${fill('services{id} ', size)} }`,
    'repeated roots, open': (size, mark) => `query ${mark} { ${fill('services{id ', size)}`,
    aliases: (size, mark) => inside(count(size, 'a12345:id ', (index) => `a${index}:id`).join(' '), mark),
    'one alias of other fields': (size, mark) =>
      inside(count(size, 'a:nameEn ', (index) => (index % 2 ? 'a:id' : 'a:nameEn')).join(' '), mark),
    'other arguments': (size, mark) =>
      inside(count(size, 'name(locale:AR)', (index) => `name(locale:${index % 2 ? 'AR' : 'EN'})`).join(' '), mark),
    'inline fragments': (size, mark) => inside(fill('...{id} ', size), mark),
    'inline fragments of other names': (size, mark) =>
      inside(count(size, '...{a12345:id} ', (index) => `...{a${index}:id}`).join(' '), mark),
    'inline fragments on a type': (size, mark) => inside(fill('... on Service{id nameEn} ', size), mark),
    'invalid inline fragments': (size, mark) => inside(`nope ${fill('...{id nameEn code} ', size)}`, mark),
    'nested inline fragments': (size, mark) => inside(`${'...{'.repeat(size / 5)}id${'}'.repeat(size / 5)}`, mark),
    spreads: (size, mark) => `${inside(fill('...F ', size), mark)} fragment F on Service { id }`,
    'spread fragments': (size, mark) =>
      `${inside('...F0', mark)} ${count(size, 'fragment F123 on Service { id ...F123 } ', (index) => `fragment F${index} on Service { id ...F${index + 1} }`).join(' ')}`,
    'fragments side by side': (size, mark) => {
      const all = count(size, '...F123 fragment F123 on Service{id nameEn} ', (index) => index);
      return `${inside(all.map((index) => `...F${index}`).join(' '), mark)} ${all.map((index) => `fragment F${index} on Service{id nameEn}`).join(' ')}`;
    },
    'doubling fragments': (size, mark) =>
      `${inside('...F0', mark)} ${count(size, 'fragment F123 on Service{...F123 ...F123} ', (index) => `fragment F${index} on Service{id ...F${index + 1} ...F${index + 1}}`).join(' ')}`,
    'unused fragments': (size, mark) =>
      `${inside('', mark)} ${count(size, 'fragment F123 on Service{id} ', (index) => `fragment F${index} on Service{id}`).join(' ')}`,
    'fragments in a circle': (size, mark) =>
      `${inside('...F0', mark)} ${count(size, 'fragment F123 on Service{...F123} ', (index) => `fragment F${index} on Service{...F${index + 1} ...F0}`).join(' ')}`,
    directives: (size, mark) => inside(`id ${fill('@include(if:true) ', size)}`, mark),
    'unknown directives': (size, mark) => inside(`id ${fill('@nope ', size)}`, mark),
    'unknown fields': (size, mark) => inside(count(size, 'f12345 ', (index) => `f${index}`).join(' '), mark),
    'unknown arguments': (size, mark) =>
      inside(`name(${count(size, 'a12345:1 ', (index) => `a${index}:1`).join(' ')})`, mark),
    'unknown type': (size, mark) => inside(`... on ${fill('A', size)} {id}`, mark),
    'long name': (size, mark) => inside(fill('nam', size), mark),
    variables: (size, mark) =>
      `query ${mark}(${count(size, '$v12345:Int ', (index) => `$v${index}:Int`).join(' ')}) { services { id } }`,
    'repeated variables': (size, mark) => `query ${mark}(${fill('$v:Int ', size)}) { services { id } }`,
    operations: (size, mark) =>
      `query ${mark} { services { id } } ${count(size, 'query Q12345{services{id}} ', (index) => `query Q${index}{services{id}}`).join(' ')}`,
    comments: (size, mark) => `${inside('', mark)} ${fill('# a\n', size)}`,
    commas: (size, mark) => inside(fill(',', size), mark),
    spaces: (size, mark) => inside(fill(' ', size), mark),
    lines: (size, mark) => inside(fill('\n', size), mark),
    'block string': (size, mark) => inside(`name(locale: """${fill('\n  a', size)}""")`, mark),
    'escaped block string': (size, mark) => inside(`name(locale: """${fill('\\"""', size)}""")`, mark),
    string: (size, mark) => inside(`name(locale: "${fill(' Did you mean ', size)}")`, mark),
    'enum value': (size, mark) => inside(`name(locale: ${fill('A', size)})`, mark),
    'unfinished string': (size, mark) => inside(`name(locale: "${fill('a', size)}`, mark),
    'list literal': (size, mark) => `query ${mark} { cities(countryId: [${fill('1 ', size)}]) { id } }`,
    'nested list literal': (size, mark) =>
      `query ${mark} { cities(countryId: ${'['.repeat(size / 2)}${']'.repeat(size / 2)}) { id } }`,
    'object literal': (size, mark) =>
      `mutation ${mark} { createProductTag(input: {${count(size, 'a12345:1 ', (index) => `a${index}:1`).join(' ')}}) { productTag { id } } }`,
    'item list literal': (size, mark) =>
      `mutation ${mark} { createProductTag(input: {nameEn:"abc" itemIds:[${fill('1 ', size)}]}) { productTag { id } } }`,
    'number literal': (size, mark) => `query ${mark} { cities(countryId: ${fill('9', size)}) { id } }`,
    'float literal': (size, mark) => `query ${mark} { cities(countryId: 1.${fill('9', size)}) { id } }`,
    introspection: (size, mark) => `query ${mark} { __schema { types { ${fill('fields { name } ', size)} } } }`,
    'deep introspection': (size, mark) =>
      `query ${mark} { __schema { types { ${'fields{type{'.repeat(size / 15)}name${'}}'.repeat(size / 15)} } } }`,
    'type names': (size, mark) => inside(fill('__typename ', size), mark),
    'braces closed': (size, mark) => `${inside('', mark)} ${fill('}', size)}`,
    dollars: (size, mark) => `query ${mark} ${fill('$', size)}`,
  };
  return Object.entries(shapes).flatMap(([kind, make]) => [
    {
      name: `document: ${kind}`,
      max: bodyLimit,
      request: (size: number, mark: string) => graphql(make(size - 300, mark)),
    },
    {
      name: `small document: ${kind}`,
      max: 13_000,
      request: (size: number, mark: string) => graphql(make(size - 300, mark)),
    },
  ]);
}
