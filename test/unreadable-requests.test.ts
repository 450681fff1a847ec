import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from './support/app.ts';
import { createTenant, type Tenant } from './support/tenant.ts';

let app: TestApp;
let tenant: Tenant;
beforeAll(async () => {
  app = await startApp();
  tenant = await createTenant(app.db);
});
afterAll(() => app[Symbol.asyncDispose]());

test.each([
  [
    'a header too large',
    `GET /graphql HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`,
    431,
    'headers_too_large',
  ],
  ['no HTTP at all', 'hello\r\n\r\n', 400, 'malformed_request'],
])('%s is answered as a problem, with a request id that is in the log', async (_name, bytes, status, code) => {
  const [head, body] = (await exchange(bytes)).split('\r\n\r\n', 2) as [string, string];
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(head).toMatch(/^Content-Type: application\/problem\+json/m);
  const problem = JSON.parse(body);
  expect(problem).toMatchObject({ status, code });
  expect(head).toContain(`X-Request-Id: ${problem.request_id}`);
  expect(app.logLines).toContainEqual(expect.objectContaining({ requestId: problem.request_id }));
});

test('a request that its client gives up is logged as such, with its id', async () => {
  const id = 'given-up-by-client';
  app.statements.splice(0);
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
  socket.write(
    `POST /partner_portal/v1/product_tags HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tenant.token}\r\n` +
      `X-Request-Id: ${id}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"name_en"`,
  );
  await expect.poll(() => app.statements.some((text) => text.includes('partner_tokens'))).toBe(true);
  socket.destroy();
  await expect.poll(() => app.logLines).toContainEqual(expect.objectContaining({ requestId: id, aborted: true }));
});

const invalid = Buffer.from([
  0x7b, 0x22, 0x6e, 0x61, 0x6d, 0x65, 0x5f, 0x65, 0x6e, 0x22, 0x3a, 0x22, 0xff, 0xfe, 0xfd, 0x22, 0x7d,
]);

test.each([
  ['JSON', 'application/json', invalid],
  ['a form', 'application/x-www-form-urlencoded', 'name_en=%FF%FE%FDab'],
  ['a form with a percent sign alone', 'application/x-www-form-urlencoded', 'name_en=100%'],
])('%s that is no UTF-8 is malformed, and nothing is written', async (_name, type, body) => {
  const response = await fetch(`${app.url}/partner_portal/v1/product_tags`, {
    method: 'POST',
    headers: { 'Content-Type': type, Authorization: `Bearer ${tenant.token}` },
    body,
  });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ code: 'malformed_body' });
  const tags = await app.db.selectFrom('productTags').select('id').where('companyId', '=', tenant.companyId).execute();
  expect(tags).toEqual([]);
});

test('a path below /graphql is not found, in the format of GraphQL', async () => {
  const { status, body } = await app.client.fetch<{ errors: unknown[] }>('GET', '/graphql/below');
  expect(status).toBe(404);
  expect(body).toMatchObject({ errors: [{ extensions: { code: 'NOT_FOUND', requestId: expect.any(String) } }] });
});

async function exchange(bytes: string): Promise<string> {
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
  let answer = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    answer += text;
  });
  socket.write(bytes);
  await once(socket, 'close');
  return answer;
}
