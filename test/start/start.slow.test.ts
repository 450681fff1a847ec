import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { symlink } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { describe, expect, test, vi } from 'vitest';
import { migrations } from '../../migrations/index.ts';
import { readDocument } from '../support/documents.ts';
import { freePort } from '../support/free-port.ts';
import { databaseUrl, execute, startPostgres } from '../support/postgres-server.ts';
import {
  type ProcessEnv,
  printed,
  runAdmin,
  type ServiceProcess,
  spawnService,
  startService,
} from '../support/process.ts';
import { copyTemplate, use, useFolder } from '../support/test-app.ts';

const database = use(await copyTemplate());
const folder = await useFolder();
const used = use(await startService(database.env));
const { port: usedPort } = new URL(used.url);

test('without migrations the start fails with the command to run, which works', async () => {
  await using copy = await copyTemplate({ empty: true });
  await using rejected = await spawnService(copy.env);
  expect(await rejected.exited).toBe(1);
  expect(rejected.stderr).toMatch(/Run: npm run -s admin -- migrate$/m);
  for (const name of Object.keys(migrations)) expect(rejected.stderr).toContain(name);
  expect(rejected.stderr).not.toMatch(/^\s+at /m);

  expect(await runAdmin(copy.env, 'migrate')).toMatchObject({ code: 0 });
  await using service = await startService(copy.env);
  expect((await service.client.rest('GET', '/countries')).body).toEqual({ countries: [] });
});

const withUrl = (change: object) => ({
  DATABASE_URL: Object.assign(new URL(database.env.DATABASE_URL as string), change).href,
});
const nobody = withUrl({ port: String(await freePort()) });
const inUse = (variable: string) =>
  new RegExp(`^The service cannot listen: .* EADDRINUSE.*:${usedPort}. Set ${variable} to a free port`);
const loopback = { HOST: '127.0.0.1' };

test.each<[what: string, env: ProcessEnv, says: RegExp]>([
  ['nothing listens at DATABASE_URL', nobody, /^\S/],
  ['no such database', withUrl({ pathname: '/no_such_database' }), /no_such_database/],
  ['a wrong password', withUrl({ password: 'wrong-hunter2' }), /password/],
  [
    'an address of another machine',
    { ...database.env, HOST: 'nowhere.invalid' },
    /^The service cannot listen: .* nowhere\.invalid\. Set .* HOST to an address of this machine\.\n$/,
  ],
  ['a port in use', { ...database.env, ...loopback, PORT: usedPort }, inUse('PORT')],
  ['a management port in use', { ...database.env, MANAGEMENT_PORT: usedPort }, inUse('MANAGEMENT_PORT')],
  [
    'several invalid variables',
    { PORT: 'http', LOG_LEVEL: 'loud', INTROSPECTION: 'maybe' },
    /PORT must be .*LOG_LEVEL must be .*INTROSPECTION must be /s,
  ],
  ['a data folder that cannot be made', { DATA_DIR: '/dev/null/data' }, /\/dev\/null\/data/],
])('a failed start reports the reason and exits with code 1: %s', async (_what, env, says) => {
  await using service = await spawnService({ LOG_LEVEL: 'info', ...env });
  const runs = [{ code: await service.exited, stderr: service.stderr, says }];
  if (env.DATABASE_URL !== database.env.DATABASE_URL && env.DATABASE_URL) {
    runs.push({ ...(await runAdmin(env, 'migrate')), says: /^\S/ });
  }
  // It waits for none of these but the first.
  expect(service.stdout.includes('waiting for the database')).toBe(env === nobody);
  const lines = service.stdout.trimEnd().split('\n');
  const logged = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg !== 'waiting for the database');
  // One line every 5 s, for 30 s.
  expect(lines.length - logged.length).toBeLessThan(10);
  expect(logged).toMatchObject([{ level: 60, msg: service.stderr.trimEnd() }]);
  for (const run of runs) {
    expect(run).toMatchObject({ code: 1, stderr: expect.stringMatching(run.says) });
    expect(run.stderr).not.toMatch(/^\s+at |node:internal|\{$|hunter2/m);
  }
});

test.each<ProcessEnv>([
  { LOG_FORMAT: 'pretty', PORT: 'http' },
  { LOG_LEVEL: 'silent', DATA_DIR: '/dev/null/data' },
])('a failed start writes no JSON with %j', async (env) => {
  await using service = await spawnService(env);
  expect(await service.exited).toBe(1);
  expect(service).toMatchObject({ stdout: '', stderr: expect.stringMatching(/^\S+/) });
});

describe('a start without a database', () => {
  const isServing = async (service: ServiceProcess) => (await service.client.fetch('GET', '/livez')).status === 200;
  const waiting = (reason: string) => new RegExp(`"reason":".*${reason}.*","msg":"waiting for the database"`);

  test('waits while the server shuts down and restarts', async ({ expect }) => {
    await using server = await startPostgres();
    const url = databaseUrl(server.url, 'postgres');
    await runAdmin({ DATABASE_URL: url }, 'migrate');
    const session = new pg.Client(url);
    session.on('error', () => {});
    await session.connect();
    // Waits for the session, and meanwhile rejects new ones (57P03).
    process.kill(server.pid, 'SIGTERM');
    await using service = await spawnService({ DATABASE_URL: url });
    await printed(service, waiting('is shutting down'));
    await session.end();
    await printed(service, waiting('ECONNREFUSED'));
    await server.start();
    await expect.poll(() => isServing(service).catch(() => false)).toBe(true);
    expect(service.stderr).toBe('');
  });

  test('waits while all connections are in use', async ({ expect }) => {
    const url = database.env.DATABASE_URL as string;
    const role = `role_${randomBytes(4).toString('hex')}`;
    await execute(url, `create role ${role} login password 'secret' connection limit 0`);
    await using service = await spawnService(withUrl({ username: role, password: 'secret' }));
    await printed(service, waiting('too many connections.*All connections are in use'));
    await execute(url, `alter role ${role} connection limit -1 superuser`);
    await expect.poll(() => isServing(service).catch(() => false)).toBe(true);
    await service.end('SIGTERM');
    await execute(url, `drop role ${role}`);
  });

  test.each(['SIGTERM', 'SIGINT'] as const)('stops waiting at %s with code 0', async (signal) => {
    await using service = await spawnService(nobody);
    await printed(service, waiting('ECONNREFUSED'));
    expect(await service.end(signal)).toBe(0);
    expect(service.stderr).toBe('');
  });
});

const hasIPv6 = Object.values(networkInterfaces())
  .flat()
  .some((each) => each?.address === '::1');
if (!hasIPv6) console.warn('skipped, as this machine has no IPv6: listening on it');

test.each<[what: string, env: ProcessEnv, hosts: string[]]>([
  ['every address by default', {}, ['127.0.0.1', ...(hasIPv6 ? ['[::1]'] : [])]],
  ['IPv4 alone', { HOST: '127.0.0.1' }, ['127.0.0.1']],
  ...(hasIPv6 ? [['IPv6 alone', { HOST: '::1' }, ['[::1]']] as [string, ProcessEnv, string[]]] : []),
])('listens on %s, where the health check of the image succeeds', async (_what, env, hosts) => {
  const managementPort = String(await freePort());
  const management = { MANAGEMENT_PORT: managementPort, MANAGEMENT_HOST: env.HOST ?? '::' };
  await using service = await spawnService({ ...database.env, ...env, ...management, LOG_LEVEL: 'info' });
  await printed(service, /"listening"/);
  const { port } = new URL(service.url);
  for (const host of ['127.0.0.1', '[::1]'])
    for (const each of [port, managementPort]) {
      const found = await fetch(`http://${host}:${each}/livez`).catch(() => undefined);
      expect([host, each, found?.status]).toEqual([host, each, hosts.includes(host) ? 200 : undefined]);
    }
  const [, command = ''] = /^HEALTHCHECK .*\n *CMD (\[.*\])$/m.exec(await readDocument('Dockerfile')) ?? [];
  const [, ...args] = JSON.parse(command);
  await promisify(execFile)(process.execPath, args, { env: { PORT: port } });
});

test.skipIf(process.env.TEST_DATABASE_URL)('DATABASE_URL can have a Unix socket, like cloud providers', async () => {
  const url = database.env.DATABASE_URL as string;
  const { rows } = await execute<{ folder: string }>(
    url,
    "select current_setting('unix_socket_directories') as folder",
  );
  const { username, password, pathname, port } = new URL(url);
  const host = join(folder, 'project:region:instance');
  await symlink(rows[0]?.folder as string, host);
  const socket = `postgres://${username}:${password}@${pathname}?host=${host.replace(' ', '%20')}&port=${port}`;
  expect(await runAdmin({ DATABASE_URL: socket }, 'migrate')).toMatchObject({ code: 0 });
});

test('SIGTERM to npm start stops the service and flushes its logs', async () => {
  const port = await freePort();
  const env = { ...process.env, ...database.env, PORT: String(port), SHUTDOWN_DELAY: '0', LOG_LEVEL: 'info' };
  const npm = spawn('npm', ['start'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  // Closes when the service, which holds the same pipe, has ended, too.
  const ended = once(npm.stdout.setEncoding('utf8'), 'end');
  npm.stdout.on('data', (text: string) => {
    output += text;
  });
  await vi.waitUntil(() => output.includes('"listening"'), { timeout: 100_000 });
  npm.kill('SIGTERM');
  await ended;
  expect(output).toMatch(/"stopping"[\s\S]+"stopped"/);
  await expect(fetch(`http://127.0.0.1:${port}/livez`)).rejects.toThrow('fetch failed');
});
