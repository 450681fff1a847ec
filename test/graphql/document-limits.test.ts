import { getIntrospectionQuery } from 'graphql';
import { expect, test } from 'vitest';
import { startApp, use } from '../support/app.ts';
import { surfaces } from '../support/product-tag.ts';
import { createTenant } from '../support/tenant.ts';

const app = use(await startApp({ RATE_LIMIT: 'off' }));
const tenant = await createTenant(app.db);

const times = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ');
const nest = (count: number, open: string, inner: string, close: string) =>
  open.repeat(count) + inner + close.repeat(count);
const itemsAndTags = (times: number) => nest(times, 'tags { nodes { items(first: 10) { nodes { ', 'id', ' } } } }');
const items = (inner: string) => `{ viewer { items(first: 1) { nodes { ${inner} } } } }`;

const maxima = { depth: 12, aliases: 50, directives: 50, tokens: 12_000, cost: 150_000 };

const fragments = (count: number, text: (index: number) => string) =>
  times(count, (index) => `fragment F${index} on Query { ${text(index)} }`);
const chain = (index: number) => `...F${index + 1}`;
const circles = times(60, (index) => `...F${index}`);
const circle = times(60, (index) => `fragment F${index} on Item { tags { nodes { items { nodes { ${circles} } } } } }`);
/** Documents beyond a limit; with how much of it was found, where that is told. */
const beyond: Record<keyof typeof maxima, [what: string, query: string, found?: number][]> = {
  depth: [
    ['fields in each other', items(itemsAndTags(4)), 20],
    [
      'fields in each other through fragments',
      `${items('...A')} fragment A on Item { tags { nodes { ...B } } } fragment B on ProductTag { items { nodes { ... { ...C } } } }
        fragment C on Item { ${itemsAndTags(3)} }`,
      20,
    ],
    [
      'fields in each other in an operation that is not the one asked for',
      `query Asked { __typename } query Deep ${items(itemsAndTags(4))}`,
      20,
    ],
    ['introspection in itself', `{ __schema { types { ${nest(900, 'ofType {', 'name', '}')} } } }`],
    ['inline fragments in each other', `{ ${nest(1_900, '... {', '__typename', '}')} }`],
    ['lists in each other', `{ cities(countryId: ${nest(5_000, '[', '1', ']')}) { id } }`],
    // Validation would follow it to the end of the stack.
    ['fragments in a circle', `${items('...F0')} ${circle}`],
    ['a long chain of fragments', `{ ...F0 } ${fragments(300, chain)} fragment F300 on Query { __typename }`],
    ['brackets that nothing closes', `{ cities(countryId: ${'['.repeat(5_000)}`],
  ],
  aliases: [
    ['a list under many names', `{ ${times(800, (index) => `a${index}: cities { name }`)} }`, 800],
    [
      'names in a fragment that is spread again and again',
      `{ lookups { ...A ...A ...A } } fragment A on Lookups { ${times(17, (index) => `a${index}: weekDays { value }`)} }`,
      51,
    ],
    ['a field again and again', `{ ${'__typename '.repeat(9_000)} }`, 8_999],
    [
      'a field again and again in a fragment that no operation spreads',
      `{ __typename } fragment F on Query { ${'__typename '.repeat(4_000)} }`,
      3_999,
    ],
  ],
  directives: [['directives', `{ ${'... @include(if: true) { __typename } '.repeat(51)} }`, 51]],
  tokens: [['tokens', `{ ${'__typename '.repeat(12_000)} }`]],
  cost: [
    ['lists within lists', `{ viewer { items { nodes { ${itemsAndTags(2)} } } } }`, 3_451_302],
    [
      'fragments that double each other',
      `{ ...F0 } ${fragments(30, (index) => `${chain(index)} ${chain(index)}`)} fragment F30 on Query { __typename }`,
    ],
    // Each is compared with all others.
    ['a field in many inline fragments', `{ ${times(400, () => '... on Query { cities { name } }')} }`],
    [
      'many fragments beside each other',
      `{ ${times(300, (index) => `...F${index}`)} } ${fragments(300, () => '__typename')}`,
    ],
    [
      'operations that share a large fragment',
      `${times(300, (index) => `query Q${index} { ...F }`)} fragment F on Query { ${times(50, (index) => `f${index}`)} }`,
    ],
  ],
};

const rows = Object.entries(beyond).flatMap(([name, documents]) =>
  documents.map(([what, query, found]) => ({
    what,
    query,
    limit: { name, max: maxima[name as keyof typeof maxima], ...(found && { found }) },
  })),
);

test.each(rows)('$what: refused for its $limit.name before anything is read', async ({ query, limit }) => {
  app.statements.splice(0);
  const { token } = tenant;
  const posted = await app.client.graphql(query, {}, { token });
  expect(posted).toMatchObject({
    status: 200,
    body: { errors: [{ message: expect.stringContaining(`exceeds the limit of ${limit.max} `) }] },
  });
  const requestId = posted.headers.get('x-request-id');
  expect(posted.body.errors?.[0]?.extensions).toEqual({ code: 'QUERY_TOO_COMPLEX', limit, requestId });
  expect(posted.body.data).toBeUndefined();
  const path = `/graphql?query=${encodeURIComponent(query)}`;
  if (path.length < 15_000) {
    const got = await app.client.fetch('GET', path, { token });
    expect(got.body).toMatchObject({ errors: [{ extensions: { code: 'QUERY_TOO_COMPLEX', limit } }] });
  }
  // GraphQL over HTTP, section 6.2: to this media type a document that is not executed is 400.
  const headers = { Accept: 'application/graphql-response+json' };
  const { status, body } = await app.client.graphql(query, {}, { language: 'ar', headers });
  expect(status).toBe(400);
  expect(body.errors?.[0]?.message).toMatch(/^[\p{Script=Arabic} ]+\(\d+\)[\p{Script=Arabic}\p{Mn} .]+\.$/u);
  // Whose token it is was all that was read.
  expect(app.statements.filter((sql) => !sql.includes('partner_tokens'))).toEqual([]);
});

test('without a live token, a document may cost 50,000', async () => {
  const query = `{ ${times(20, (index) => `a${index}: cities { id nameEn nameAr }`)} }`;
  for (const token of [undefined, 'pp_made-up']) {
    const { body } = await app.client.graphql(query, {}, { token });
    expect(body.errors?.[0]?.extensions).toMatchObject({ limit: { name: 'cost', max: 50_000, found: 60_020 } });
  }
  const { body } = await app.client.graphql(query, {}, { token: tenant.token });
  expect(body.errors).toBeUndefined();
});

test('the cost of a document depends on its numbers, booleans and lists, whatever the ones before were', async () => {
  await using federated = await startApp({ FEDERATION: 'on', RATE_LIMIT: 'off' });
  const partner = await createTenant(federated.db);
  const page = `query ($first: Int, $after: String, $type: ItemType, $all: Boolean = false) {
    viewer { items(first: $first, after: $after, itemType: $type) { nodes { id ... @include(if: $all) { ${itemsAndTags(2)} } } } }
  }`;
  const entities = `query ($representations: [_Any!]! = []) {
    _entities(representations: $representations) { ... on ProductTag { items { nodes { ${itemsAndTags(1)} } } } }
  }`;
  const tags = (length: number) => Array.from({ length }, () => ({ __typename: 'ProductTag', id: 1 }));
  for (const [query, variables, code] of [
    [page, { first: 1, all: true }],
    [page, { first: 100, all: true }, 'QUERY_TOO_COMPLEX'],
    [page, { first: 100, all: true, after: 'aXRlbToy' }, 'QUERY_TOO_COMPLEX'],
    [page, { first: 100, all: false }],
    [page, { first: 100, after: 'aXRlbToy' }],
    // What does not coerce is told as that, with no effect on what does.
    [page, { first: 'all', type: 'PRODUCT', all: true }, 'BAD_USER_INPUT'],
    [page, { first: 100, type: 'NONE', all: true }, 'BAD_USER_INPUT'],
    [page, { first: 100, type: 'PRODUCT', all: true }, 'QUERY_TOO_COMPLEX'],
    [entities, {}],
    [entities, { representations: tags(1_000) }, 'QUERY_TOO_COMPLEX'],
    [entities, { representations: tags(1) }],
  ] as const) {
    const { body } = await federated.client.graphql(query, variables, partner);
    expect([variables, body.errors?.[0]?.extensions.code]).toEqual([variables, code]);
  }
});

test('a chain of thousands of fragments is refused where an operator allows so many tokens', async () => {
  await using generous = await startApp({ GRAPHQL_MAX_TOKENS: '1000000', RATE_LIMIT: 'off' });
  const query = `{ ...F0 } ${fragments(12_000, chain)} fragment F12000 on Query { __typename }`;
  const { body } = await generous.client.graphql(query);
  expect(body.errors?.[0]?.extensions).toMatchObject({ limit: { name: 'depth', max: 12 } });
});

test('with the smallest limits nothing is left of GraphQL, and REST answers as ever', async () => {
  const limits = { TOKENS: '1', DEPTH: '1', ALIASES: '0', DIRECTIVES: '0', COST: '1' };
  const env = Object.fromEntries(Object.entries(limits).map(([name, value]) => [`GRAPHQL_MAX_${name}`, value]));
  await using closed = await startApp({ ...env, RATE_LIMIT: 'off' });
  const { body } = await closed.client.graphql('{ __typename }');
  expect(body.errors?.[0]?.extensions).toMatchObject({ limit: { name: 'tokens', max: 1 } });
  const owner = await createTenant(closed.db);
  for (const path of ['/lookups?brand_types=1&week_days=1', '/countries', '/cities', '/timezones', '/services']) {
    expect((await closed.client.rest('GET', path)).status).toBe(200);
  }
  const { id } = await surfaces.REST.create(closed.client, { name_en: 'Spicy' }, owner);
  await surfaces.REST.update(closed.client, id, { name_en: 'Spicier' }, owner);
});

test.each([
  ['TOKENS', 5, '{ a: __typename }', '{ a: __typename b: __typename }'],
  ['DEPTH', 3, '{ lookups { weekDays { value } } }', items('tags { nodes { id } }')],
  ['ALIASES', 2, '{ a: __typename b: __typename }', '{ a: __typename b: __typename c: __typename }'],
  ['DIRECTIVES', 1, '{ __typename @skip(if: false) }', '{ __typename @skip(if: false) a: __typename @skip(if: true) }'],
  ['COST', 12, '{ lookups { weekDays { value } } }', '{ lookups { weekDays { value name } } }'],
])('GRAPHQL_MAX_%s=%d is the most that is answered', async (name, max, most, tooMuch) => {
  await using limited = await startApp({ [`GRAPHQL_MAX_${name}`]: String(max), RATE_LIMIT: 'off' });
  expect((await limited.client.graphql(most)).body).toEqual({ data: expect.any(Object) });
  const limit = { name: name.toLowerCase(), max };
  expect((await limited.client.graphql(tooMuch)).body).toMatchObject({ errors: [{ extensions: { limit } }] });
});

test.each([
  [
    'the introspection of Apollo Sandbox and GraphiQL',
    getIntrospectionQuery({
      specifiedByUrl: true,
      directiveIsRepeatable: true,
      schemaDescription: true,
      inputValueDeprecation: true,
      oneOf: true,
    }),
  ],
  [
    'all reference data at once',
    `{
      lookups { brandTypes(page: -1) { key value name } cuisineTypes(page: -1) { key value name } weekDays { value name }
        services(page: -1) { key value name } applications(page: -1) { key value name } }
      countries { id nameEn nameAr name en: name(locale: EN) }
      cities { id nameEn nameAr name countryId country { nameEn nameAr dialCode shortCode } }
      timezones { id name utcOffset }
      services { id code nameEn nameAr name }
    }`,
  ],
  [
    'the largest page of items with their tags',
    '{ viewer { items(first: 100) { nodes { id itemType nameEn nameAr name tags { nodes { id nameEn nameAr name version } } } } } }',
  ],
  [
    'a tag with 10,000 items written out',
    `mutation { updateProductTag(id: 0, input: { nameEn: "Spicy", itemIds: [${times(10_000, String)}] }) {
      productTag { id nameEn itemIds } userErrors { code field message itemIds } } }`,
  ],
])('%s is within the limits', async (_name, query) => {
  const { body } = await app.client.graphql(query, {}, tenant);
  expect(body.errors).toBeUndefined();
  expect(body.data).toBeTruthy();
});
