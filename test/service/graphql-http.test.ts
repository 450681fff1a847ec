import { describe, expect, test } from 'vitest';
import { sharedApp, startApp } from '../support/app.ts';
import type { Answer } from '../support/client.ts';
import { createTenant } from '../support/tenant.ts';

const app = await sharedApp();

const responseJson = 'application/graphql-response+json';
const coercion = 'query ($id: Int!) { cities(countryId: $id) { id } }';

describe('the media type of the answer', () => {
  test.each([
    [undefined, 'application/json'],
    ['*/*', 'application/json'],
    ['application/json', 'application/json'],
    [responseJson, responseJson],
    [`${responseJson}, application/json;q=0.9`, responseJson],
    [`${responseJson};q=0.5, application/json`, 'application/json'],
    [`${responseJson}; charset=utf-8, application/json; charset=utf-8`, responseJson],
    ['application/json; charset=utf-8', 'application/json'],
    ['', 'application/json'],
  ])('is, for Accept: %s, %s', async (accept, type) => {
    const { status, headers, body } = await post({ query: '{ __typename }' }, accept);
    expect({ status, body }).toEqual({ status: 200, body: { data: { __typename: 'Query' } } });
    expect(headers.get('content-type')?.split(';')[0]).toBe(type);
  });

  test.each(['text/html', 'text/plain', 'image/*', 'application/json;q=0', 'application/json; charset=latin1'])(
    'cannot be %s: the request is refused, and not carried out',
    async (accept) => {
      const { token } = await createTenant(app.db);
      const query = 'mutation { createProductTag(input: { nameEn: "Unseen" }) { productTag { id } } }';
      const answer = await app.client.graphql(query, {}, { token, headers: { Accept: accept } });
      expect(answer).toMatchObject({ status: 406, body: { errors: [{ extensions: { code: 'NOT_ACCEPTABLE' } }] } });
      expectErrors(answer);
      const written = await app.db.selectFrom('productTags').select('id').where('nameEn', '=', 'Unseen').execute();
      expect(written).toEqual([]);
    },
  );
});

// GraphQL over HTTP, section 6.4: what GraphQL refuses to execute is 200 to application/json and 400 to the other.
describe('a document that is not executed', () => {
  test.each([
    ['does not parse', { query: '{ countries' }, 'GRAPHQL_PARSE_FAILED'],
    ['does not validate', { query: '{ countries { capital } }' }, 'GRAPHQL_VALIDATION_FAILED'],
    ['lacks a variable', { query: coercion }, 'BAD_USER_INPUT'],
    ['has a variable of another type', { query: coercion, variables: { id: 'SA' } }, 'BAD_USER_INPUT'],
    [
      'has several operations and names none',
      { query: `query A { __typename } query B ${coercion.slice('query '.length)}` },
      'OPERATION_RESOLUTION_FAILURE',
    ],
    ['has no operation of that name', { query: '{ __typename }', operationName: 'B' }, 'OPERATION_RESOLUTION_FAILURE'],
    [
      'sets a variable with a default to null where null is refused',
      { query: 'query ($id: Int = 1) { viewer { item(id: $id) { id } } }', variables: { id: null } },
      'BAD_USER_INPUT',
    ],
    [
      'sets the condition of a directive to null',
      { query: 'query ($if: Boolean = true) { __typename @include(if: $if) }', variables: { if: null } },
      'BAD_USER_INPUT',
    ],
  ])('since it %s is 200 or 400, as the media type says', async (_name, body, code) => {
    const plain = await post(body, 'application/json');
    const modern = await post(body, responseJson);
    expect([plain.status, modern.status]).toEqual([200, 400]);
    for (const answer of [plain, modern]) {
      expectErrors(answer);
      expect(answer.body).not.toHaveProperty('data');
      expect(answer.body).toMatchObject({ errors: [{ extensions: { code } }] });
    }
  });

  test('since its statuses are those of the media type that has been asked for with a charset', async () => {
    const { status } = await post({ query: '{' }, `${responseJson}; charset=utf-8, application/json; charset=utf-8`);
    expect(status).toBe(400);
  });
});

test('a mutation whose other field lacks its argument is not carried out in part', async () => {
  const { token } = await createTenant(app.db);
  const query = `mutation ($id: Int = 1) {
    createProductTag(input: { nameEn: "In part" }) { productTag { id } }
    deleteProductTag(id: $id) { deletedProductTagId }
  }`;
  const { body } = await app.client.graphql(query, { id: null }, { token });
  expect(body.errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
  const written = await app.db.selectFrom('productTags').select('id').where('nameEn', '=', 'In part').execute();
  expect(written).toEqual([]);
});

// An error about a variable writes out its whole value: without bounds such answers end the process.
test.each<[string, unknown]>([
  ['thousands of unknown fields', Object.fromEntries(range(20_000).map((id) => [`f${id}`, id]))],
  ['thousands of wrong items', { nameEn: 'Spicy', itemIds: range(50_000).map(String) }],
  ['a very long text', 'x'.repeat(400_000)],
])('a variable with %s is refused in few words', async (_name, input) => {
  const query = 'mutation ($input: CreateProductTagInput!) { createProductTag(input: $input) { productTag { id } } }';
  const { body } = await app.client.graphql(query, { input });
  expect(body.data).toBeUndefined();
  expect(body.errors?.[0]?.message).toMatch(/^Variable "\$input" got invalid value/);
  expect(JSON.stringify(body).length).toBeLessThan(5_000);
});

test('a subscription is refused, as there are none', async () => {
  const { status, body } = await app.client.graphql('subscription { countries }');
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] },
  });
});

test('of many mistakes in a document a few are told', async () => {
  const unknown = await app.client.graphql(`{ ${range(2_000).map((id) => `unknown${id}`)} }`);
  expect(unknown.body.errors?.length).toBeLessThanOrEqual(6);
  const long = await app.client.graphql(`{ cities(countryId: "${'x'.repeat(400_000)}") { id } }`);
  expect(JSON.stringify(long.body).length).toBeLessThan(5_000);
});

// The same section: what is no GraphQL request at all is 400 (or what HTTP has for it) to either.
describe.each(['application/json', responseJson])('to a client that takes %s', (accept) => {
  test.each<[string, string, string, string, number]>([
    ['broken JSON', 'POST', 'application/json', '{"query":', 400],
    ['an empty body', 'POST', 'application/json', '', 400],
    ['a body without a query', 'POST', 'application/json', '{"qeury":"{ __typename }"}', 400],
    ['a query that is no text', 'POST', 'application/json', '{"query":1}', 400],
    ['variables that are no object', 'POST', 'application/json', '{"query":"{ __typename }","variables":"1"}', 400],
    ['a batch', 'POST', 'application/json', '[{"query":"{ __typename }"}]', 400],
    ['a string', 'POST', 'application/json', '"{ __typename }"', 400],
    ['a body that is too large', 'POST', 'application/json', JSON.stringify({ query: '#'.repeat(1024 * 1024) }), 413],
    ['a query as such', 'POST', 'application/graphql', '{ __typename }', 415],
    ['a form', 'POST', 'application/x-www-form-urlencoded', 'query={__typename}', 415],
    ['another charset', 'POST', 'application/json; charset=latin1', '{"query":"{ __typename }"}', 415],
    ['PUT', 'PUT', 'application/json', '{"query":"{ __typename }"}', 405],
  ])('%s is a client error', async (_name, method, type, body, status) => {
    const headers = { Accept: accept, 'Content-Type': type };
    const answer = await app.client.fetch<object>(method, '/graphql', { body, headers });
    expect(answer.status).toBe(status);
    expectErrors(answer);
    expect(answer.headers.get('allow')).toBe(status === 405 ? 'GET, POST' : null);
  });
});

describe('a query by GET', () => {
  const path = `/graphql?query=${encodeURIComponent('{ __typename }')}`;

  test('needs no particular header', async () => {
    for (const headers of [{}, { 'Content-Type': 'text/plain' }]) {
      const response = await app.client.fetch('GET', path, { headers });
      expect(response).toMatchObject({ status: 200, body: { data: { __typename: 'Query' } } });
    }
  });

  test.each([['{ countries { name } }'], ['{ countries { id } services { name } }']])(
    'of reference data has the Cache-Control of REST and an ETag for each language and media type: %s',
    async (query) => {
      const target = `/graphql?query=${encodeURIComponent(query)}`;
      const rest = await app.client.rest('GET', '/countries');
      const first = await app.client.fetch('GET', target);
      const again = await app.client.fetch('GET', target);
      for (const { headers } of [first, again]) {
        expect(headers.get('cache-control')).toBe(rest.headers.get('cache-control'));
        expect(headers.get('vary')).toMatch(/Accept-Language.*Accept\b(?!-)/);
      }
      const etag = first.headers.get('etag') as string;
      expect(again.headers.get('etag')).toBe(etag);
      const inArabic = await app.client.fetch('GET', target, { language: 'ar' });
      expect(inArabic.headers.get('etag')).not.toBe(etag);
      const unchanged = await app.client.fetch('GET', target, { headers: { 'If-None-Match': etag } });
      expect(unchanged).toMatchObject({ status: 304, body: '' });
    },
  );

  test('of anything else, with errors, or by POST may not be stored', async () => {
    const { token } = await createTenant(app.db);
    const viewer = '{ countries { id } viewer { partner { name } } }';
    const { status } = await app.client.fetch('GET', `/graphql?query=${encodeURIComponent(viewer)}`, { token });
    expect(status).toBe(200);
    for (const query of [viewer, '{ countries { nothing } }', '{ lookups { brandTypes(page: 0) { key } } }']) {
      const { headers } = await app.client.fetch('GET', `/graphql?query=${encodeURIComponent(query)}`, { token });
      expect(headers.get('cache-control'), query).toMatch(/no-store/);
    }
    const posted = await app.client.graphql('{ countries { id name } }');
    expect(posted.headers.get('cache-control')).toBe('private, no-store');
  });

  test('never runs a mutation', async () => {
    const query = encodeURIComponent('mutation { deleteProductTag(id: 1) { deletedProductTagId } }');
    const answer = await app.client.fetch<object>('GET', `/graphql?query=${query}`);
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('POST');
    expectErrors(answer);
  });
});

test('OPTIONS says what is allowed', async () => {
  const { status, headers } = await app.client.fetch('OPTIONS', '/graphql');
  expect({ status, allow: headers.get('allow') }).toEqual({ status: 204, allow: 'GET, POST' });
});

test.each([
  ['a field', '{ countrie { id } }', {}],
  ['a nested field', '{ countries { nameE } }', {}],
  ['an argument', '{ cities(countryIdd: 1) { id } }', {}],
  ['a type', '{ countries { ... on Countri { id } } }', {}],
  ['an enum value', '{ countries { name(locale: ENN) } }', {}],
  [
    'a field of a variable',
    'mutation ($input: CreateProductTagInput!) { createProductTag(input: $input) { productTag { id } } }',
    { input: { nameEn: 'Spicy', nameArr: 'حار' } },
  ],
])('a misspelled %s is refused without suggestions', async (_name, query, variables) => {
  const { body } = await app.client.graphql(query, variables);
  expect(body.errors).toHaveLength(1);
  expect(JSON.stringify(body)).not.toMatch(/did you mean/i);
});

const introspection = '{ __schema { queryType { name } } __type(name: "Country") { name } }';

test('introspection is refused with INTROSPECTION=off, all else is answered', async () => {
  await using closed = await startApp({ INTROSPECTION: 'off' });
  const refused = await closed.client.graphql(introspection);
  expect(refused.body.data).toBeUndefined();
  expect(refused.body.errors?.[0]?.extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
  const { body } = await closed.client.graphql('{ __typename lookups { weekDays { value } } }');
  expect(body.data).toMatchObject({ __typename: 'Query', lookups: { weekDays: expect.any(Array) } });
});

test('an internal error is answered with a fixed text and told in the log', async () => {
  await using broken = await startApp();
  const { token } = await createTenant(broken.db);
  await broken.db.schema.dropTable('items').cascade().execute();
  const answer = await broken.client.graphql('{ viewer { items { nodes { id } } } }', {}, { token });
  expect(answer.status).toBe(500);
  expect(answer.body.errors).toMatchObject([
    { path: ['viewer', 'items'], extensions: { code: 'INTERNAL_SERVER_ERROR' } },
  ]);
  expect(answer.body.errors?.[0]?.message).not.toMatch(/relation|select|"items"/);
  expect(JSON.stringify(answer.body)).not.toMatch(/stacktrace|does not exist/);
  const requestId = answer.headers.get('x-request-id');
  const err = expect.objectContaining({ message: expect.stringContaining('"items" does not exist') });
  expect(broken.logLines).toContainEqual(expect.objectContaining({ level: 50, requestId, err }));
});

function range(length: number): number[] {
  return Array.from({ length }, (_, index) => index);
}

function post(body: object, accept?: string): Promise<Answer<object>> {
  return app.client.fetch('POST', '/graphql', {
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json', ...(accept !== undefined && { Accept: accept }) },
  });
}

/** Errors as GraphQL writes them, that say nothing about the inside of the service. */
function expectErrors({ headers, body }: Answer<object>): void {
  const requestId = headers.get('x-request-id');
  expect(headers.get('content-type')).toMatch(/^application\/(graphql-response\+)?json\b/);
  expect(body).toEqual({
    errors: [
      expect.objectContaining({
        message: expect.stringMatching(/\S/),
        extensions: expect.objectContaining({ code: expect.stringMatching(/^[A-Z_]+$/), requestId }),
      }),
    ],
  });
  expect(JSON.stringify(body)).not.toMatch(/stacktrace|node_modules|\bat \S+:\d|undefined/i);
}
