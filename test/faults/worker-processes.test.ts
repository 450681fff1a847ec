import { execFile } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { copyTemplate } from '../support/app.ts';
import { freePort } from '../support/free-port.ts';
import { startGateway } from '../support/gateway.ts';
import { figuresOf, startLoad } from '../support/load.ts';
import { type ProcessEnv, printed, spawnService, startService } from '../support/process.ts';
import { exchangeRaw } from '../support/raw-http.ts';
import { TagLedger } from '../support/tag-ledger.ts';
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
afterEach(() => database[Symbol.asyncDispose]());

describe('workers', () => {
  test.each([
    ['a given port', {}],
    ['a free port', { PORT: '0', HOST: '127.0.0.1' }],
  ])('serve on %s, print it once, and end with code 0', async (_what, env) => {
    await using service = await spawnService({ ...database.env, WORKERS: '2', LOG_LEVEL: 'info', ...env });
    const [, url = ''] = await printed(service, /"url":"(http:[^"]+)","workers":2,"msg":"listening"/);
    const pids = await answeringPids(Object.assign(service, { url: url.replace('0.0.0.0', '127.0.0.1') }));
    expect(pids).not.toContain(service.pid);
    expect(await service.end('SIGTERM')).toBe(0);
    expect(said(service, 'listening')).toHaveLength(1);
    expect(service.stderr).toBe('');
    expect(pids.some(isRunning)).toBe(false);
  });

  test('write each log line whole into one pipe', async () => {
    const port = await freePort();
    const env = { ...process.env, ...database.env, WORKERS: '2', PORT: String(port), LOG_FORMAT: 'json' };
    // A shell gives its child a pipe, where Node gives it a socket. It is full at first, so that its writers wait.
    const main = `"${process.execPath}" dist/src/main.js`;
    const shell = promisify(execFile)('sh', ['-c', `{ ${main} & echo $! >&2; wait $!; } | { sleep 3; cat; }`], {
      env: { ...env, SHUTDOWN_DELAY: '0', LOG_LEVEL: 'info' },
      maxBuffer: 2 ** 28,
    });
    const [text] = (await once(shell.child.stderr as Readable, 'data')) as [string];
    const pid = Number.parseInt(text, 10);
    onTestFinished(() => void (isRunning(pid) && process.kill(pid, 'SIGKILL')));
    const service = { url: `http://127.0.0.1:${port}` };
    await expect.poll(() => readAnew(service).catch(() => undefined)).toBeDefined();
    using connections = keptConnections(service, 16);
    const long = async () => {
      for (let read = 0; read < 100; read += 1) await readAnew(service, `/${'ab'[read % 2]?.repeat(6_000)}`);
    };
    await Promise.all([long(), long(), connections.read(1_000)]);
    process.kill(pid, 'SIGTERM');
    const lines = (await shell).stdout.trim().split('\n');
    for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
    expect(lines.filter((line) => line.includes('"path":"/bbbb'))).toHaveLength(100);
  });

  test('count limits each on its own', async () => {
    await using service = await startWorkers({ ...database.env, RATE_LIMIT_ADDRESS_READS: '50' });
    using connections = keptConnections(service, 8);
    const statuses = await connections.read(400);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(50);
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(50 * workerCount);
    expect(statuses).toContain(429);
  });

  test('end with a primary that is killed', async () => {
    await using service = await startWorkers(database.env);
    const pids = await answeringPids(service);
    await service.end('SIGKILL');
    await expect.poll(() => pids.some(isRunning)).toBe(false);
  });
});

describe('a worker that ends', () => {
  test.each([
    ['SIGKILL', { code: null, signal: 'SIGKILL' }],
    ['SIGTERM', { code: 0, signal: null }],
  ])('on %s is replaced, and no later request fails', async (signal, end) => {
    await using service = await startWorkers(database.env);
    const [ended = 0, other = 0] = await answeringPids(service);
    process.kill(ended, signal);
    await expect.poll(() => said(service, 'worker ended')).toMatchObject([{ pid: ended, ...end }]);
    while (said(service, 'worker replaced').length === 0) expect((await readAnew(service)).status).toBe(200);
    const pids = await answeringPids(service);
    expect(pids).toContain(other);
    expect(pids).not.toContain(ended);
  });

  test('again and again is replaced after a longer pause each time', async () => {
    await using service = await startWorkers(database.env);
    const [other] = await answeringPids(service);
    for (let times = 1; times <= 3; times += 1) {
      const ended = (await answeringPids(service)).find((pid) => pid !== other) as number;
      process.kill(ended, 'SIGKILL');
      await expect.poll(() => said(service, 'worker replaced').length).toBe(times);
    }
    expect(said(service, 'worker ended').map(({ pause }) => pause)).toEqual([100, 200, 400]);
  });
});

describe('the management port', () => {
  test('has the metrics and the health of all workers', async () => {
    const port = String(await freePort());
    await using service = await startWorkers({ ...database.env, MANAGEMENT_PORT: port, SHUTDOWN_DELAY: '2' });
    const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
    const health = async () => [(await get('/livez')).status, (await get('/readyz')).status];
    const sample = async (name: string) => {
      const line = (await (await get('/metrics')).text()).split('\n').find((each) => each.startsWith(`${name} `));
      return line && Number(line.slice(name.length));
    };
    expect(said(service, 'management listening')).toHaveLength(1);
    await expect.poll(health).toEqual([200, 200]);
    const [first = 0, second = 0] = await answeringPids(service);
    const logged = () => service.stdout.split('"route":"GET /partner_portal/v1/services"').length - 1;
    const requests =
      'http_requests_total{surface="rest",route="/partner_portal/v1/services",method="GET",status="2xx"}';
    await expect.poll(async () => (await sample(requests)) === logged()).toBe(true);

    for (const pid of [first, second]) process.kill(pid, 'SIGSTOP');
    await expect.poll(health).toEqual([503, 503]);
    process.kill(first, 'SIGCONT');
    await expect.poll(health).toEqual([200, 200]);
    process.kill(second, 'SIGKILL');
    await expect.poll(() => sample('partner_gateway_worker_restarts_total')).toBe(1);
    await expect.poll(() => said(service, 'worker replaced').length).toBe(1);

    const ended = service.end('SIGTERM');
    await expect.poll(health).toEqual([200, 503]);
    expect((await readAnew(service)).status).toBe(200);
    expect(await ended).toBe(0);
  });
});

describe('a service that cannot start says why in a sentence, and ends with code 1', () => {
  const cases: [what: string, env: () => Promise<ProcessEnv>, says: RegExp][] = [
    [
      'no database server',
      async () => ({ DATABASE_URL: `postgres://a@127.0.0.1:${await freePort()}/a` }),
      /^\S.*\nA worker did not start \(exit code 1\)\.\n$/,
    ],
    [
      'a host that does not exist',
      async () => ({ ...database.env, HOST: 'nowhere.invalid' }),
      /^This machine does not have the address nowhere\.invalid\. Set HOST to one of its addresses\.\nA worker did not start/,
    ],
  ];
  test.each(cases)('%s', async (_what, env, says) => {
    await using service = await spawnService({ ...(await env()), WORKERS: '3' });
    expect(await service.exited).toBe(1);
    expect(service.stderr).toMatch(says);
  });

  test.each(['PORT', 'MANAGEMENT_PORT'])('%s in use', async (variable) => {
    await using other = await startService(database.env);
    const { port } = new URL(other.url);
    await using service = await spawnService({ ...database.env, WORKERS: '3', HOST: '127.0.0.1', [variable]: port });
    expect(await service.exited).toBe(1);
    expect(service.stderr).toMatch(`Port ${port} of 127.0.0.1 is in use. Set ${variable} to a free port.\n`);
  });
});

test('a worker killed -9 under load: what it had in hand fails, nothing else, and no acknowledged write is lost', async () => {
  await using gateway = await startGateway({ WORKERS: '2', LOG_LEVEL: 'info' });
  const { client, db, service, tenant } = gateway;
  const [killed = 0] = await answeringPids(service);
  const ledger = new TagLedger(client, tenant);
  const reads = startLoad(16, () => client.rest('GET', '/countries'));
  const writes = startLoad(8, (worker) => ledger.write(worker));
  // One connection a request: each is handed over anew.
  const anew = startLoad(4, async () => {
    const answer = await exchangeRaw(service.url, {
      method: 'GET',
      target: '/partner_portal/v1/services',
      headers: [],
    });
    return { status: answer?.status ?? 0, headers: new Headers() };
  });
  await setTimeout(1_000);
  process.kill(killed, 'SIGKILL');
  await expect.poll(() => said(service, 'worker replaced').length).toBe(1);
  await setTimeout(1_000);
  const outcomes = [...(await reads.stop()), ...(await writes.stop()), ...(await anew.stop())];
  const failed = outcomes.filter(({ status }) => status < 200 || status > 299);

  console.log(`a worker killed -9: ${figuresOf(outcomes)}`);
  // One for each of the load's connections at most, and of those, what the worker had in hand.
  expect(failed.length).toBeLessThanOrEqual(16 + 8 + 4);
  // Node forgets a connection that was on its way to the worker: that client waits until its own time-out.
  expect(failed.every(({ status }) => status === 0)).toBe(true);
  expect(await ledger.findLost(db)).toEqual([]);
});
