import { once } from 'node:events';
import { expect, test } from 'vitest';
import { exchangeText, openSocket, readText } from '../support/raw-http.ts';
import { startApp, use } from '../support/test-app.ts';

const app = use(await startApp({ CORS_ORIGINS: 'http://localhost:*' }));
const tenant = await app.createTenant();
const exchange = (bytes: string) => exchangeText(app.url, bytes);

const head = 'HTTP/1.1\r\nHost: x\r\nConnection: close\r\n';
const chunked = 'Content-Type: application/json\r\nTransfer-Encoding: chunked';
const malformed = 'malformed_request';
const tags = '/partner_portal/v1/product_tags';
const json = 'Content-Type: application/json\r\n';
const credentials = `Authorization: Bearer ${tenant.token}\r\n${json}`;

test.each<[string, string, number, string]>([
  ['a large header', `GET /graphql ${head}X-Large: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large'],
  ['a large target', `GET /${'x'.repeat(20_000)} ${head}\r\n`, 431, 'headers_too_large'],
  ['thousands of headers', `GET /graphql ${head}${'a: b\r\n'.repeat(3_000)}\r\n`, 431, 'headers_too_large'],
  ['bytes that are not HTTP', 'hello\r\n\r\n', 400, malformed],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, malformed],
  ['a method in lower case', `get /graphql ${head}\r\n`, 400, malformed],
  ['a control character in a header', `GET /graphql ${head}X: a\0b\r\n\r\n`, 400, malformed],
  ['two lengths', `POST /graphql ${head}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`, 400, malformed],
  ['both a length and chunks', `POST /graphql ${head}Content-Length: 5\r\n${chunked}\r\n\r\n0\r\n\r\n`, 400, malformed],
  ['malformed chunks', `POST /graphql ${head}${chunked}\r\n\r\nzz\r\n`, 400, malformed],
  ['no host', 'GET /partner_portal/v1/services HTTP/1.1\r\nConnection: close\r\n\r\n', 400, malformed],
  ['two hosts', `GET /partner_portal/v1/services ${head}Host: y\r\n\r\n`, 400, malformed],
  [
    'JSON that is not UTF-8',
    `POST ${tags} ${head}${credentials}Content-Length: 16\r\n\r\n{"name_en":"\xff\xfe"}`,
    400,
    'malformed_body',
  ],
  ['a path in other case', `GET /PARTNER_PORTAL/v1/countries ${head}\r\n`, 404, 'not_found'],
  ['GraphQL in other case', `GET /GraphQL?query={__typename} ${head}\r\n`, 404, 'not_found'],
  ['an asterisk', `OPTIONS * ${head}\r\n`, 404, 'not_found'],
  ['a target of another scheme', `GET ftp://[/nothing ${head}\r\n`, 404, 'not_found'],
])('%s gets a problem with a logged request id', async (_name, bytes, status, code) => {
  const [head, body] = (await exchange(bytes)).split('\r\n\r\n', 2) as [string, string];
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} .*^Content-Type: application/json`, 'ms'));
  const problem = JSON.parse(body);
  expect(problem).toMatchObject({ status, code });
  expect(head).toContain(`X-Request-Id: ${problem.request_id}`);
  const line = expect.objectContaining({ requestId: problem.request_id });
  await expect.poll(() => app.logLines).toContainEqual(line);
});

test('an unreadable HEAD request gets no body', async () => {
  expect(await exchange(`HEAD /\xff ${head}\r\n`)).toMatch(/^HTTP\/1\.1 400 .*\r\n\r\n$/s);
});

test.each([
  ['an Authorization too long, as without one', `${head}Authorization: Bearer ${','.repeat(15_000)}\r\n\r\n`],
  ['an unknown expectation', `${head}Expect: the-unexpected\r\n\r\n`],
  ['HTTP/1.0, which needs no host', 'HTTP/1.0\r\n\r\n'],
])('%s gets the usual response', async (_name, rest) => {
  expect(await exchange(`GET /partner_portal/v1/services ${rest}`)).toMatch(/^HTTP\/1\.1 200 OK.*\{"services":\[/s);
});

test.each([
  ['/graphql', 'PAYLOAD_TOO_LARGE'],
  ['/partner_portal/v1/product_tags', 'payload_too_large'],
])('a body with a too large Content-Length is rejected before it arrives: %s', async (path, code) => {
  const socket = openSocket(app.url);
  // The service would wait for the rest.
  socket.on('data', (part) => /^\{|\r\n\r\n\{/.test(String(part)) && socket.destroy());
  socket.write(`POST ${path} ${head}${credentials}Content-Length: 999999999999\r\n\r\n`);
  expect(await readText(socket)).toMatch(new RegExp(`^HTTP/1\\.1 413 .*"code":"${code}"`, 's'));
});

test('a response before the end of its request closes the connection', async () => {
  const socket = openSocket(app.url);
  const text = readText(socket);
  socket.write('POST /nothing HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nxxxxx');
  await once(socket, 'data');
  socket.write('xxxxx');
  expect(await text).toMatch(/^HTTP\/1\.1 404 .*^Connection: close\r$/ms);
});

test('a client that disconnects before its response is logged as 499', async () => {
  const id = 'given-up-by-client';
  // Its token is not remembered.
  const { token } = await app.createTenant();
  app.statements.splice(0);
  const socket = openSocket(app.url);
  socket.write(
    `POST ${tags} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n${json}X-Request-Id: ${id}\r\nContent-Length: 100\r\n\r\n{"name_en"`,
  );
  await expect.poll(() => app.statements.some((text) => text.includes('partner_tokens'))).toBe(true);
  socket.destroy();
  const findLine = () => app.logLines.find(({ requestId }) => requestId === id);
  await expect.poll(findLine).toMatchObject({ aborted: true, res: { status: 499 } });
  expect(findLine()).not.toHaveProperty('code');
});

test('a path below /graphql is not found, in the format of GraphQL', async () => {
  const { status, body } = await app.client.fetch<{ errors: unknown[] }>('GET', '/graphql/below');
  expect(status).toBe(404);
  expect(body).toMatchObject({ errors: [{ extensions: { code: 'NOT_FOUND', requestId: expect.any(String) } }] });
});

test.each([
  ['/graphql?query=%7B__typename%7D', '{"data":'],
  ['/graphql?query=%7Bnothing%7D', '{"errors":'],
  ['/partner_portal/v1/countries', '{"countries":'],
])('an absolute URL as target is routed: %s', async (path, response) => {
  const origin = 'http://localhost:3000';
  const text = await exchange(`GET http://a${path} ${head}Origin: ${origin}\r\n\r\n`);
  expect(text).toContain(response);
  expect(text).toContain(`Access-Control-Allow-Origin: ${origin}\r\n`);
});
