import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { type AddressInfo, createServer, Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import express from 'express';
import { describe, expect, onTestFinished, test } from 'vitest';
import { memoryBounds } from '../../src/kernel/memory-bounds.ts';
import { boundConnections, resetConnection } from '../../src/platform/http/connections.ts';
import { listen } from '../../src/platform/http/server.ts';
import { freePort } from '../support/free-port.ts';
import { exchangeText, openSocket, textOf } from '../support/raw-http.ts';
import { startApp, use } from '../support/test-app.ts';

const app = use(await startApp({ RATE_LIMIT: 'off' }));
const tenant = await app.createTenant();

/** Another address of this machine, on Linux. */
const otherAddress = '127.0.0.2';

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
const post = (length: number, more = '') =>
  `POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${more}Content-Length: ${length}\r\n\r\n`;
const services = '/partner_portal/v1/services';
const tags = '/partner_portal/v1/product_tags';
const upgrade = 'Connection: Upgrade\r\nUpgrade: h2c\r\n';
const kept = 'Connection: keep-alive\r\n';

describe('a GraphQL body that arrives after its headers', () => {
  test.each([
    ['a query', '{ lookups(key: BRAND_TYPES, page: 0) { name } }', 'invalid_parameter', false],
    ['a mutation', 'mutation { deleteProductTag(id: 0) { userErrors { code message } } }', undefined, true],
  ])('belongs to its request: %s', async (name, query, code, isPartners) => {
    const id = `late-body-${name.length}`;
    const body = JSON.stringify({ query });
    const socket = open(app.url);
    const authorization = `Authorization: Bearer ${tenant.token}\r\n`;
    const more = `${authorization}X-Request-Id: ${id}\r\nAccept-Language: ar\r\nConnection: close\r\n`;
    socket.write(post(body.length, more));
    app.statements.splice(0);
    await setTimeout(100);
    socket.write(body);
    const response = await textOf(socket);
    expect(response).toMatch(/"message":"\p{Script=Arabic}/u);
    if (code !== undefined) expect(response).toContain(`"requestId":"${id}"`);
    // Statements outside of a request's scope are not counted and have no deadline.
    if (isPartners) expect(app.statements.length).toBeGreaterThan(0);
    const line = { requestId: id, locale: 'ar', sql: app.statements.length };
    await expect
      .poll(() => app.logLines.find(({ requestId }) => requestId === id))
      .toMatchObject({ ...line, ...(code && { code }), ...(isPartners && { partner: tenant.partnerId }) });
  });
});

describe('a request that is sent before the response to the one before', () => {
  const create = (name: string) => {
    const body = JSON.stringify({ name_en: name });
    const head = `POST ${tags} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tenant.token}\r\n`;
    return `${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  };

  test('has no effect: the first response closes the connection', async () => {
    const text = await exchangeText(app.url, create('First of two') + create('Second of two') + get(services));
    expect(text.match(/^HTTP\/1\.1 /gm)).toHaveLength(1);
    expect(text).toMatch(/^HTTP\/1\.1 201 .*^Connection: close\r$.*"name_en":"First of two"/ms);
    const names = await app.db.selectFrom('productTags').select('nameEn').where('nameEn', 'like', '% of two').execute();
    expect(names).toEqual([{ nameEn: 'First of two' }]);
  });

  // Node's parser is private: it stops because `rejectPipelined` replaces a function of it.
  test('is the last that Node reads of the connection', async () => {
    let made = 0;
    const count = () => {
      made += 1;
    };
    subscribe('http.server.request.start', count);
    onTestFinished(() => void unsubscribe('http.server.request.start', count));
    const { url, drain } = await listen(
      express().use(async (_request, response) => {
        await setTimeout(50);
        response.end('first');
      }),
      { port: 0, host: '127.0.0.1' },
    );
    onTestFinished(() => drain(0));
    expect(await exchangeText(url, get('/').repeat(1_000))).toMatch(/^HTTP\/1\.1 200 .*first$/s);
    expect(made).toBe(2);
  });

  test.each([
    ['the rest of a body that is longer than declared', 'XXXX'],
    ['a malformed target', 'GET nowhere HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['bytes that are not HTTP', 'NOT HTTP AT ALL\r\n\r\n'],
  ])('%s behind a write does not replace its response', async (_what, behind) => {
    const text = await exchangeText(app.url, create('In front') + behind);
    expect(text.match(/^HTTP\/1\.1 \d+/gm)).toEqual(['HTTP/1.1 201']);
    expect(text).toContain('"name_en":"In front"');
  });

  // Node ends its parsing at an upgrade, and a proxy may have read the chunks of HTTP/1.0 as further requests.
  test.each([
    ['an upgrade that the service does not make', 200, get(services, upgrade)],
    ['an upgrade with a body', 401, `POST ${tags} HTTP/1.1\r\nHost: x\r\n${upgrade}Content-Length: 2\r\n\r\n{}`],
    ['chunks in HTTP/1.0', 400, `POST ${tags} HTTP/1.0\r\n${kept}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['chunks in HTTP/1.0 to a probe', 400, `GET /livez HTTP/1.0\r\n${kept}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
  ])('behind %s is not handled, and the connection closes', async (_what, status, first) => {
    const body = '{"name_en":"Behind"}';
    const credentials = `Authorization: Bearer ${tenant.token}\r\nContent-Type: application/json\r\n`;
    const second = `POST ${tags} HTTP/1.1\r\nHost: x\r\n${credentials}Content-Length: ${body.length}\r\n\r\n${body}`;
    const responses = (await exchangeText(app.url, first + second)).split(/^(?=HTTP\/)/m);
    const closing = new RegExp(`^HTTP/1\\.1 ${status} .*^Connection: close\r$`, 'ms');
    expect(responses).toEqual([expect.stringMatching(closing)]);
    const written = app.db.selectFrom('productTags').select('id').where('nameEn', '=', 'Behind');
    expect(await written.execute()).toEqual([]);
  });
});

describe('a client that is rejected while it still sends its body', () => {
  const large = 2 * 1024 * 1024;
  const head = (path: string, more: string) =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${more}Content-Length: ${large}\r\n\r\n`;

  test.each([
    ['401', '/partner_portal/v1/product_tags'],
    ['404', '/partner_portal/v1/nothing'],
    ['405', '/partner_portal/v1/countries'],
    ['413', '/graphql'],
  ])('reads %s: %s', async (status, path) => {
    for (const more of ['Connection: close\r\n', '']) {
      const socket = open(app.url);
      const errors: Error[] = [];
      socket.on('error', (error) => errors.push(error));
      const received = textOf(socket);
      socket.write(head(path, more));
      // Like clients that send their whole request before they read.
      for (let sent = 0; sent < large; sent += large / 16) {
        await setTimeout(5);
        socket.write(' '.repeat(large / 16));
      }
      if (more === '') socket.end();
      expect(await received).toMatch(new RegExp(`^HTTP/1\\.1 ${status} .*"code":`, 's'));
      expect(errors).toEqual([]);
    }
  });
});

test('connections whose clients do not read are closed while their responses exceed the bound', async () => {
  const size = memoryBounds.unsentResponses / 8;
  let unread = 0;
  const app = express().use((_request, response) => {
    unread += 1;
    response.once('close', () => {
      unread -= 1;
    });
    response.end(Buffer.alloc(size));
  });
  const { url, drain } = await listen(app, { port: 0, host: '127.0.0.1' });
  onTestFinished(() => drain(0));
  const stalled = Array.from({ length: 16 }, () => open(url).pause());
  for (const socket of stalled) socket.write(get('/'));
  const reading = (await fetch(url)).arrayBuffer();
  expect((await reading).byteLength).toBe(size);
  await expect.poll(() => unread).toBeLessThanOrEqual(8);
});

test('a connection that is reset closes, also while it ends', async () => {
  let closed = 0;
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('close', () => {
      closed += 1;
    });
    socket.resume().on('end', () => {
      socket.end();
      // In the same turn, after Node has begun to shut the connection down.
      process.nextTick(() => process.nextTick(() => resetConnection(socket)));
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  for (let count = 0; count < 10; count += 1) open(`http://127.0.0.1:${port}`).end();
  await expect.poll(() => closed).toBe(10);
});

test('while the service stops, each response closes its connection', async () => {
  const stopping = await startApp({ SHUTDOWN_DELAY: '1' });
  const socket = open(stopping.url);
  socket.write(get('/livez'));
  expect(String(await once(socket, 'data'))).not.toMatch(/^Connection: close\r$/m);
  const stopped = stopping[Symbol.asyncDispose]();
  socket.write(get(services));
  expect(await textOf(socket)).toMatch(/^HTTP\/1\.1 200 .*^Connection: close\r$/ms);
  await stopped;
});

// Browsers open them in advance.
test('a connection that has sent nothing does not delay the stop', async () => {
  const { url, drain } = await listen(express(), { port: 0, host: '127.0.0.1' });
  await once(open(url).resume(), 'connect');
  await drain(600_000);
});

test('at most MAX_CONNECTIONS are open', async () => {
  await using limited = await startApp({ MAX_CONNECTIONS: '3', TRUST_PROXY: otherAddress });
  const sockets = Array.from({ length: 5 }, () => open(limited.url, otherAddress));
  await expect.poll(() => sockets.filter((socket) => socket.closed).length).toBe(2);
  for (const socket of sockets) socket.destroy();
  await expect.poll(async () => (await limited.client.fetch('GET', '/livez').catch(() => undefined))?.status).toBe(200);
});

test('one address has at most half of the connections', async () => {
  const managementPort = await freePort();
  await using limited = await startApp({ MAX_CONNECTIONS: '8', MANAGEMENT_PORT: String(managementPort) });
  const sockets = Array.from({ length: 8 }, () => open(limited.url, otherAddress));
  await expect.poll(() => sockets.filter((socket) => socket.closed).length).toBe(4);
  expect((await limited.client.fetch('GET', '/livez')).status).toBe(200);
  const metrics = await (await fetch(`http://127.0.0.1:${managementPort}/metrics`)).text();
  expect(metrics).toMatch(/^http_connections_refused_total 4$/m);
  sockets.find((socket) => !socket.closed)?.destroy();
  const freed = () => exchangeText(limited.url, get('/livez', 'Connection: close\r\n'), otherAddress);
  await expect.poll(freed).toMatch(/^HTTP\/1\.1 200 /);
  for (const socket of sockets) socket.destroy();
});

test('connections that were reset before they are accepted take no room from a trusted proxy', async () => {
  let refused = 0;
  const onRefused = () => {
    refused += 1;
  };
  const server = createServer();
  boundConnections(server, new Set(), { max: 2, trustedProxies: ['127.0.0.1'], onRefused });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  // Like those, it has no address.
  server.emit('connection', new Socket());
  open(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await once(server, 'connection');
  expect(refused).toBe(0);
});

// Each waits for the time that a client has to read why its request was rejected.
test.concurrent.each([
  ['POST', '/graphql', 'application/json'],
  ['GET', '/livez', 'text/plain'],
])('a body of too many chunks ends its connection: %s %s', async (method, path, type) => {
  const head = `${method} ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n`;
  const text = await exchangeText(app.url, head + '1\r\nx\r\n'.repeat(10_000));
  expect(text).toMatch(method === 'GET' ? /^HTTP\/1\.1 200 / : /^HTTP\/1\.1 413 /);
  expect(text).toMatch(/^Connection: close\r$/m);
});

function open(url: string, localAddress?: string): Socket {
  const socket = openSocket(url, localAddress);
  onTestFinished(() => void socket.destroy());
  return socket;
}
