import { STATUS_CODES } from 'node:http';
import { describe, expect, test } from 'vitest';
import { sharedApp, startApp } from '../support/app.ts';
import type { Answer, Options } from '../support/client.ts';
import { exchangeRaw } from '../support/raw-http.ts';
import { createTenant } from '../support/tenant.ts';

const app = await sharedApp();
const token = (await createTenant(app.db)).token;

const json = { 'Content-Type': 'application/json' };

const routes: [string, string][] = [
  ['/lookups', 'GET, HEAD'],
  ['/countries', 'GET, HEAD'],
  ['/cities', 'GET, HEAD'],
  ['/timezones', 'GET, HEAD'],
  ['/services', 'GET, HEAD'],
  ['/product_tags', 'POST'],
  ['/product_tags/1', 'PUT'],
];

describe.each(routes)('%s', (path, allow) => {
  const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((method) => !allow.split(', ').includes(method));

  test.each(others)('refuses %s and says what is allowed', async (method) => {
    const answer = await app.client.rest(method, path, { token });
    expectProblem(answer, 405, 'method_not_allowed');
    expect(answer.headers.get('allow')).toBe(allow);
  });

  test('answers OPTIONS with what is allowed', async () => {
    const { status, headers, body } = await app.client.rest('OPTIONS', path);
    expect({ status, allow: headers.get('allow'), body }).toEqual({ status: 204, allow, body: '' });
  });

  test('answers HEAD without a body', async () => {
    const { status, headers, body } = await app.client.rest('HEAD', path);
    expect(body).toBe('');
    expect(status).toBe(allow.includes('HEAD') ? 200 : 405);
    expect(headers.get('content-type')).toMatch(/json/);
  });
});

test.each([
  ['GET', '/partner_portal/v1/branches'],
  ['GET', '/partner_portal/v1/countries/1'],
  ['POST', '/partner_portal/v1/branches'],
  ['GET', '/partner_portal/v2/countries'],
  ['GET', '/nothing/here'],
  ['DELETE', '/nothing/here'],
  ['GET', '/nothing/%E0%A4%A'],
])('%s %s is not found', async (method, path) => {
  expectProblem(await app.client.fetch(method, path), 404, 'not_found');
});

test.each(['GET', 'PUT'])('%s of a badly encoded path is a malformed request', async (method) => {
  expectProblem(await app.client.rest(method, '/product_tags/%E0%A4%A', { token }), 400, 'malformed_request');
});

test.each<[string, string, Options & { body?: unknown }]>([
  ['GET', '/lookups?services=0&brand_types=x', {}],
  ['POST', '/product_tags', { body: 'x', headers: { 'Content-Type': 'text/plain' } }],
  ['POST', '/product_tags', { body: { name_en: 'x', item_ids: [2_000_000_000, 2_000_000_001] } }],
  ['PUT', '/product_tags/1', { body: {}, headers: { 'If-Match': 'nonsense' } }],
  ['POST', '/product_tags', { body: {} }],
  ['DELETE', '/countries', {}],
])('the problem of %s %s is in the language of the caller', async (method, path, options) => {
  const en = await app.client.rest(method, path, { token, language: 'en', ...options });
  const ar = await app.client.rest(method, path, { token, language: 'ar', ...options });
  expect(en.body.detail).not.toMatch(/\p{Script=Arabic}/u);
  expect(ar.body.detail).toMatch(/\p{Script=Arabic}/u);
  expect(ar.body.detail).not.toMatch(/[,;?]/);
  expect({ ...ar.body, detail: '', errors: '', request_id: '' }).toEqual({
    ...en.body,
    detail: '',
    errors: '',
    request_id: '',
  });
});

test('with ERROR_DOCS_URL the type is the URL of the section of the code', async () => {
  const url = 'https://gateway.example/guides/errors';
  await using documented = await startApp({ ERROR_DOCS_URL: url });
  const { body } = await documented.client.rest('GET', '/lookups?services=0');
  expect(body).toMatchObject({ code: 'invalid_parameter', type: `${url}#invalid_parameter` });
  const unreadable = await exchangeRaw(documented.url, { method: 'get', target: '/', headers: [] });
  expect(JSON.parse(unreadable?.body ?? '')).toMatchObject({ type: `${url}#malformed_request` });
});

describe('the request id', () => {
  test('of the answer, of the problem and of the log is the same', async () => {
    const { headers, body } = await app.client.rest('GET', '/nothing');
    const id = headers.get('x-request-id');
    expect(body.request_id).toBe(id);
    await expect.poll(() => app.logLines).toContainEqual(expect.objectContaining({ requestId: id }));
  });

  test('differs from request to request', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => app.client.rest('GET', '/services')));
    expect(new Set(answers.map(({ headers }) => headers.get('x-request-id'))).size).toBe(3);
  });

  test.each(['0b5a3f52-3a0c-4cde-9f3d-0a1b2c3d4e5f', 'checkout:42.retry_1'])('%s is taken over', async (id) => {
    const { headers, body } = await app.client.rest('GET', '/nothing', { headers: { 'X-Request-Id': id } });
    expect([headers.get('x-request-id'), body.request_id]).toEqual([id, id]);
  });

  test.each(['x'.repeat(500), '<script>alert(1)</script>', '"},{"level":50', 'two words here', 'ééééééééé', ''])(
    'is not taken over from %s',
    async (id) => {
      const { headers } = await app.client.rest('GET', '/nothing', { headers: { 'X-Request-Id': id } });
      expect(headers.get('x-request-id')).toMatch(/^[\w-]{8,64}$/);
    },
  );
});

test('an internal error is a problem with a fixed text, and told in the log', async () => {
  await using broken = await startApp();
  const tenant = await createTenant(broken.db);
  await broken.db.schema.dropTable('productTags').cascade().execute();
  const body = { name_en: 'Secret name', item_ids: tenant.products };
  const answer = await broken.client.rest('POST', '/product_tags', { token: tenant.token, body });
  expectProblem(answer, 500, 'internal_server_error');
  expect(JSON.stringify(answer.body)).not.toMatch(/product_tags|relation|Secret name/);
  const requestId = answer.headers.get('x-request-id');
  const err = expect.objectContaining({ message: expect.stringContaining('"product_tags" does not exist') });
  expect(broken.logLines).toContainEqual(expect.objectContaining({ level: 50, requestId, err }));
  expect(JSON.stringify(broken.logLines)).not.toContain('Secret name');
});

test('the log has the method, path and status of a request, and never its token, query or body', async () => {
  await using quiet = await startApp();
  const { token: secret } = await createTenant(quiet.db);
  const marked = 'marked-5f1c';
  const calls: [string, string, Options & { body?: unknown }][] = [
    ['GET', `/lookups?week_days=1&q=${marked}`, { token: secret }],
    ['GET', `/cities?country_id=${marked}`, {}],
    ['POST', '/product_tags', { token: secret, body: { name_en: marked } }],
    ['POST', '/product_tags', { token: secret, body: { name_en: marked.repeat(10) } }],
    ['POST', '/product_tags', { token: secret, body: `{"name_en":"${marked}`, headers: json }],
    ['POST', '/product_tags', { token: secret, body: marked, headers: { 'Content-Type': 'text/plain' } }],
    ['POST', '/product_tags', { token: `pp_${marked}`, body: { name_en: marked } }],
    ['PUT', `/product_tags/%E0%A4%A?${marked}`, { token: secret }],
  ];
  for (const [method, path, options] of calls) {
    const { status, headers } = await quiet.client.rest(method, path, options);
    const line = { requestId: headers.get('x-request-id'), req: { method, path: expect.any(String) }, res: { status } };
    await expect.poll(() => quiet.logLines).toContainEqual(expect.objectContaining(line));
  }
  const graphql = 'query ($m: Locale) { countries { name(locale: $m) } viewer { partner { id } } }';
  await quiet.client.graphql(`${graphql} # ${marked}`, { m: marked }, { token: secret });
  await quiet.client.graphql(`{ ${marked}`, {}, { token: secret });
  await expect.poll(() => quiet.logLines.length).toBeGreaterThanOrEqual(calls.length + 2);
  const logged = JSON.stringify(quiet.logLines);
  expect(logged).not.toContain(marked);
  expect(logged).not.toContain(secret);
});

function expectProblem({ status, headers, body }: Answer<unknown>, expected: number, code: string): void {
  expect({ status, body }).toMatchObject({ status: expected, body: { code } });
  expect(headers.get('content-type')).toMatch(/^application\/problem\+json\b/);
  expect(headers.get('cache-control')).toContain('no-store');
  const problem = body as Record<string, unknown>;
  const keys = ['type', 'title', 'status', 'detail', 'code', 'request_id'];
  expect(Object.keys(problem)).toEqual('errors' in problem ? [...keys, 'errors'] : keys);
  expect(problem).toMatchObject({
    type: 'about:blank',
    title: STATUS_CODES[expected],
    status: expected,
    detail: expect.stringMatching(/\S/),
    request_id: headers.get('x-request-id'),
  });
  expect(JSON.stringify(problem)).not.toMatch(/undefined|[{]\w+[}]|<\w|node_modules|\bat \S+:\d|\bselect\b|\binsert\b/);
}
