import { serverAudits } from 'graphql-http';
import { afterAll, describe, expect, test } from 'vitest';
import type { Answer } from '../support/client.ts';
import { startApp, use } from '../support/test-app.ts';

const app = use(await startApp({ RATE_LIMIT: 'off' }));

const audits = serverAudits({ url: () => `${app.url}/graphql` });

const responseJson = 'application/graphql-response+json';
const resolution = 'OPERATION_RESOLUTION_FAILURE';
const coercion = 'query ($id: Int!) { cities(countryId: $id) { id } }';
const item = '{ item(id: $id) { id } }';
const several = 'query A { a: __typename } query B { b: __typename }';

// The GraphQL Foundation's audit of GraphQL over HTTP. Only optional behaviour of GET may be missing here.
test.each(audits.map(({ id, name, fn }) => [name, id, fn] as const))('%s (%s)', async (name, _id, audit) => {
  const result = await audit();
  const reason = result.status === 'ok' ? undefined : result.reason;
  const allowed = /^MAY .*\bGETs? /.test(`${name} `) ? ['ok', 'notice'] : ['ok'];
  expect(allowed, reason).toContain(result.status);
});

test('the audit covers the whole specification', () => {
  const required = audits.filter(({ name }) => /^(MUST|SHOULD) /.test(name));
  expect(required.length).toBeGreaterThan(30);
});

describe('the media type of the response', () => {
  test.each<[accept: string, type: string]>([
    [`${responseJson}, application/json;q=0.9`, responseJson],
    [`${responseJson};q=0.5, application/json`, 'application/json'],
    [`${responseJson}; charset=utf-8, application/json; charset=utf-8`, responseJson],
    ['', 'application/json'],
    ...['version=1', 'indent=4', 'odata.metadata=minimal', 'version="a,b;q=0"', 'charset="UTF-8"', 'q=0.5;ext'].map(
      (parameter): [string, string] => [`application/json;${parameter}`, 'application/json'],
    ),
    [`application/json;version=1;q=0.5, ${responseJson};version=2`, responseJson],
    [`application/json;x="\\",${responseJson};q=0.1`, 'application/json'],
    ['text/html, application/json;version=1;q=0.1', 'application/json'],
    ['nonsense, application/*;version=1', 'application/json'],
  ])('is, for Accept: %s, %s', async (accept, type) => {
    const { status, headers, body } = await post({ query: '{ __typename }' }, accept);
    expect({ status, body }).toEqual({ status: 200, body: { data: { __typename: 'Query' } } });
    expect(headers.get('content-type')?.split(';')[0]).toBe(type);
  });

  const unacceptable = [
    ...['text/html', 'image/*', 'application/json;q=0', 'application/json; charset=latin1', 'nonsense'],
    ...['application/json;q=x', 'application/json;version=1;charset="latin1"', `text/plain;x=", ${responseJson}"`],
  ];
  test.each(unacceptable)('cannot be %s', async (accept) => {
    const answer = await post({ query: '{ __typename }' }, accept);
    expect(answer).toMatchObject({ status: 406, body: { errors: [{ extensions: { code: 'NOT_ACCEPTABLE' } }] } });
    expectErrors(answer);
  });
});

describe('a response without an operation has the preferred media type of Accept', () => {
  const limited = startApp({ RATE_LIMIT_ADDRESS_READS: '1' });
  const cases: [status: number, method: string, path: string, type?: string, body?: string][] = [
    [400, 'GET', '/graphql/%zz'],
    [404, 'GET', '/graphql/nothing'],
    [405, 'PUT', '/graphql', 'application/json', '{}'],
    [413, 'POST', '/graphql', 'application/json', 'x'.repeat(600_000)],
    [415, 'POST', '/graphql', 'text/plain', 'x'],
    [429, 'GET', '/graphql?query={__typename}'],
  ];
  test.each(cases)('%i of %s %s', async (status, method, path, type, body) => {
    for (const [accept, sent] of [
      [`${responseJson},application/json;q=0.9`, responseJson],
      [`application/json;version=1, ${responseJson};q=0.9`, 'application/json'],
      ['text/html;level=1', 'application/json'],
    ] as const) {
      const { client } = status === 429 ? await limited : app;
      if (status === 429) await client.fetch('GET', '/graphql');
      const headers = { Accept: accept, ...(type && { 'Content-Type': type }) };
      const answer = await client.fetch<object>(method, path, { headers, body, language: 'ar' });
      // The type of the response is negotiated before that of the body is checked.
      const isAcceptable = status !== 415 || !accept.startsWith('text/html');
      expect({ accept, status: answer.status }).toEqual({ accept, status: isAcceptable ? status : 406 });
      expect(answer.headers.get('content-type')).toBe(`${sent}; charset=utf-8`);
      expect(answer.headers.get('vary')).toBe('Accept-Language, Accept, X-Query-Cost');
      expectErrors(answer);
    }
  });
  afterAll(async () => (await limited)[Symbol.asyncDispose]());
});

test.each(['/graphql', '//graphql', '///graphql//'])('a response of %s varies by Accept', async (path) => {
  for (const query of ['{__typename}', '{countries{id}}', '{']) {
    const { headers } = await app.client.fetch('GET', `${path}?query=${query}`);
    expect(headers.get('vary')).toMatch(/^Accept-Language, Accept(,|$)/);
  }
});

test('an empty operation name counts as absent, and so do empty variables and extensions', async () => {
  const empty = ['operationName', 'variables', 'extensions'].map((name) => `${name}=`);
  for (const parameters of [...empty, empty.join('&'), 'variables=null&extensions=null']) {
    const get = await app.client.fetch('GET', `/graphql?query={__typename}&${parameters}`);
    expect({ parameters, ...get }).toMatchObject({ status: 200, body: { data: { __typename: 'Query' } } });
  }
  expect(await post({ query: '{ __typename }', operationName: '' })).toMatchObject({
    status: 200,
    body: { data: { __typename: 'Query' } },
  });
  // PHP writes an empty object as an array.
  const arrays = await app.client.fetch('GET', '/graphql?query={__typename}&variables=[]&extensions=[]');
  expect(arrays).toMatchObject({ status: 200, body: { data: { __typename: 'Query' } } });
  expect(await post({ query: '{ __typename }', variables: [], extensions: [] })).toMatchObject({
    status: 200,
    body: { data: { __typename: 'Query' } },
  });
  for (const name of ['variables', 'extensions'])
    expect(await post({ query: '{ __typename }', [name]: [1] })).toMatchObject({ status: 400 });
  const { body } = await post({ query: several, operationName: '' });
  expect(body).toMatchObject({ errors: [{ extensions: { code: resolution } }] });
});

// GraphQL over HTTP, section 6.4: requests that are not executed are 200 as application/json and 400 otherwise.
test.each([
  ['lacks a variable', { query: coercion }, 'BAD_USER_INPUT'],
  ['has several operations and names none', { query: several }, resolution],
  ['has no operation of that name', { query: '{ __typename }', operationName: 'B' }, resolution],
  ['is a subscription, which the schema lacks', { query: 'subscription { countries }' }, 'BAD_USER_INPUT'],
  [
    'sets a variable with a default to null',
    { query: `query ($id: Int = 1) ${item}`, variables: { id: null } },
    'BAD_USER_INPUT',
  ],
])('a document that %s is 200 or 400, depending on the media type', async (_name, body, code) => {
  const withCharsets = `${responseJson}; charset=utf-8, application/json; charset=utf-8`;
  const answers = await Promise.all(['application/json', responseJson, withCharsets].map((each) => post(body, each)));
  expect(answers.map(({ status }) => status)).toEqual([200, 400, 400]);
  for (const answer of answers) {
    expectErrors(answer);
    expect(answer.body).toMatchObject({ errors: [{ extensions: { code } }] });
  }
});

test('a mutation that is not acceptable, or lacks an argument, writes nothing', async () => {
  const { token } = await app.createTenant();
  const query = `mutation ($id: Int = 1) {
    createProductTag(input: { nameEn: "Unseen" }) { productTag { id } }
    deleteProductTag(id: $id) { deletedProductTagId }
  }`;
  for (const [accept, code] of [
    ['text/html', 'NOT_ACCEPTABLE'],
    ['application/json', 'BAD_USER_INPUT'],
  ] as const) {
    const { body } = await app.client.graphql(query, { id: null }, { token, headers: { Accept: accept } });
    expect(body.errors?.[0]?.extensions.code).toBe(code);
  }
  const written = await app.db.selectFrom('productTags').select('id').where('nameEn', '=', 'Unseen').execute();
  expect(written).toEqual([]);
});

// An error about a value prints the whole value: without limits, such responses exhaust the memory.
const create = 'mutation ($input: CreateProductTagInput!) { createProductTag(input: $input) { productTag { id } } }';
const invalidInput = /^Variable "\$input" got invalid value/;
test.each<[string, RegExp, string, unknown?]>([
  ['many fields', invalidInput, create, Object.fromEntries(range(4_000).map((id) => [`f${id}`, id]))],
  ['a long list', invalidInput, create, { nameEn: 'Spicy', itemIds: range(40_000).map(String) }],
  ['a long text', invalidInput, create, 'x'.repeat(400_000)],
  ['a very long literal', /^Int cannot represent/, `{ cities(countryId: "${'x'.repeat(30_000)}") { id } }`],
  ['hundreds of unknown fields', /^Cannot query field/, `{ ${range(400).map((id) => `unknown${id}`)} }`],
])('%s: rejected with a short message', async (_name, message, query, input) => {
  const { body } = await app.client.graphql(query, { input });
  expect(body.data).toBeUndefined();
  expect(body.errors?.[0]?.message).toMatch(message);
  expect(body.errors?.length).toBeLessThanOrEqual(6);
  expect(JSON.stringify(body).length).toBeLessThan(5_000);
});

// The same section: malformed GraphQL requests are 400 (or another HTTP error) in both media types.
const json = 'application/json';
const good = '{"query":"{ __typename }"}';
const mutation = encodeURIComponent('mutation { deleteProductTag(id: 1) { deletedProductTagId } }');
test.each<[string, number, string, string, body?: string | undefined, path?: string]>([
  ['an empty body', 400, 'POST', json, ''],
  ['a batch', 400, 'POST', json, `[${good},${good}]`],
  ['a query in the URL of a POST', 400, 'POST', json, '{}', `/graphql?query=${mutation}`],
  ['a body that is too large', 413, 'POST', json, JSON.stringify({ query: '#'.repeat(1024 * 1024) })],
  ['a query as such', 415, 'POST', 'application/graphql', '{ __typename }'],
  ['a form', 415, 'POST', 'application/x-www-form-urlencoded', 'query={__typename}'],
  ['JSON as text', 415, 'POST', 'text/plain', good],
  ['another charset', 415, 'POST', 'application/json; charset=latin1', good],
  ['PUT', 405, 'PUT', json, good],
  ['a mutation by GET', 405, 'GET', json, undefined, `/graphql?query=${mutation}`],
])('%s is %i with either media type', async (_name, status, method, type, body, path = '/graphql') => {
  for (const Accept of [json, responseJson]) {
    const answer = await app.client.fetch<object>(method, path, { body, headers: { Accept, 'Content-Type': type } });
    expect(answer.status).toBe(status);
    expectErrors(answer);
    const allowed = method === 'GET' ? 'POST' : 'GET, HEAD, POST';
    expect(answer.headers.get('allow')).toBe(status === 405 ? allowed : null);
  }
});

test('OPTIONS lists the allowed methods', async () => {
  const { status, headers } = await app.client.fetch('OPTIONS', '/graphql');
  expect({ status, allow: headers.get('allow') }).toEqual({ status: 204, allow: 'GET, HEAD, POST' });
});

test.each([
  ['a field', '{ countrie { id } }', {}],
  ['a nested field', '{ countries { nameE } }', {}],
  ['an argument', '{ cities(countryIdd: 1) { id } }', {}],
  ['a type', '{ countries { ... on Countri { id } } }', {}],
  ['an enum value', '{ countries { name(locale: ENN) } }', {}],
  ['a field of a variable', create, { input: { nameEn: 'Spicy', nameArr: 'حار' } }],
])('a misspelled %s is rejected without suggestions', async (_name, query, variables) => {
  const { body } = await app.client.graphql(query, variables);
  expect(body.errors).toHaveLength(1);
  expect(JSON.stringify(body)).not.toMatch(/did you mean/i);
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

/** GraphQL errors, without internal details of the service. */
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
