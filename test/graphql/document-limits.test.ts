import { getIntrospectionQuery } from 'graphql';
import { expect, test } from 'vitest';
import { companyRows, surfaces } from '../support/product-tag.ts';
import { copyTemplate, type Env, startApp, use } from '../support/test-app.ts';

const database = use(await copyTemplate());
const start = (env: Env = {}) => startApp({ RATE_LIMIT: 'off', ...database.env, ...env });
const app = use(await start());
const tenant = await app.createTenant();

const times = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ');
const nest = (count: number, open: string, inner: string, close: string) =>
  open.repeat(count) + inner + close.repeat(count);
const itemsAndTags = (times: number) => nest(times, 'tags { nodes { items(first: 10) { nodes { ', 'id', ' } } } }');
const items = (inner: string) => `{ items(first: 1) { nodes { ${inner} } } }`;

const throughFragments = `${items('...A')} fragment A on Item { tags { nodes { ...B } } }
  fragment B on ProductTag { items { nodes { ... { ...C } } } } fragment C on Item { ${itemsAndTags(3)} }`;
/** 500 fields, and `more`. A field that is selected twice counts once. */
const expanded = (more = '') => `{ ${times(10, (index) => `a${index}: item(id: 1) { id ...A }`)} ${more} }
  fragment A on Item { ${times(40, (index) => `b${index}: nameEn`)} id itemType nameEn nameAr name name
    tags { pageInfo { hasNextPage endCursor } } }`;
const introspection = 'types { name kind fields { name args { name } type { name kind ofType { name } } } }';
const spread = `${times(40, (index) => `a${index}: items(first: 100) { nodes { ...A } }`)} } fragment A on Item { id nameEn nameAr tags(first: 9) { nodes { id } }`;
/** A value 51 times, through fragments. */
const overlapping = `{ services { id ${times(5, (index) => `...F${index}`)} } }
  ${times(5, (index) => `fragment F${index} on Service { ${'id '.repeat(10)} }`)}`;
/** The fields of `__type` inside of itself, through fragments. */
const typesInTypes = `{ __type(name: "Int") { ...F0 } } fragment F12 on __Type { name }
  ${times(12, (index) => {
    const inside = times(4, (alias) => `a${alias}: ofType { ...F${index + 1} }`);
    return `fragment F${index} on __Type { ${inside} }`;
  })}`;
/** Operations that share 301 fields, and add some more. */
const operations = (count: number, more = 0) => `${times(count, (index) => `query A${index} { ...F }`)}
  query More { ${times(more, (index) => `a${index}: partner { id }`)} __typename }
  fragment F on Query { item(id: 1) { ${times(10, (index) => `a${index}: tags(first: 1) { ...G }`)} } }
  fragment G on ProductTagConnection { nodes { ${times(28, (index) => `b${index}: nameEn`)} } }`;
const fragment = (name: string, type: string, field: string) =>
  `fragment ${name} on ${type} { ${times(9, (index) => `a${index}: ${field}`)} }`;
const fragmentsInFragments = `{ productTags(first: 1) { nodes { ...A } } }
  ${fragment('A', 'ProductTag', 'items(first: 1) { nodes { ...B } }')}
  ${fragment('B', 'Item', 'tags(first: 1) { nodes { ...C } }')}
  ${fragment('C', 'ProductTag', 'items(first: 1) { nodes { id } }')}`;

const limits = {
  characters: 32_768,
  lines: 2_000,
  depth: 12,
  tokens: 1_000,
  cost: 50_000,
  introspection: 15_000,
  fields: 500,
  fieldsOfAll: 2_000,
  repeats: 50,
  name: 100,
};

/** Limits with the name of another one. */
const names: Partial<Record<keyof typeof limits, string>> = { introspection: 'cost', fieldsOfAll: 'fields' };

// The measured value for the limit, if the response has it.
test.each<[what: string, limit: keyof typeof limits, found: number | undefined, query: string]>([
  ['a long comment', 'characters', 32_769, `{ __typename } # ${'a'.repeat(32_752)}`],
  ['empty lines', 'lines', 2_001, `{ __typename }${'\r\n\n\r'.repeat(666)}\n# end\n#\n`],
  ['nested fields', 'depth', 19, items(itemsAndTags(4))],
  ['fields nested through fragments', 'depth', 19, throughFragments],
  ['another operation', 'depth', 19, `query Selected { __typename } query Deep ${items(itemsAndTags(4))}`],
  ['tokens', 'tokens', undefined, `{ ${'__typename '.repeat(1_000)} }`],
  ['nested lists', 'tokens', undefined, `{ cities(countryId: ${nest(750, '[', '1', ']')}) { id } }`],
  ['lists within lists', 'cost', 1_888_802, `{ items { nodes { ${itemsAndTags(2)} } } }`],
  [
    'searches',
    'cost',
    52_563,
    `{ ${times(21, (index) => `a${index}: items(first: 1, search: "ka") { nodes { id } }`)} }`,
  ],
  [
    'introspection',
    'introspection',
    undefined,
    `{ __schema { ${times(20, (index) => `a${index}: ${introspection}`)} } }`,
  ],
  ['a long name', 'name', 101, `{ services { ${'a'.repeat(101)}: id } }`],
  ['long names in an introspection', 'name', 30_000, `{ __schema { types { ${'a'.repeat(30_000)}: name } } }`],
  ['a field 51 times', 'repeats', undefined, `{ ${'partner { id } '.repeat(51)} }`],
  ['a value with an argument 51 times', 'repeats', undefined, items('hasProductTag(id: 1) '.repeat(51))],
  ['a value under 51 names', 'repeats', undefined, items(times(51, (index) => `a${index}: nameEn`))],
  ['fragments that overlap', 'repeats', undefined, overlapping],
  ['overlapping fields of an introspection', 'repeats', undefined, `{ __schema { types { ${'name '.repeat(51)} } } }`],
  ['a fragment that is not used', 'repeats', undefined, `{ __typename } fragment A on Item { ${'id '.repeat(51)} }`],
  ['a field more than 500', 'fields', undefined, expanded('__typename')],
  ['fields of an introspection that finds nothing', 'fieldsOfAll', undefined, typesInTypes],
  ['fields of many operations', 'fieldsOfAll', undefined, operations(6, 100)],
  ['fragments in fragments', 'fields', undefined, fragmentsInFragments],
  ['a fragment that is spread often', 'cost', 56_080, `{ ${spread} }`],
])('%s: rejected for its %s before any read', async (_what, exceeded, found, query) => {
  app.statements.splice(0);
  const { token } = tenant;
  const max = limits[exceeded];
  const name = names[exceeded] ?? exceeded;
  const limit = { name, max, ...(found && { found }) };
  const { status, headers, body } = await app.client.graphql(query, {}, { token });
  expect({ status, message: body.errors?.[0]?.message }).toEqual({
    status: 200,
    message: expect.stringContaining(`exceeds the limit of ${max} `),
  });
  const requestId = headers.get('x-request-id');
  expect(body.errors?.[0]?.extensions).toEqual({ code: 'QUERY_TOO_COMPLEX', limit, requestId });
  expect(body.data).toBeUndefined();
  const path = `/graphql?query=${encodeURIComponent(query)}`;
  if (path.length < 15_000 && !query.startsWith('mutation')) {
    const got = await app.client.fetch('GET', path, { token });
    expect(got.body).toMatchObject({ errors: [{ extensions: { code: 'QUERY_TOO_COMPLEX', limit } }] });
  }
  // GraphQL over HTTP, section 6.2: to this media type a document that is not executed is 400.
  const asked = { language: 'ar', headers: { Accept: 'application/graphql-response+json' } };
  const arabic = await app.client.graphql(query, {}, asked);
  expect(arabic.status).toBe(400);
  expect(arabic.body.errors?.[0]?.message).toMatch(/^[\p{Script=Arabic} ]+\(\d+\)[\p{Script=Arabic}\p{Mn} .]+\.$/u);
  expect(app.statements.filter((sql) => !sql.includes('partner_tokens'))).toEqual([]);
});

test('an invalid document within the limits has the errors of graphql-js', async () => {
  for (const [query, ...messages] of [
    [
      '{ items { nodes { ...A } } } fragment A on Item { tags { nodes { items { nodes { ...A } } } } }',
      'Cannot spread',
    ],
    ['{ ...A unknown } fragment A on Query { ...A }', 'Cannot spread'],
    ['{ services { ...A } unknown }', 'Unknown fragment', 'Cannot query field'],
    ['{ services { name: id name } }', 'Fields "name" conflict'],
  ] as const) {
    const { body } = await app.client.graphql(query);
    expect(body.errors?.map(({ extensions }) => extensions.code)).toEqual(
      messages.map(() => 'GRAPHQL_VALIDATION_FAILED'),
    );
    for (const message of messages) expect(JSON.stringify(body.errors)).toContain(message.replaceAll('"', '\\"'));
  }
});

test('the mutations of a document have at most 10,000 ids', async () => {
  const owner = await app.createTenant({ products: 1 });
  const { id } = await surfaces.REST.create(app.client, { name_en: 'Tagged' }, owner);
  const before = await companyRows(app.db, owner.companyId);
  const lists = (...lengths: number[]) => {
    const ids = lengths.map((length) => Array.from({ length }, (_, index) => -index));
    const variables = Object.fromEntries(ids.map((list, index) => [`ids${index}`, list]));
    const declared = Object.keys(variables).map((name) => `$${name}: [Int!]!`);
    const calls = Object.keys(variables).map(
      (name) => `${name}: updateProductTag(id: ${id}, input: { itemIds: $${name} }) { userErrors { code } }`,
    );
    return app.client.graphql(`mutation (${declared}) { ${calls.join(' ')} }`, variables, owner);
  };
  const limit = { name: 'ids', max: 10_000 };
  for (const lengths of [
    [5_000, 5_001],
    [10_001, 1],
  ]) {
    const { body } = await lists(...lengths);
    expect(body).toMatchObject({ errors: [{ extensions: { code: 'QUERY_TOO_COMPLEX', limit } }] });
    expect(body.data).toBeUndefined();
  }
  const notFound = { userErrors: [{ code: 'ITEM_NOT_FOUND' }] };
  expect((await lists(5_000, 5_000)).body).toEqual({ data: { ids0: notFound, ids1: notFound } });
  // A mutation itself rejects a longer list.
  expect((await lists(10_001)).body).toEqual({ data: { ids0: { userErrors: [{ code: 'TOO_MANY_ITEMS' }] } } });
  expect(await companyRows(app.db, owner.companyId)).toEqual(before);
});

test('a document of reference data may cost 15,000, with a token or without', async () => {
  const query = `{ ${times(10, (index) => `a${index}: cities { id nameEn nameAr }`)} }`;
  for (const token of [undefined, 'pp_made-up', tenant.token]) {
    const { body } = await app.client.graphql(query, {}, { token });
    expect(body.errors?.[0]?.extensions).toMatchObject({ limit: { name: 'cost', max: 15_000, found: 18_910 } });
  }
  // The client of an expired token needs a new one.
  const own = await app.client.graphql(`{ ${times(7, (index) => `a${index}: items(search: "ka") { totalCount }`)} }`);
  expect({ status: own.status, code: own.body.errors?.[0]?.extensions.code }).toEqual({
    status: 401,
    code: 'UNAUTHENTICATED',
  });
});

test('the cost is the number of fields of the largest response', async () => {
  const countFields = (value: unknown): number => {
    if (Array.isArray(value)) return value.reduce((sum: number, entry) => sum + countFields(entry), 0);
    if (typeof value !== 'object' || value === null) return 0;
    return Object.values(value).reduce((sum: number, inside) => sum + 1 + countFields(inside), 0);
  };
  for (const selection of [
    'cities { id country { dialCode } }',
    'countries { id } timezones { id } services { id code }',
    'lookups(key: CUISINE_TYPES) { key value } services: lookups(key: SERVICES) { name }',
    '__schema { types { name kind fields { name args { name type { name ofType { name } } } } } }',
    '__type(name: "Query") { a: fields { name } b: fields { ...F } } } fragment F on __Field { args { name } ',
  ]) {
    const query = `{ ${selection} }`;
    const { data } = (await app.client.graphql(query, {}, tenant)).body;
    await using limited = await start({ GRAPHQL_MAX_COST: String(countFields(data)) });
    expect((await limited.client.graphql(query)).body).toEqual({ data });
    await using less = await start({ GRAPHQL_MAX_COST: String(countFields(data) - 1) });
    expect((await less.client.graphql(query)).body.errors?.[0]?.extensions).toMatchObject({ limit: { name: 'cost' } });
  }
});

test('the cost of a document is computed from its own variables', async () => {
  const partner = await app.createTenant();
  const page = `query ($first: Int, $after: String, $type: ItemType, $all: Boolean = false) {
    items(first: $first, after: $after, itemType: $type) {
      nodes { id ... @include(if: $all) { tags { nodes { items { nodes { id name } } } } } } }
  }`;
  for (const [query, variables, code] of [
    [page, { first: 1, all: true }],
    [page, { first: 100, all: true }, 'QUERY_TOO_COMPLEX'],
    [page, { first: 100, all: true, after: 'aXRlbToy' }, 'QUERY_TOO_COMPLEX'],
    [page, { first: 100, all: false }],
    [page, { first: 100, after: 'aXRlbToy' }],
    // An argument that cannot be coerced is reported as such and does not affect the cost of the others.
    [page, { first: 'all', type: 'PRODUCT', all: true }, 'BAD_USER_INPUT'],
    [page, { first: 100, type: 'NONE', all: true }, 'BAD_USER_INPUT'],
    [page, { first: 100, type: 'PRODUCT', all: true }, 'QUERY_TOO_COMPLEX'],
  ] as const) {
    const { body } = await app.client.graphql(query, variables, partner);
    expect([variables, body.errors?.[0]?.extensions.code]).toEqual([variables, code]);
  }
});

test('the smallest limits reject every GraphQL document, and do not affect REST', async () => {
  const smallest = { TOKENS: '1', DEPTH: '1', COST: '1' };
  const env = Object.fromEntries(Object.entries(smallest).map(([name, value]) => [`GRAPHQL_MAX_${name}`, value]));
  await using closed = await start(env);
  const { body } = await closed.client.graphql('{ __typename }');
  expect(body.errors?.[0]?.extensions).toMatchObject({ limit: { name: 'tokens', max: 1 } });
  const owner = await closed.createTenant();
  for (const path of ['/lookups?brand_types=1&week_days=1', '/countries', '/cities', '/timezones', '/services']) {
    expect((await closed.client.rest('GET', path)).status).toBe(200);
  }
  const { id } = await surfaces.REST.create(closed.client, { name_en: 'Spicy' }, owner);
  await surfaces.REST.update(closed.client, id, { name_en: 'Spicier' }, owner);
});

test.each([
  ['TOKENS', 5, '{ a: __typename }', '{ a: __typename b: __typename }'],
  ['DEPTH', 3, '{ lookups(key: WEEK_DAYS) { value } }', items('tags { nodes { id } }')],
  ['COST', 8, '{ lookups(key: WEEK_DAYS) { value } }', '{ lookups(key: WEEK_DAYS) { value name } }'],
])('GRAPHQL_MAX_%s=%d is the largest that is executed', async (name, max, most, tooMuch) => {
  await using limited = await start({ [`GRAPHQL_MAX_${name}`]: String(max) });
  expect((await limited.client.graphql(most)).body).toEqual({ data: expect.any(Object) });
  const limit = { name: name.toLowerCase(), max };
  expect((await limited.client.graphql(tooMuch)).body).toMatchObject({ errors: [{ extensions: { limit } }] });
});

const tags = 'tags { nodes { id nameEn nameAr name version } }';
/** Those that tools make from it: GraphiQL, Apollo Sandbox, the compiler of Relay and codegen with all options. */
const described = { specifiedByUrl: true, directiveIsRepeatable: true, schemaDescription: true };
const introspections = {
  GraphiQL: getIntrospectionQuery({ schemaDescription: true, inputValueDeprecation: true }),
  'Apollo Sandbox': getIntrospectionQuery({ ...described, inputValueDeprecation: true }),
  'the compiler of Relay': getIntrospectionQuery({ descriptions: false, inputValueDeprecation: true }),
  codegen: getIntrospectionQuery({ ...described, inputValueDeprecation: true, oneOf: true }),
};

const besideIntrospection = `${introspections.codegen.replace('{', `{ ${times(9, (index) => `a${index}: item(id: 1) { ...A }`)}`)}
  fragment A on Item { ${times(49, (index) => `b${index}: nameEn`)} }`;

test.each([
  ...Object.entries(introspections),
  ['500 fields', expanded()],
  ['450 fields beside an introspection', besideIntrospection],
  [
    'the largest page of items with their tags',
    `{ items(first: 100) { nodes { id itemType nameEn nameAr name ${tags} } } }`,
  ],
  ['a field 50 times', `{ ${'partner { id } '.repeat(50)} }`],
  ['a value under 50 names', items(times(50, (index) => `a${index}: nameEn`))],
  [
    '50 tags of a screen, by two names each',
    items(times(100, (index) => `a${index}: hasProductTag(id: ${index % 50})`)),
  ],
  ['a name of 100 characters', `{ services { ${'a'.repeat(100)}: id } }`],
  ['several operations with 300 fields each', operations(5)],
])('within the limits: %s', async (_what, query) => {
  const operationName = /(IntrospectionQuery|More) /.exec(query)?.[1];
  const body = JSON.stringify({ query, operationName });
  const headers = { 'Content-Type': 'application/json' };
  expect((await app.client.fetch('POST', '/graphql', { ...tenant, headers, body })).body).toEqual({
    data: expect.anything(),
  });
});
