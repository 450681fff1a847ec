import { STATUS_CODES } from 'node:http';
import { expect, test } from 'vitest';
import { methods } from '../../src/platform/http/routes.ts';
import type { Answer, Options } from '../support/client.ts';
import { readDescription } from '../support/rest-contract.ts';
import { sharedApp, startApp } from '../support/test-app.ts';

const app = await sharedApp();
const token = (await app.createTenant()).token;

const described = Object.entries<object>(readDescription().paths).filter(([path]) => path !== '/');

test.each(
  described.map(([path, item]) => {
    // openapi.yaml leaves out HEAD, which is GET.
    const allowed = methods.filter((method) => (method === 'HEAD' ? 'get' : method.toLowerCase()) in item);
    return [path.replace('{id}', '1'), allowed.join(', ')] as const;
  }),
)('%s allows %s: by OPTIONS, and by the problem of any other method', async (path, allow) => {
  const options = await app.client.rest('OPTIONS', path);
  expect(options).toMatchObject({ status: 204, body: '' });
  expect(options.headers.get('allow')).toBe(allow);
  const others = [...new Set([...methods, 'DELETE'])].filter((each) => !allow.split(', ').includes(each));
  for (const method of others) {
    const answer = await app.client.rest(method, path, { token });
    if (method === 'HEAD') expect(answer).toMatchObject({ status: 405, body: '' });
    else expectProblem(answer, 405, 'method_not_allowed');
    expect(answer.headers.get('allow')).toBe(allow);
  }
});

test.each([
  ['GET', '/product_tags', 'productTags'],
  ['DELETE', '/product_tags', 'deleteProductTag(id:)'],
  ['GET', '/product_tags/1', 'productTag(id:)'],
  ['DELETE', '/product_tags/1', 'deleteProductTag(id:)'],
])('the problem of %s %s names the field of GraphQL', async (method, path, field) => {
  for (const language of ['en', 'ar']) {
    const { body } = await app.client.rest(method, path, { token, language });
    expect(body.detail).toContain(` ${field}`);
    expect(body.detail).toContain('/graphql');
  }
  expect((await app.client.rest('PUT', '/product_tags', { token })).body.detail).not.toContain('graphql');
});

test.each([
  ['GET', '/partner_portal/v1/branches'],
  ['POST', '/partner_portal/v1/countries/1'],
  ['DELETE', '/nothing/here'],
])('%s %s is not found', async (method, path) => {
  expectProblem(await app.client.fetch(method, path, { token }), 404, 'not_found');
});

test.each<[string, string, Options & { body?: unknown }]>([
  ['POST', '/product_tags', { body: 'x', headers: { 'Content-Type': 'text/plain' } }],
  ['POST', '/product_tags', { body: { name_en: 'x', item_ids: [2_000_000_000, 2_000_000_001] } }],
  ['PUT', '/product_tags/1', { body: {}, headers: { 'If-Match': 'nonsense' } }],
  ['DELETE', '/countries', {}],
])('the problem of %s %s is in the language of the caller', async (method, path, options) => {
  const en = await app.client.rest(method, path, { token, language: 'en', ...options });
  const ar = await app.client.rest(method, path, { token, language: 'ar', ...options });
  expect(en.body.detail).not.toMatch(/\p{Script=Arabic}/u);
  expect(ar.body.detail).toMatch(/^[^,;?]*\p{Script=Arabic}[^,;?]*$/u);
  const { detail, errors, request_id } = en.body;
  expect({ ...ar.body, detail, errors, request_id }).toEqual({ ...en.body, errors });
});

test('negative numbers in Arabic have a left-to-right mark', async () => {
  const page = await app.client.rest('GET', '/lookups?services=0', { language: 'ar' });
  expect(page.body.detail).toContain(' \u200E-1 ');
  const body = { name_en: 'Spicy', item_ids: ['-9007199254740993', -5, 2_000_000_000] };
  const items = await app.client.rest('POST', '/product_tags', { token, language: 'ar', body });
  expect(items.body.errors.item_ids[0]).toMatch(/ \u200E-5، \u200E-9007199254740993، 2000000000\./);
  const english = await app.client.rest('POST', '/product_tags', { token, body });
  expect(english.body.errors.item_ids[0]).toContain(' -5, -9007199254740993, 2000000000.');
});

test.each([
  ['application/json', ['', '*/*', 'application/json', 'application/json, text/plain, */*', 'text/html']],
  ['application/json', ['application/problem+json;q=0', 'application/*', 'application/problem+json;q=x']],
  [
    'application/json',
    ['application/problem+json;q=0.8, application/json', 'application/problem+json; q=0.1, */*;q=0.2'],
  ],
  [
    'application/problem+json',
    ['application/problem+json', 'Application/Problem+JSON', 'application/problem+json, */*'],
  ],
  [
    'application/problem+json',
    ['application/json, application/problem+json', 'text/html, application/problem+json;q=0.1'],
  ],
  ['application/problem+json', ['application/problem+json;q=0.5, application/json;q=0.5, */*']],
  ['application/problem+json', ['application/problem+json;version="1,2;q=0"', 'a/b;x=",", application/problem+json']],
  ['application/json', ['application/problem+json;charset=latin1', 'a/b;x=", application/problem+json"']],
])('a problem is %s for Accept: %j', async (type, accepted) => {
  for (const accept of accepted) {
    const { status, headers, body } = await app.client.rest('GET', '/nothing', { headers: { Accept: accept } });
    expect({ accept, status, type: headers.get('content-type') }).toEqual({
      accept,
      status: 404,
      type: `${type}; charset=utf-8`,
    });
    expect(headers.get('vary')).toBe('Accept-Language, Accept');
    expect(body.code).toBe('not_found');
  }
});

test.each([
  ['0b5a3f52-3a0c-4cde-9f3d-0a1b2c3d4e5f', true],
  ['checkout:42.retry_1', true],
  ['x'.repeat(500), false],
  ['<script>alert(1)</script>', false],
  ['"},{"level":50', false],
  ['ééééééééé', false],
  ['', false],
])('the request id "%s" is used: %s', async (id, isUsed) => {
  const answer = await app.client.rest('GET', '/nothing', { headers: { 'X-Request-Id': id } });
  expectProblem(answer, 404, 'not_found');
  expect(answer.headers.get('x-request-id') === id).toBe(isUsed);
  if (!isUsed) expect(answer.headers.get('x-request-id')).toMatch(/^[\w-]{8,64}$/);
});

test('an internal error has a fixed text on both surfaces and is logged', async () => {
  await using broken = await startApp();
  const tenant = await broken.createTenant();
  await broken.db.schema.dropTable('productTags').cascade().execute();
  const body = { name_en: 'Secret name', item_ids: tenant.products };
  const rest = await broken.client.rest('POST', '/product_tags', { token: tenant.token, body });
  expectProblem(rest, 500, 'internal_server_error');
  const create = 'mutation { createProductTag(input: { nameEn: "Secret name" }) { productTag { id } } }';
  const graphql = await broken.client.graphql(create, {}, tenant);
  const errors = [{ path: ['createProductTag'], extensions: { code: 'INTERNAL_SERVER_ERROR' } }];
  expect(graphql).toMatchObject({ status: 500, body: { errors } });
  for (const { body: problem, headers } of [rest, graphql]) {
    expect(JSON.stringify(problem)).not.toMatch(/product_tags|relation|does not exist|stacktrace|insert|Secret name/);
    const requestId = headers.get('x-request-id');
    const err = expect.objectContaining({ message: expect.stringContaining('"product_tags" does not exist') });
    expect(broken.logLines).toContainEqual(expect.objectContaining({ level: 50, requestId, err }));
  }
  expect(JSON.stringify(broken.logLines)).not.toContain('Secret name');
});

function expectProblem({ status, headers, body }: Answer<unknown>, expected: number, code: string): void {
  expect({ status, body }).toMatchObject({ status: expected, body: { code } });
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(headers.get('cache-control')).toContain('no-store');
  const problem = body as Record<string, unknown>;
  const keys = ['type', 'title', 'status', 'detail', 'code', 'request_id'];
  expect(Object.keys(problem)).toEqual('errors' in problem ? [...keys, 'errors'] : keys);
  expect(problem).toMatchObject({
    type: `/guides/errors#${code}`,
    title: STATUS_CODES[expected],
    status: expected,
    detail: expect.stringMatching(/\S/),
    request_id: headers.get('x-request-id'),
  });
  expect(JSON.stringify(problem)).not.toMatch(/undefined|[{]\w+[}]|<\w|node_modules|\bat \S+:\d|\bselect\b|\binsert\b/);
}
