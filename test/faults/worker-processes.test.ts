import { execFile } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { copyTemplate, openDatabase, use } from '../support/app.ts';
import { freePort } from '../support/free-port.ts';
import { startGateway } from '../support/gateway.ts';
import { figuresOf, isFailed, startLoad } from '../support/load.ts';
import { type Process, type ProcessEnv, printed, type ServiceProcess, spawnService } from '../support/process.ts';
import { exchangeRaw } from '../support/raw-http.ts';
import { TagLedger } from '../support/tag-ledger.ts';
import { createTenant } from '../support/tenant.ts';

const workers = 2;
const services = '/partner_portal/v1/services';

const database = use(await copyTemplate());

test.each([
  ['SIGTERM', 0],
  ['SIGKILL', null],
] as const)('workers print their free port once, and end with their primary: %s', async (signal, code) => {
  const service = await startWorkers({ PORT: '0', HOST: '127.0.0.1' });
  const pids = await listWorkers(service);
  expect(pids).not.toContain(service.pid);
  expect(await service.end(signal)).toBe(code);
  expect(linesOf(service, 'listening')).toHaveLength(1);
  expect(service.stderr).toBe('');
  await expect.poll(() => pids.some(isRunning)).toBe(false);
});

test('workers count limits each on its own', async () => {
  const service = await startWorkers({ RATE_LIMIT_ADDRESS_READS: '50' });
  const statuses = await readMany(service.url, 400);
  const served = statuses.filter((status) => status === 200).length;
  expect(served).toBeGreaterThan(50);
  expect(served).toBeLessThanOrEqual(50 * workers);
  expect(statuses).toContain(429);
});

test('workers write each log line whole into one pipe', async () => {
  const port = await freePort();
  const env = { ...process.env, ...database.env, WORKERS: '2', PORT: String(port), SHUTDOWN_DELAY: '0' };
  // A shell gives its child a pipe, where Node gives it a socket. It is full at first, so that its writers wait.
  const script = `{ "${process.execPath}" dist/src/main.js & echo $! >&2; wait $!; } | { sleep 3; cat; }`;
  const shell = promisify(execFile)('sh', ['-c', script], { env, maxBuffer: 2 ** 28 });
  const [text] = (await once(shell.child.stderr as Readable, 'data')) as [string];
  const pid = Number.parseInt(text, 10);
  onTestFinished(() => void (isRunning(pid) && process.kill(pid, 'SIGKILL')));
  const url = `http://127.0.0.1:${port}`;
  await expect.poll(() => readOnce(url)).toBe(200);
  const long = async (letter: string) => {
    for (let read = 0; read < 100; read += 1) await readOnce(url, `/${letter.repeat(6_000)}`);
  };
  await Promise.all([long('a'), long('b'), readMany(url, 1_000)]);
  process.kill(pid, 'SIGTERM');
  const lines = (await shell).stdout.trim().split('\n');
  for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
  expect(lines.filter((line) => line.includes('"path":"/bbbb'))).toHaveLength(100);
});

test('workers that end are replaced, after a longer pause each time, and no later request fails', async () => {
  const service = await startWorkers();
  const [other] = await listWorkers(service);
  const signals = ['SIGTERM', 'SIGKILL', 'SIGKILL'] as const;
  const ended: object[] = [];
  for (const [times, signal] of signals.entries()) {
    const pid = (await listWorkers(service)).find((each) => each !== other) as number;
    process.kill(pid, signal);
    await expect.poll(() => linesOf(service, 'worker ended').length).toBe(times + 1);
    while (linesOf(service, 'worker replaced').length === times) expect(await readOnce(service.url)).toBe(200);
    const end = signal === 'SIGTERM' ? { code: 0, signal: null } : { code: null, signal };
    ended.push({ pid, pause: 100 * 2 ** times, ...end });
  }
  expect(linesOf(service, 'worker ended')).toMatchObject(ended);
  expect(await listWorkers(service)).toContain(other);
});

test('the management port has the metrics and the health of all workers', async () => {
  const port = String(await freePort());
  const service = await startWorkers({ MANAGEMENT_PORT: port, SHUTDOWN_DELAY: '2' });
  const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
  const health = async () => [(await get('/livez')).status, (await get('/readyz')).status];
  const sample = async (name: string) => {
    const line = (await (await get('/metrics')).text()).split('\n').find((each) => each.startsWith(`${name} `));
    return line && Number(line.slice(name.length));
  };
  expect(linesOf(service, 'management listening')).toHaveLength(1);
  await expect.poll(health).toEqual([200, 200]);
  const [first = 0, second = 0] = await listWorkers(service);
  const logged = () => service.stdout.split(`"route":"GET ${services}"`).length - 1;
  const requests = `http_requests_total{surface="rest",route="${services}",method="GET",status="2xx"}`;
  await expect.poll(async () => (await sample(requests)) === logged()).toBe(true);

  for (const pid of [first, second]) process.kill(pid, 'SIGSTOP');
  await expect.poll(health).toEqual([503, 503]);
  process.kill(first, 'SIGCONT');
  await expect.poll(health).toEqual([200, 200]);
  expect((await get('/metrics')).status).toBe(200);
  process.kill(second, 'SIGKILL');
  await expect.poll(() => sample('partner_gateway_worker_restarts_total')).toBe(1);
  await expect.poll(() => linesOf(service, 'worker replaced').length).toBe(1);

  const ended = service.end('SIGTERM');
  await expect.poll(health).toEqual([200, 503]);
  expect(await readOnce(service.url)).toBe(200);
  expect(await ended).toBe(0);
});

test('a worker killed -9 under load: what it had in hand fails, nothing else, and no acknowledged write is lost', async () => {
  await using service = await startGateway({ ...database.env, WORKERS: '2', LOG_LEVEL: 'info' });
  const { db } = use(await openDatabase(database.env));
  const { client } = service;
  const [killed = 0] = await listWorkers(service);
  const ledger = new TagLedger(client, await createTenant(db, { products: 12 }));
  const reads = startLoad(16, () => client.rest('GET', '/countries'));
  const writes = startLoad(8, (worker) => ledger.write(worker));
  // One connection a request: each is handed over anew.
  const anew = startLoad(4, async () => ({ status: (await readOnce(service.url)) ?? 0, headers: new Headers() }));
  await setTimeout(1_000);
  process.kill(killed, 'SIGKILL');
  await expect.poll(() => linesOf(service, 'worker replaced').length).toBe(1);
  await setTimeout(1_000);
  const outcomes = [...(await reads.stop()), ...(await writes.stop()), ...(await anew.stop())];
  const failed = outcomes.filter(isFailed);

  console.log(`a worker killed -9: ${figuresOf(outcomes)}`);
  // One for each of the load's connections at most, and of those, what the worker had in hand.
  expect(failed.length).toBeLessThanOrEqual(16 + 8 + 4);
  // Node forgets a connection that was on its way to the worker: that client waits until its own time-out.
  expect(failed.every(({ status }) => status === 0)).toBe(true);
  expect(await ledger.findLost(db)).toEqual([]);
});

/** Starts the service in two workers, until the end of the test; resolves when all of them serve. */
async function startWorkers(env: ProcessEnv = {}): Promise<ServiceProcess> {
  const service = await spawnService({ ...database.env, WORKERS: String(workers), LOG_LEVEL: 'info', ...env });
  onTestFinished(() => service[Symbol.asyncDispose]());
  const [, url = ''] = await printed(service, /"url":"(http:[^"]+)","workers":2,"msg":"listening"/);
  return Object.assign(service, { url: url.replace('0.0.0.0', '127.0.0.1') });
}

/** The status of a read on a connection of its own, which the next worker gets. */
async function readOnce(url: string, target = services): Promise<number | undefined> {
  return (await exchangeRaw(url, { method: 'GET', target, headers: [] }))?.status;
}

/** The statuses of so many reads, on a few connections that stay open. */
async function readMany(url: string, count: number): Promise<number[]> {
  const statuses: number[] = [];
  const read = async () => {
    while (statuses.length < count) {
      const response = await fetch(url + services);
      await response.arrayBuffer();
      statuses.push(response.status);
    }
  };
  await Promise.all(Array.from({ length: 8 }, read));
  return statuses;
}

/** The log lines with this message, parsed. */
function linesOf({ stdout }: Process, message: string): Record<string, unknown>[] {
  const lines = stdout.split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === message);
}

/** The pids of the workers that serve now. */
async function listWorkers(service: ServiceProcess): Promise<number[]> {
  const since = service.stdout.length;
  const pids = new Set<number>();
  await expect
    .poll(async () => {
      await readOnce(service.url);
      for (const [, pid] of service.stdout.slice(since).matchAll(/"pid":(\d+),"requestId"/g)) pids.add(Number(pid));
      return pids.size;
    })
    .toBe(workers);
  return [...pids];
}

/** Whether a process runs. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
