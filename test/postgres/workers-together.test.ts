import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { copyTemplate } from '../support/app.ts';
import { freePort } from '../support/free-port.ts';
import {
  answeringPids,
  keptConnections,
  logLines,
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

describe('limits', () => {
  const limit = 50;

  test('let exactly the limit through, over all workers, and tell what is left', async () => {
    await using service = await startWorkers({ ...database.env, RATE_LIMIT_ADDRESS_READS: String(limit) });
    const leftAfterRead = async () => {
      const { headers } = await readAnew(service);
      return Number(/^"address-reads";r=(\d+);t=\d+$/.exec(headers.get('ratelimit') ?? '')?.[1]);
    };
    const left = await leftAfterRead();
    for (let read = 1; read <= 4; read += 1) expect(await leftAfterRead()).toBe(left - read);
    using connections = keptConnections(service, 16);
    const statuses = await connections.read(4 * limit);
    expect(statuses.filter((status) => status === 200)).toHaveLength(left - 4);
    expect(statuses.filter((status) => status === 429)).toHaveLength(4 * limit - left + 4);
    expect((await readAnew(service)).headers.get('ratelimit')).toMatch(/^"address-reads";r=0;/);
  });

  test('let exactly the limit through where requests are counted in advance', async () => {
    const many = 3_000;
    await using service = await startWorkers({ ...database.env, RATE_LIMIT_ADDRESS_READS: String(many) });
    using connections = keptConnections(service, 16);
    const statuses = await connections.read(many + 1_000);
    await expect.poll(() => service.stdout.split('"msg":"request"').length - 1).toBeGreaterThan(many + 1_000);
    const let200 = logLines(service).filter(
      ({ msg, res }) => msg === 'request' && (res as { status: number }).status === 200,
    );
    expect(let200).toHaveLength(many);
    expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
  });

  test('stay used up when a worker is replaced', async () => {
    await using service = await startWorkers({ ...database.env, RATE_LIMIT_ADDRESS_READS: '5' });
    for (let request = 1; request <= 7; request += 1) await readAnew(service);
    await expect.poll(() => new Set(logLines(service).flatMap(({ pid }) => (pid ? [pid] : []))).size).toBe(2);
    const [killed] = logLines(service).flatMap(({ pid }) => (pid ? [pid as number] : []));
    process.kill(killed as number, 'SIGKILL');
    await expect.poll(() => said(service, 'worker started').length, { timeout: 20_000 }).toBe(1);
    for (let read = 0; read < 2 * workerCount; read += 1) expect((await readAnew(service)).status).toBe(429);
  });

  test('go on in each worker while their primary is frozen, and together when it is not', async () => {
    await using service = await startWorkers({ ...database.env, RATE_LIMIT_ADDRESS_READS: String(limit) });
    using connections = keptConnections(service, 8);
    expect(new Set(await connections.read(8))).toEqual(new Set([200]));
    process.kill(service.pid, 'SIGSTOP');
    const statuses = await connections.read(8 * limit);
    expect(statuses.filter((status) => status === 200)).toHaveLength(workerCount * limit);
    expect(statuses.filter((status) => status === 429)).toHaveLength((8 - workerCount) * limit);
    process.kill(service.pid, 'SIGCONT');
    await expect
      .poll(() => said(service, 'the primary answers: limits are shared').length, { timeout: 10_000 })
      .toBe(workerCount);
    expect(said(service, 'the primary does not answer: limits are counted by this worker alone')).toHaveLength(2);
  });
});

describe('the management port', () => {
  async function start() {
    const port = String(await freePort());
    const service = await startWorkers({ ...database.env, MANAGEMENT_PORT: port });
    const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
    const statusOf = async (path: string) => (await ask(path)).status;
    const sample = async (name: string) => {
      const line = (await (await ask('/metrics')).text()).split('\n').find((each) => each.startsWith(`${name} `));
      return line === undefined ? undefined : Number(line.slice(name.length));
    };
    return Object.assign(service, { statusOf, sample });
  }
  const requests = 'http_requests_total{surface="rest",route="/partner_portal/v1/services",method="GET",status="2xx"}';

  test('is told once and has the sum of all workers, which does not fall when one ends', async () => {
    await using service = await start();
    expect(said(service, 'management listening')).toHaveLength(1);
    const [killed = 0] = await answeringPids(service);
    const logged = () => service.stdout.split('"route":"GET /partner_portal/v1/services"').length - 1;
    await expect.poll(async () => (await service.sample(requests)) === logged()).toBe(true);
    const sent = logged();
    expect(await service.sample('partner_gateway_workers')).toBe(workerCount);
    expect(await service.sample('database_listener_connected')).toBe(1);
    expect(await service.sample('partner_gateway_worker_restarts_total')).toBe(0);
    process.kill(killed, 'SIGKILL');
    await expect.poll(() => said(service, 'worker started').length, { timeout: 20_000 }).toBe(1);
    expect(await service.sample(requests)).toBe(sent);
    expect(await service.sample('partner_gateway_worker_restarts_total')).toBe(1);
    await readAnew(service);
    await expect.poll(() => service.sample(requests)).toBe(sent + 1);
  });

  test('says yes while one worker does, and no when none does', async () => {
    await using service = await start();
    const [first = 0, second = 0] = await answeringPids(service);
    process.kill(first, 'SIGSTOP');
    expect(await service.statusOf('/readyz')).toBe(200);
    expect(await service.statusOf('/livez')).toBe(200);
    expect(await service.sample('partner_gateway_workers')).toBe(1);
    process.kill(second, 'SIGSTOP');
    expect(await service.statusOf('/readyz')).toBe(503);
    expect(await service.statusOf('/livez')).toBe(503);
    expect(await service.sample('partner_gateway_workers')).toBe(0);
    for (const pid of [first, second]) process.kill(pid, 'SIGCONT');
    expect(await service.statusOf('/readyz')).toBe(200);
  });

  test('says that it is not ready while the workers drain', async () => {
    const port = String(await freePort());
    await using service = await startWorkers({ ...database.env, MANAGEMENT_PORT: port, SHUTDOWN_DELAY: '2' });
    const ended = service.end('SIGTERM');
    const statusOf = async (url: string) => (await fetch(url)).status;
    await expect.poll(() => statusOf(`http://127.0.0.1:${port}/readyz`)).toBe(503);
    await expect.poll(() => statusOf(`${service.url}/readyz`)).toBe(503);
    expect(await statusOf(`${service.url}/partner_portal/v1/services`)).toBe(200);
    expect(await statusOf(`http://127.0.0.1:${port}/livez`)).toBe(200);
    expect(await ended).toBe(0);
  });
});
