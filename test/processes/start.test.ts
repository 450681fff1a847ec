import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { migrations } from '../../migrations/index.ts';
import { envToConfig } from '../../src/app/config.ts';
import { connect } from '../../src/platform/database/connect.ts';
import { migrateToNothing } from '../../src/platform/database/migrate.ts';
import { createLog } from '../../src/platform/observability/log.ts';
import { copyTemplate } from '../support/app.ts';
import { Client } from '../support/client.ts';
import { freePort } from '../support/free-port.ts';
import { printed, runAdmin, spawnService, startService } from '../support/process.ts';

let database: Awaited<ReturnType<typeof copyTemplate>>;
beforeEach(async () => {
  database = await copyTemplate();
});
afterEach(() => database[Symbol.asyncDispose]());

test('a stop finishes the requests in hand, and logs how many there were', async () => {
  await using service = await startService({ ...database.env, LOG_LEVEL: 'info' });
  const body = JSON.stringify({ query: '{ __typename }' });
  const headers = { 'Content-Type': 'application/json', 'Content-Length': body.length };
  const posted = request(`${service.url}/graphql`, { method: 'POST', headers });
  posted.write(body.slice(0, 5));
  // Later requests are answered once this one is in hand.
  for (let round = 0; round < 3; round += 1) await fetch(`${service.url}/livez`);
  const ended = service.end('SIGTERM');
  await printed(service, /"requestsOpen":1,"msg":"stopping"/);
  posted.end(body.slice(5));
  const [response] = await once(posted, 'response');
  expect(response.resume().statusCode).toBe(200);
  expect(await ended).toBe(0);
  expect(service.stdout).toMatch(/"requestsDrained":1,"msg":"stopped"/);
  expect(service.stderr).toBe('');
});

test('without its migrations it says what to run, and that command is right', async () => {
  const { db, close } = await connect(envToConfig(database.env), createLog('silent'));
  await migrateToNothing(db);
  await close();

  await using refused = await spawnService(database.env);
  expect(await refused.exited).toBe(1);
  expect(refused.stderr).toMatch(/Run: npm run -s admin -- migrate$/m);
  for (const name of Object.keys(migrations)) expect(refused.stderr).toContain(name);
  expect(refused.stderr).not.toMatch(/^\s+at /m);

  expect(await runAdmin(database.env, 'migrate')).toMatchObject({ code: 0 });
  await using service = await startService(database.env);
  expect((await new Client(service.url).rest('GET', '/countries')).body).toEqual({ countries: [] });
});

test.each([
  ['nothing listens there', async (url: URL) => Object.assign(url, { port: String(await freePort()) })],
  ['there is no such database', async (url: URL) => Object.assign(url, { pathname: '/no_such_database' })],
  ['the password is wrong', async (url: URL) => Object.assign(url, { password: 'wrong-hunter2' })],
])('a DATABASE_URL of which %s is a sentence without the password, and exit code 1', async (_name, change) => {
  const url = await change(new URL(database.env.DATABASE_URL as string));
  const service = await spawnService({ DATABASE_URL: url.href });
  const code = await service.exited;
  for (const run of [{ code, stderr: service.stderr }, await runAdmin({ DATABASE_URL: url.href }, 'migrate')]) {
    expect(run.code).toBe(1);
    expect(run.stderr).toMatch(/\S/);
    expect(run.stderr).not.toContain(url.password);
    expect(run.stderr).not.toMatch(/^\s+at |node:internal/m);
  }
});

test('SIGTERM to npm start stops the service, with its logs written', async () => {
  const port = await freePort();
  const env = { ...process.env, ...database.env, PORT: String(port), SHUTDOWN_DELAY: '0', LOG_LEVEL: 'info' };
  const npm = spawn('npm', ['start'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  // Ends once the service, which holds the same pipe, has ended too.
  const ended = once(npm.stdout.setEncoding('utf8'), 'end');
  npm.stdout.on('data', (text: string) => {
    output += text;
  });
  await vi.waitUntil(() => output.includes('"listening"'), { timeout: 300_000 });
  npm.kill('SIGTERM');
  await ended;
  expect(output).toMatch(/"stopping"[\s\S]+"stopped"/);
  await expect(fetch(`http://127.0.0.1:${port}/livez`)).rejects.toThrow('fetch failed');
});
