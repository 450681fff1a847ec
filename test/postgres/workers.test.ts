import { execFile } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { envToConfig } from '../../src/app/config.ts';
import type { Tables } from '../../src/domain/tables.ts';
import { connect } from '../../src/platform/database/connect.ts';
import { migrateToNothing } from '../../src/platform/database/migrate.ts';
import { createLog } from '../../src/platform/observability/log.ts';
import { copyTemplate } from '../support/app.ts';
import { freePort } from '../support/free-port.ts';
import { type ProcessEnv, printed, spawnService, startService } from '../support/process.ts';
import {
  answeringPids,
  isRunning,
  keptConnections,
  readAnew,
  said,
  startWorkers,
  workerCount,
} from '../support/workers.ts';

let database: Awaited<ReturnType<typeof copyTemplate>>;
beforeEach(async () => {
  database = await copyTemplate();
});
afterEach(() => database.drop());

describe('workers', () => {
  test('all answer on one port, which is told once, and end with code 0', async () => {
    await using service = await startWorkers(database.env);
    const pids = await answeringPids(service);
    expect(pids).not.toContain(service.pid);
    expect(await service.end('SIGTERM')).toBe(0);
    expect(said(service, 'listening')).toEqual([expect.objectContaining({ url: expect.any(String), workers: 2 })]);
    expect(service.stderr).toBe('');
    expect(pids.some(isRunning)).toBe(false);
  });

  test('share a port that was free with PORT=0', async () => {
    await using service = await spawnService({
      ...database.env,
      WORKERS: '2',
      PORT: '0',
      HOST: '127.0.0.1',
      LOG_LEVEL: 'info',
    });
    const [, url = ''] = await printed(service, /"url":"(http:[^"]+)","workers":2,"msg":"listening"/);
    expect(await answeringPids(Object.assign(service, { url }))).toHaveLength(workerCount);
  });

  test('see a change of reference data, each of them, before they look for one', async () => {
    await using service = await startWorkers(database.env);
    await answeringPids(service);
    const { db, close } = await connect<Tables>(envToConfig(database.env), createLog('silent'));
    await db.updateTable('services').set({ nameEn: 'Changed' }).where('id', '=', 1).execute();
    await setTimeout(1_000);
    await close();
    for (let read = 0; read < 2 * workerCount; read += 1) {
      expect((await readAnew(service)).body).toContain('"Changed"');
    }
  });

  test('write each log line whole into one pipe', async () => {
    const port = await freePort();
    const main = `"${process.execPath}" dist/src/main.js`;
    const env = {
      ...process.env,
      ...database.env,
      WORKERS: '2',
      PORT: String(port),
      SHUTDOWN_DELAY: '0',
      LOG_LEVEL: 'info',
      LOG_FORMAT: 'json',
    };
    // Node gives a child a socket; a shell gives it a pipe. Nobody reads that for a while: writers of a full one take turns.
    const shell = promisify(execFile)('sh', ['-c', `{ ${main} & echo $! >&2; wait $!; } | { sleep 2; cat; }`], {
      env,
      maxBuffer: 2 ** 28,
    });
    const [text] = (await once(shell.child.stderr as Readable, 'data')) as [string];
    const pid = Number.parseInt(text, 10);
    onTestFinished(() => void (isRunning(pid) && process.kill(pid, 'SIGKILL')));
    const service = { url: `http://127.0.0.1:${port}` };
    await expect
      .poll(() => readAnew(service, '/partner_portal/v1/timezones').catch(() => undefined), { timeout: 20_000 })
      .toBeDefined();
    using connections = keptConnections(service, 16);
    const path = (letter: string) => `/${letter.repeat(6_000)}`;
    const long = async () => {
      for (let read = 0; read < 100; read += 1) await readAnew(service, path('ab'[read % 2] as string));
    };
    await Promise.all([long(), long(), connections.read(3_000)]);
    // Read by now: what is left is written at the end by whoever has it.
    await setTimeout(4_000);
    process.kill(pid, 'SIGTERM');
    const { stdout } = await shell;
    const lines = stdout.trim().split('\n');
    for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
    expect(lines.filter((line) => line.includes('"route":"GET /partner_portal/v1/services"'))).toHaveLength(3_000);
    expect(lines.filter((line) => line.includes(path('b')))).toHaveLength(100);
  });
});

describe('a worker that ends', () => {
  test('is replaced, and no request fails meanwhile', async () => {
    await using service = await startWorkers(database.env);
    const [killed = 0, other = 0] = await answeringPids(service);
    process.kill(killed, 'SIGKILL');
    while (said(service, 'worker started').length === 0) expect((await readAnew(service)).status).toBe(200);
    expect(said(service, 'worker ended')).toMatchObject([{ pid: killed, signal: 'SIGKILL' }]);
    const pids = await answeringPids(service);
    expect(pids).toContain(other);
    expect(pids).not.toContain(killed);
  });

  test('again and again is waited for longer each time', async () => {
    await using service = await startWorkers(database.env);
    let [killed = 0] = await answeringPids(service);
    for (let times = 1; times <= 3; times += 1) {
      process.kill(killed, 'SIGKILL');
      await expect.poll(() => said(service, 'worker started').length, { timeout: 20_000 }).toBe(times);
      killed = said(service, 'worker started').at(-1)?.pid as number;
    }
    expect(said(service, 'worker ended').map(({ pause }) => pause)).toEqual([100, 200, 400]);
  });

  test('takes no connection with it that was on the way to it', async () => {
    await using service = await startWorkers(database.env);
    const [frozen = 0] = await answeringPids(service);
    process.kill(frozen, 'SIGSTOP');
    const answers = Promise.all(Array.from({ length: 4 }, () => readAnew(service)));
    await setTimeout(300);
    process.kill(frozen, 'SIGKILL');
    for (const { status } of await answers) expect(status).toBe(200);
  });

  test('on SIGTERM finishes first, and is replaced', async () => {
    await using service = await startWorkers(database.env);
    const [asked = 0] = await answeringPids(service);
    process.kill(asked, 'SIGTERM');
    while (said(service, 'worker started').length === 0) expect((await readAnew(service)).status).toBe(200);
    expect(said(service, 'worker ended')).toMatchObject([{ pid: asked, code: 0, signal: null }]);
  });
});

test('no worker is left when their primary is killed', async () => {
  await using service = await startWorkers(database.env);
  const pids = await answeringPids(service);
  expect(pids.every(isRunning)).toBe(true);
  // With log lines that nobody takes any more: an orderly exit would wait for that.
  using connections = keptConnections(service, 8);
  await connections.read(8);
  process.kill(service.pid, 'SIGSTOP');
  await connections.read(4_000);
  await service.end('SIGKILL');
  await expect.poll(() => pids.some(isRunning), { timeout: 10_000 }).toBe(false);
  expect(service.stderr).toBe('');
});

describe('what keeps a process from starting is told once, as by one process, with exit code 1', () => {
  async function expectSameRefusal(env: ProcessEnv): Promise<string> {
    const refusals = [];
    for (const WORKERS of ['1', '3']) {
      await using service = await spawnService({ ...env, WORKERS });
      expect(await service.exited).toBe(1);
      refusals.push(service.stderr);
    }
    expect(refusals[1]).toMatch(/^\S/);
    expect(refusals[1]).toBe(refusals[0]);
    return refusals[0] as string;
  }

  test('migrations are missing', async () => {
    const { db, close } = await connect<Tables>(envToConfig(database.env), createLog('silent'));
    await migrateToNothing(db);
    await close();
    expect(await expectSameRefusal(database.env)).toMatch(/Run: npm run -s admin -- migrate$/m);
  });

  test.each([
    ['the port is in use', 'PORT', /^Port \d+ of \S+ is in use\. Set PORT to another one\.\n$/],
    ['the management port is in use', 'MANAGEMENT_PORT', /^Port \d+ of \S+ is in use\. Set MANAGEMENT_PORT/],
  ])('%s', async (_what, variable, says) => {
    await using other = await startService(database.env);
    const { port } = new URL(other.url);
    expect(await expectSameRefusal({ ...database.env, HOST: '127.0.0.1', [variable]: port })).toMatch(says);
  });

  test.each([
    [
      'nothing is where the database should be',
      async () => ({ DATABASE_URL: `postgres://a@127.0.0.1:${await freePort()}/a` }),
    ],
    ['the machine has no such address', async () => ({ ...database.env, HOST: '192.0.2.1' })],
    ['there is no such host', async () => ({ ...database.env, HOST: 'nowhere.invalid' })],
  ])('%s', async (_what, env) => {
    await expectSameRefusal(await env());
  });
});
