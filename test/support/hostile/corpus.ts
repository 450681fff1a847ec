/** Texts for wherever a text goes: too short, too long, not of any encoding, of another language than this one. */
export const strangeTexts = [
  '',
  '   ',
  'ab',
  'x'.repeat(51),
  'x'.repeat(100_000),
  'null\u0000byte',
  '\u0000',
  '\ud800 half',
  'half \udfff',
  '\u202e reversed',
  '\ufeff mark',
  '\u200b\u200b\u200b',
  'e\u0301'.repeat(26),
  '👩‍👩‍👧‍👦'.repeat(8),
  '\r\nX-Injected: yes',
  "'; drop table product_tags; --",
  "' or '1'='1",
  '{{7*7}}<%= 7*7 %>',
  '<script>alert(1)</script>',
  '../../../../etc/passwd',
  '%00%0d%0a',
  '\\u0000',
  'constructor',
  '__proto__',
];

/** Integers as text, and what is nearly one: beyond the database's, beyond JavaScript's, in other notations. */
export const strangeIntegers = [
  ...['0', '-1', '-0', '1.0', '1.5', '1e2', '1e400', '-1e400', '9'.repeat(400)],
  ...['2147483647', '2147483648', '-2147483648', '-2147483649', '9007199254740993', '18446744073709551616'],
];

/** JSON as text, so that it may be what no serializer writes. */
export type JsonText = string;

/** JSON for wherever other JSON goes. */
export const strangeJson: JsonText[] = [
  ...[
    'null',
    'true',
    '0',
    '-1',
    '1.5',
    '1e400',
    '""',
    '[]',
    '{}',
    '[null]',
    '[[]]',
    '[{}]',
    '["1"]',
    '[1.5]',
    '[1e400]',
  ],
  ...['[2147483648]', '[-2147483649]', '[0]', '[-1]', '{"length":1,"0":1}', '{"$gt":""}', '{"toString":1,"toJSON":1}'],
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
  `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
  JSON.stringify(Array.from({ length: 10_001 }, (_, index) => index + 1)),
];

export type Member = readonly [name: string, value: JsonText];

/** Members that no input has: other ids, other columns, and the names by which prototypes are polluted. */
export function strangeMembers(otherCompany: number, otherTag: number): Member[] {
  return [
    ['company_id', String(otherCompany)],
    ['companyId', String(otherCompany)],
    ['partner_id', '1'],
    ['id', String(otherTag)],
    ['created_at', '"1970-01-01"'],
    ['__proto__', `{"company_id":${otherCompany},"companyId":${otherCompany},"polluted":true}`],
    ['constructor', '{"prototype":{"polluted":true}}'],
    ['prototype', '{"polluted":true}'],
    ['hasOwnProperty', '1'],
    ['toString', '"text"'],
    ['then', '1'],
  ];
}

/** Forms that pollute prototypes, nest, or name fields in ways that parsers take differently. */
export const strangeForms = [
  ...[
    '__proto__[polluted]=1',
    'constructor[prototype][polluted]=1',
    'a[__proto__][polluted]=1',
    'a[constructor][prototype][x]=1',
  ],
  ...['product_tag[__proto__][polluted]=1', 'product_tag[constructor][prototype][polluted]=1', 'name_en[__proto__]=1'],
  ...[
    'item_ids[__proto__]=1',
    'item_ids[10000000]=1',
    'item_ids[0]=1',
    'item_ids[]=1.5',
    'item_ids[][]=1',
    'item_ids[a]=1',
  ],
  ...[
    'name_en=a&name_en=b',
    'name_en[]=Spicy',
    'name_en[toString]=1',
    'product_tag=1',
    'product_tag[]=1',
    '=',
    '&&&',
    '[]=1',
    '[=1',
    ']=1',
  ],
  ...['name_ar=%00%00%00', 'name_ar=%', 'name_ar=%zz', 'name_ar=%FF%FE', 'name_ar=%ED%A0%80', `a${'[a]'.repeat(50)}=1`],
  ...['company_id=1', 'id=1', `${'a'.repeat(5_000)}=1`, 'item_ids[]=1&'.repeat(10_200)],
];

/** Ends of a path that lead nowhere, or back. */
export const strangeTails = [
  ...[
    '',
    '/',
    '//',
    '/.',
    '/..',
    '/../../etc/passwd',
    '/%2e%2e/%2e%2e',
    '/%00',
    '/%E0%A4%A',
    '/%ff',
    '\\..\\',
    '/\u00ff',
  ],
  ...[
    '/product_tags/',
    '/product_tags//1',
    '/product_tags/1/',
    '/product_tags/1;a=b',
    '/product_tags/1%00',
    '/product_tags/__proto__',
  ],
  ...['/constructor', '/toString', '?', '?__proto__[polluted]=1', '?constructor[prototype][polluted]=1', '#fragment'],
  ...[`/${'a'.repeat(10_000)}`, `?${'a=1&'.repeat(3_000)}`],
];

export const strangeTargets = [
  '*',
  '//',
  '///evil',
  'http://evil/graphql',
  'http://',
  'http://[',
  '/',
  '/favicon.ico',
  '/.env',
  '/.git/config',
  '/%',
  '?',
];

export type Header = readonly [name: string, value: string];

export const strangeHeaders: Header[] = [
  ['X-HTTP-Method-Override', 'DELETE'],
  ['X-Forwarded-For', '127.0.0.1, evil'],
  ['X-Forwarded-Host', 'evil'],
  ['X-Request-Id', '"},{"level":60'],
  ['Cookie', 'a=b; __proto__=c'],
  ['Expect', '100-continue'],
  ['Expect', 'something else'],
  ['If-None-Match', '*'],
  ['Range', 'bytes=0-1'],
  ['Upgrade', 'websocket'],
  ['Connection', 'Upgrade'],
  ['Connection', 'close'],
  ['Origin', 'null'],
  ['Content-Type', 'text/plain'],
  ['Authorization', 'Bearer second'],
  ['Accept-Language', 'en'],
  ['Accept-Language', `${'en-x;q=0.1,'.repeat(500)}ar`],
  ['Accept-Language', 'ar;q=x, *;q=2, ;;;,,, ar\u00ff'],
  ['Accept-Language', '__proto__'],
  ['Transfer-Encoding', 'gzip'],
  ['Host', 'evil'],
  ['X-Large', 'x'.repeat(20_000)],
  ['X-Control', 'a\u0001b'],
  ['Bad Name', 'x'],
  ['', 'x'],
];

export const strangeMethods = [
  'HEAD',
  'CONNECT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'QUERY',
  'get',
  'NONE',
  '',
];

/** Documents that attack: by their size, by their depth, by what they name. */
export const strangeDocuments = [
  ...['', '{', '}', '{ __typename', 'query', '# only a comment', '\ufeff{ __typename }', '"""block""" { __typename }'],
  ...[
    '{ __proto__ constructor toString }',
    '{ ...__proto__ }',
    'query ($__proto__: Int) { cities(countryId: $__proto__) { id } }',
  ],
  'fragment F on Query { ...F } { ...F }',
  'query A { ...F } fragment F on Query { ...G } fragment G on Query { ...F }',
  'query A { __typename } query A { __typename }',
  'query A { __typename } query B { __typename }',
  'query A ($id: Int!) { cities(countryId: $id) { id } } query B { __typename }',
  'subscription { countries }',
  '{ __schema { types { fields { type { fields { type { fields { name } } } } } } } }',
  '{ __type(name: "Query") { fields { args { type { ofType { ofType { name } } } } } } }',
  `{ __schema { types { ${'ofType { '.repeat(900)} name ${'} '.repeat(900)} } } }`,
  `{ ${'__typename '.repeat(500)} }`,
  `{ ${'__typename '.repeat(5_000)} }`,
  `{ ${Array.from({ length: 200 }, (_, index) => `a${index}: countries { id }`)} }`,
  `{ ${'viewer { '.repeat(4_000)} }`,
  `{ ${'... { '.repeat(2_000)} __typename ${'} '.repeat(2_000)} }`,
  `query ($a: ${'['.repeat(3_000)}Int${']'.repeat(3_000)}) { cities(countryId: $a) { id } }`,
  `{ cities(countryId: ${'['.repeat(9_000)}) }`,
  `{ cities(countryId: "${'x'.repeat(100_000)}") { id } }`,
  `{ ...F0 } ${Array.from({ length: 40 }, (_, index) => `fragment F${index} on Query { ...F${index + 1} ...F${index + 1} }`)}
    fragment F40 on Query { __typename }`,
  `{ __typename ${'@include(if: true) '.repeat(60)} }`,
  '{ __typename @skip(if: null) @unknown @deprecated }',
  'mutation { createProductTag(input: { nameEn: "Spicy", companyId: 1, id: 1 }) { productTag { id } } }',
  'mutation { createProductTag(input: { nameEn: 1e400, itemIds: [99999999999] }) { productTag { id } } }',
  'mutation ($id: Int = 1) { createProductTag(input: { nameEn: "Spicy" }) { productTag { id } } deleteProductTag(id: $id) { deletedProductTagId } }',
  'query ($id: Int = 1) { __typename @include(if: $id) }',
  'query ($id: Boolean = true) { __typename @include(if: $id) }',
  '{ cities(countryId: 99999999999999999999) { id } }',
  '{ viewer { items(first: -1, after: "\\u0000") { nodes { id } } } }',
  'type Query { hacked: String }',
  'extend type Query { hacked: String }',
];
