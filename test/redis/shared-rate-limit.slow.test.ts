import { subscribe } from 'node:diagnostics_channel';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { hashToken } from '../../src/kernel/token.ts';
import { lacks } from '../support/programs.ts';
import { type RedisServer, startRedis } from '../support/redis-server.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { createTenant } from '../support/tenant.ts';
import { startApp, type TestApp } from '../support/test-app.ts';

const replicas = 3;
const limit = 50;
const unavailable = 'Redis unavailable; falling back to per-process rate limits';
const back = 'Redis available; rate limits are shared';

describe.skipIf(lacks('redis-server'))('replicas that share a Redis', () => {
  const cleanup = new AsyncDisposableStack();
  let redis: RedisServer;
  let proxy: TcpProxy;
  let apps: TestApp[] = [];
  beforeAll(async () => {
    redis = cleanup.use(await startRedis());
    proxy = cleanup.use(await startTcpProxy(redis.url));
    apps = await start({ REDIS_URL: proxy.url, RATE_LIMIT_WINDOW: '600', RATE_LIMIT_TOKEN_WRITES: '7' });
  });
  afterAll(() => cleanup.disposeAsync());

  const start = (env: object) => {
    const limits = { RATE_LIMIT_ADDRESS_READS: String(limit), TRUST_PROXY: 'loopback' };
    const startOne = async () => cleanup.use(await startApp({ REDIS_URL: redis.url, ...limits, ...env }));
    return Promise.all(Array.from({ length: replicas }, startOne));
  };

  // Each test sends from its own address.
  let tests = 0;
  beforeEach(() => {
    tests += 1;
    forgetLog();
  });
  const from = () => ({ headers: { 'X-Forwarded-For': `192.0.2.${tests}` } });

  /** Sends `reads` to each replica in turn; returns the number of responses by status. */
  async function read(count: number, pause = 0, replicated = apps): Promise<Record<number, number>> {
    const responses = [];
    for (let request = 0; request < count; request += 1) {
      responses.push((replicated[request % replicas] as TestApp).client.rest('GET', '/services', from()));
      if (pause > 0) await setTimeout(pause);
    }
    const counts: Record<number, number> = {};
    for (const { status } of await Promise.all(responses)) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  }

  const said = (app: TestApp, message: string) => app.logLines.some(({ msg }) => msg === message);
  const allSay = (message: string) => apps.every((app) => said(app, message));
  const untilAllSay = (message: string) => expect.poll(() => allSay(message)).toBe(true);
  const forgetLog = () => {
    for (const app of apps) app.logLines.splice(0);
  };

  test('share the limit exactly, and report the remaining quota and the reset', async () => {
    for (let request = 1; request <= 2 * replicas; request += 1) {
      const { headers } = await (apps[request % replicas] as TestApp).client.rest('GET', '/services', from());
      expect(headers.get('ratelimit')).toMatch(new RegExp(`^"address-reads";r=${limit - request};t=(600|5\\d\\d)$`));
      expect(headers.get('ratelimit-policy')).toBe(`"address-reads";q=${limit};w=600`);
    }
    expect(await read(4 * limit)).toEqual({ 200: limit - 2 * replicas, 429: 3 * limit + 2 * replicas });
    for (const { client } of apps) {
      const { status, headers } = await client.rest('GET', '/services', from());
      expect(status).toBe(429);
      expect(headers.get('ratelimit')).toMatch(/^"address-reads";r=0;t=(600|5\d\d)$/);
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(500);
    }
  });

  test('reset the limit after the window, even if the clock is set back', async () => {
    const [app] = (await start({ RATE_LIMIT_ADDRESS_READS: '1', RATE_LIMIT_WINDOW: '2' })) as [TestApp];
    const readOne = async () => (await app.client.rest('GET', '/services', from())).status;
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    expect([await readOne(), await readOne()]).toEqual([200, 429]);
    vi.setSystemTime(Date.now() - 3_600_000);
    expect(await readOne()).toBe(429);
    await expect.poll(readOne, { timeout: 4_000 }).toBe(200);
  });

  test('count tokens and mutation fields on any replica', async () => {
    const [first, second] = apps as [TestApp, TestApp];
    const { token } = await createTenant(first.db);
    const field = (tag: number) => `t${tag}: createProductTag(input: { nameEn: "Spicy" }) { productTag { id } }`;
    const mutation = (count: number) =>
      `mutation { ${Array.from({ length: count }, (_, tag) => field(tag)).join(' ')} }`;
    const done = await first.client.graphql(mutation(3), {}, { token });
    expect(done.body.errors).toBeUndefined();
    // The other replica has a database of its own, which needs the token too.
    const twin = await createTenant(second.db);
    const own = second.db.updateTable('partnerTokens').where('tokenHash', '=', hashToken(twin.token));
    await own.set({ tokenHash: hashToken(token) }).execute();
    const other = await second.client.graphql(mutation(3), {}, { token });
    expect(other.headers.get('ratelimit')).toMatch(/"token-writes";r=1;t=\d+$/);
    const refused = await first.client.graphql(mutation(2), {}, { token });
    expect(refused.status).toBe(429);
  });

  test.each<[what: string, fault: () => unknown, repair: () => unknown]>([
    ['down', () => redis.kill(), () => redis.start()],
    ['frozen', () => redis.freeze(), () => redis.thaw()],
    ['slow', () => proxy.delay(500), () => proxy.delay(0)],
    ['full', () => configure('maxmemory', '1'), () => configure('maxmemory', '0')],
    ['a read-only replica', () => follow('127.0.0.1', '1'), () => follow('NO', 'ONE')],
    ['closed to scripts', () => permit('-@scripting'), () => permit('+@scripting')],
    ['closed to a command of the script', () => permit('-incrby'), () => permit('+incrby')],
  ])('use per-process limits while Redis is %s, and shared limits afterwards', async (_what, fault, repair) => {
    await fault();
    expect(await read(6 * limit)).toEqual({ 200: replicas * limit, 429: replicas * limit });
    await untilAllSay(unavailable);
    forgetLog();
    // Two further checks.
    await setTimeout(2_100);
    expect(apps.flatMap(({ logLines }) => logLines.map(({ msg }) => msg)).filter(isChange)).toEqual([]);
    await repair();
    await untilAllSay(back);
    expect(await read(4 * limit)).toMatchObject({ 429: expect.any(Number) });
  });
  const configure = (name: string, value: string) => redis.command('CONFIG', 'SET', name, value);
  const permit = (rule: string) => redis.command('ACL', 'SETUSER', 'default', rule);
  const isChange = (message: unknown) => message === unavailable || message === back;
  const follow = (host: string, port: string) => redis.command('REPLICAOF', host, port);

  test('do not mistake their own pause for a Redis outage', async () => {
    const reading = read(4 * limit);
    for (let halt = 0; halt < 5; halt += 1) {
      await setTimeout(1);
      const end = performance.now() + 300;
      while (performance.now() < end);
    }
    expect(await reading).toEqual({ 200: limit, 429: 3 * limit });
    expect(apps.some((app) => said(app, unavailable))).toBe(false);
  });

  test('never respond with 5xx while Redis is flushed, including its scripts', async () => {
    const reading = read(limit, 5);
    for (let flush = 0; flush < 20; flush += 1) {
      await redis.command('FLUSHALL');
      await redis.command('SCRIPT', 'FLUSH');
    }
    expect(await reading).toEqual({ 200: limit });
    expect(apps.some((app) => said(app, unavailable))).toBe(false);
  });

  test('do not run a request whose client disconnected during the Redis call', async () => {
    const [app] = apps as [TestApp];
    const { token } = await createTenant(app.db);
    app.statements.splice(0);
    forgetLog();
    redis.freeze();
    const create = (more = {}) =>
      app.client.rest('POST', '/product_tags', { token, body: { name_en: 'Spicy' }, ...more });
    const arrived = new Promise((resolve) => subscribe('http.server.request.start', resolve));
    const left = new AbortController();
    const sent = create({ signal: left.signal });
    await arrived;
    left.abort();
    await expect(sent).rejects.toThrow();
    await expect.poll(() => said(app, 'request')).toBe(true);
    await setTimeout(300);
    expect(app.statements).toEqual([]);
    expect((await create()).status).toBe(201);
  });

  // Last, because it stops the Redis of the other tests.
  test('start without Redis, and share limits once it is available', async () => {
    await redis.kill();
    const late = await start({});
    expect(late.every((app) => said(app, unavailable))).toBe(true);
    expect(await read(replicas, 0, late)).toEqual({ 200: replicas });
    await redis.start();
    await expect.poll(() => late.every((app) => said(app, back))).toBe(true);
    // Separate limits would allow three times as many.
    expect((await read(4 * limit, 0, late))[200]).toBeLessThan(2 * limit);
  });
});
