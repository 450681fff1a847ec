import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { root } from '../support/documents.ts';
import { freePort } from '../support/free-port.ts';
import { lockTags, untilWaiting } from '../support/locks.ts';
import { printed, startService } from '../support/process.ts';
import { lacks } from '../support/programs.ts';
import { openSocket, readText } from '../support/raw-http.ts';
import { isFailed, startLoad } from '../support/request-load.ts';
import { TagLedger } from '../support/tag-ledger.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { createTenant } from '../support/tenant.ts';
import { copyTemplate, openDatabase, use } from '../support/test-app.ts';

const database = use(await copyTemplate());
const { db } = use(await openDatabase(database.env));
const tenant = await createTenant(db, { products: 12 });

async function start(env: Record<string, string | undefined> = {}) {
  const service = await startService({ ...database.env, RATE_LIMIT: 'off', LOG_LEVEL: 'info', ...env });
  onTestFinished(() => service[Symbol.asyncDispose]());
  return service;
}

// Exit code 0 means within 15 s; after that, the process ends with code 1.
describe('SIGTERM', () => {
  test('under load: becomes unready at once, fails no request, exits with code 0', async () => {
    const service = await start({ LOG_LEVEL: 'silent', SHUTDOWN_DELAY: '4' });
    const { client } = service;
    const ledger = new TagLedger(client, tenant);
    const reads = startLoad(16, () => client.rest('GET', '/countries'));
    const writes = startLoad(8, (worker) => ledger.write(worker));
    await expect.poll(() => ledger.acknowledged).toBeGreaterThan(100);

    const ended = service.end('SIGTERM');
    // Like a load balancer, which sends nothing to a replica that is not ready.
    await expect.poll(async () => (await client.fetch('GET', '/readyz')).status).toBe(503);
    const outcomes = [...(await reads.stop()), ...(await writes.stop())];
    expect(await ended, service.stderr).toBe(0);
    expect(outcomes.filter(isFailed)).toEqual([]);
    expect(await ledger.findLost(db)).toEqual([]);
  });

  test('while a write waits for a lock: completes the write and responds', async () => {
    const service = await start();
    const { token, products } = tenant;
    const created = await service.client.rest('POST', '/product_tags', { token, body: { name_en: 'Waiting' } });
    const body = { name_en: 'Waited', item_ids: products };
    const [answer, exited] = await lockTags(db, [created.body.id], async () => {
      const put = service.client.rest('PUT', `/product_tags/${created.body.id}`, { token, body });
      await untilWaiting(db);
      const ended = service.end('SIGTERM');
      await printed(service, /"msg":"stopping"/);
      return [put, ended] as const;
    });
    expect(await answer).toMatchObject({ status: 200, body });
    expect(await exited).toBe(0);
    expect(service.stdout).toMatch(/"msg":"stopped"/);
    expect(service.stderr).toBe('');
  });

  test('while PostgreSQL does not respond: exits', async () => {
    await using proxy = await startTcpProxy(database.env.DATABASE_URL as string);
    const service = await start({ DATABASE_URL: proxy.url });
    proxy.delay(60_000);
    const body = JSON.stringify({ query: '{ partner { name } }' });
    const socket = await beginRequest(service.url, body.length, `Authorization: Bearer ${tenant.token}\r\n`);
    const response = readText(socket);
    socket.write(body);
    expect(await service.end('SIGTERM'), service.stderr).toBe(0);
    expect(await response).toMatch(/^HTTP\/1\.1 503 /);
  });

  test('while a request is incomplete: exits', async () => {
    const service = await start();
    await beginRequest(service.url);
    expect(await service.end('SIGTERM'), service.stderr).toBe(0);
  });

  test('logs no errors, and no successful probes', async () => {
    const service = await start({ SHUTDOWN_DELAY: '1' });
    const states = new Set<number>();
    const probe = async () => {
      const response = await fetch(`${service.url}/readyz`).catch(() => undefined);
      if (response) states.add(response.status);
    };
    await probe();
    const ended = service.end('SIGTERM');
    while (service.running && !states.has(503)) await probe();
    expect(await ended).toBe(0);
    expect([...states]).toEqual([200, 503]);
    const lines = service.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.filter(({ level }) => level >= 50)).toEqual([]);
    const probes = lines.filter(({ req }) => req?.path === '/readyz');
    expect(new Set(probes.map(({ level, res }) => `${level} ${res.status}`))).toEqual(new Set(['40 503']));
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('a second signal, %s, exits at once with code %i', async (signal, code) => {
    const service = await start();
    await beginRequest(service.url);
    const exited = service.end('SIGTERM');
    // Signals close together count as one: npm forwards those that the terminal sends to all.
    process.kill(service.pid, signal);
    await printed(service, /"msg":"stopping"/);
    await setTimeout(1_000);
    expect(service.running).toBe(true);
    process.kill(service.pid, signal);
    expect(await exited).toBe(code);
  });
});

test.skipIf(lacks('script'))(
  'when its terminal closes, the service responds to the current request and exits',
  async () => {
    const port = String(await freePort());
    const { PATH } = process.env;
    const env = { PATH, SHELL: '/bin/sh', TERM: 'xterm', ...database.env, PORT: port, SHUTDOWN_DELAY: '1' };
    const command = `exec '${process.execPath}' dist/src/main.js`;
    const terminal = spawn('script', ['--quiet', '--command', command, '/dev/null'], {
      cwd: root,
      env,
      stdio: ['pipe', 'pipe', 'inherit', 'pipe'],
    });
    onTestFinished(() => void terminal.kill('SIGKILL'));
    // The service inherits this pipe, which closes when the last process with it exits.
    const inherited = terminal.stdio[3] as Readable;
    const exited = once(inherited.resume(), 'close');
    let screen = '';
    terminal.stdout?.on('data', (chunk) => {
      screen += chunk;
    });
    await expect.poll(() => screen, { timeout: 20_000 }).toContain('listening');
    const url = `http://127.0.0.1:${port}`;
    const body = JSON.stringify({ query: '{ partner { name } }' });
    const socket = await beginRequest(url, body.length, `Authorization: Bearer ${tenant.token}\r\n`);
    const response = readText(socket);
    terminal.kill('SIGKILL');
    // The log has then failed to write that the service stops.
    await setTimeout(500);
    socket.write(body);
    expect(await response).toMatch(/^HTTP\/1\.1 200 /);
    await exited;
  },
);

/** Sends the headers of a request; resolves once the service waits for its body. */
async function beginRequest(url: string, length = 100, headers = ''): Promise<Socket> {
  const socket = openSocket(url);
  onTestFinished(() => void socket.destroy());
  const head = 'POST /graphql HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json\r\n';
  socket.write(`${head}${headers}Expect: 100-continue\r\nContent-Length: ${length}\r\n\r\n`);
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toBe('HTTP/1.1 100 Continue\r\n\r\n');
  return socket;
}
