import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import express from 'express';
import { describe, expect, onTestFinished, test } from 'vitest';
import { listen } from '../../src/platform/http/server.ts';
import { freePort } from '../support/free-port.ts';
import { exchangeText, openSocket, readText } from '../support/raw-http.ts';
import { startApp, use } from '../support/test-app.ts';

const app = use(await startApp({ RATE_LIMIT: 'off' }));
const tenant = await app.createTenant();

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
const post = (length: number, more = '') =>
  `POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${more}Content-Length: ${length}\r\n\r\n`;
const services = '/partner_portal/v1/services';
const tags = '/partner_portal/v1/product_tags';

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
    const response = await readText(socket);
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

describe('pipelined requests', () => {
  const create = (name: string) => {
    const body = JSON.stringify({ name_en: name });
    const head = `POST ${tags} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tenant.token}\r\n`;
    return `${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  };

  test('get their responses in order', async () => {
    const requests = [create('First of two'), create('Second of two'), get('/livez', 'Connection: close\r\n')];
    const responses = (await exchangeText(app.url, requests.join(''))).split(/(?=HTTP\/1\.1 )/);
    expect(responses).toEqual([
      expect.stringMatching(/^HTTP\/1\.1 201 .*"name_en":"First of two"/s),
      expect.stringMatching(/^HTTP\/1\.1 201 .*"name_en":"Second of two"/s),
      expect.stringMatching(/^HTTP\/1\.1 200 /),
    ]);
  });

  test.each([
    ['the rest of a body that is longer than declared', 'XXXX\r\n\r\n'],
    ['bytes that are not HTTP', 'NOT HTTP AT ALL\r\n\r\n'],
  ])('%s behind a write does not replace its response', async (_what, behind) => {
    const text = await exchangeText(app.url, create('In front') + behind);
    expect(text.match(/^HTTP\/1\.1 \d+/gm)).toEqual(['HTTP/1.1 201']);
    expect(text).toContain('"name_en":"In front"');
  });
});

// Java's client offers HTTP/2 in its first request, and goes on without it.
test('a connection continues after a rejected upgrade', async () => {
  const socket = open(app.url);
  socket.write(get(services, 'Connection: Upgrade\r\nUpgrade: h2c\r\n'));
  expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1\.1 200 /);
  socket.write(get(services, 'Connection: close\r\n'));
  expect(await readText(socket)).toMatch(/^HTTP\/1\.1 200 /m);
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
      const received = readText(socket);
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

test('while the service stops, each response closes its connection', async () => {
  const stopping = await startApp({ SHUTDOWN_DELAY: '1' });
  const socket = open(stopping.url);
  socket.write(get('/livez'));
  expect(String(await once(socket, 'data'))).not.toMatch(/^Connection: close\r$/m);
  const stopped = stopping[Symbol.asyncDispose]();
  socket.write(get(services));
  expect(await readText(socket)).toMatch(/^HTTP\/1\.1 200 .*^Connection: close\r$/ms);
  await stopped;
});

// Browsers open them in advance.
test('a connection that has sent nothing does not delay the stop', async () => {
  const { url, drain } = await listen(express(), { port: 0, host: '127.0.0.1' });
  await once(open(url).resume(), 'connect');
  await drain(600_000);
});

test('at most MAX_CONNECTIONS are open', async () => {
  const managementPort = await freePort();
  await using limited = await startApp({ MAX_CONNECTIONS: '3', MANAGEMENT_PORT: String(managementPort) });
  const sockets = Array.from({ length: 5 }, () => open(limited.url));
  await expect.poll(() => sockets.filter((socket) => socket.closed).length).toBe(2);
  const metrics = await (await fetch(`http://127.0.0.1:${managementPort}/metrics`)).text();
  expect(metrics).toMatch(/^http_connections_refused_total 2$/m);
  for (const socket of sockets) socket.destroy();
  await expect.poll(async () => (await limited.client.fetch('GET', '/livez').catch(() => undefined))?.status).toBe(200);
});

test.each(['/graphql', tags])('a body of too many chunks ends its connection: %s', async (path) => {
  const credentials = `Authorization: Bearer ${tenant.token}\r\nContent-Type: application/json\r\n`;
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\n${credentials}Transfer-Encoding: chunked\r\n\r\n`;
  expect(await exchangeText(app.url, head + '1\r\nx\r\n'.repeat(10_000))).toBe('');
});

function open(url: string): Socket {
  const socket = openSocket(url);
  onTestFinished(() => void socket.destroy());
  return socket;
}
