import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { MemoryLimiter } from '../../src/platform/rate-limit/rate-limit.ts';
import type { Answer } from '../support/client.ts';
import { copyTemplate, type Env, startApp, use } from '../support/test-app.ts';

const database = use(await copyTemplate());
const start = (env: Env = {}) => startApp({ ...database.env, ...env });

const partner = '{ partner { name } }';
const createTag = 'createProductTag(input: { nameEn: "Spicy" }) { productTag { id } }';

function expectLimited(answer: Answer<unknown>): void {
  expect(answer.status).toBe(429);
  const retryAfter = Number(answer.headers.get('retry-after'));
  expect(retryAfter).toBeGreaterThan(0);
  expect(retryAfter).toBeLessThanOrEqual(60);
  expect(answer.headers.get('ratelimit')).toMatch(/;r=0;t=\d+$/);
}

describe('the remaining quota', () => {
  test('is on every response of both APIs, by policy name', async () => {
    await using app = await start({
      RATE_LIMIT_ADDRESS_READS: '50',
      RATE_LIMIT_TOKEN_READS: '40',
      RATE_LIMIT_WINDOW: '30',
    });
    const { token } = await app.createTenant();
    const { client } = app;
    const anonymous = await client.rest('GET', '/countries');
    expect(anonymous.headers.get('ratelimit-policy')).toBe('"address-reads";q=50;w=30');
    expect(anonymous.headers.get('ratelimit')).toMatch(/^"address-reads";r=49;t=(30|29)$/);
    const own = await client.rest('GET', '/countries', { token });
    expect(own.headers.get('ratelimit-policy')).toBe('"address-reads";q=50;w=30, "token-reads";q=40;w=30');
    expect(own.headers.get('ratelimit')).toMatch(/^"address-reads";r=48;t=\d+, "token-reads";r=39;t=\d+$/);

    for (const [method, path] of [
      ['OPTIONS', '/graphql'],
      ['OPTIONS', '/partner_portal/v1/product_tags'],
      ['HEAD', '/partner_portal/v1/services'],
    ] as const) {
      const { headers } = await client.fetch(method, path, { token });
      expect(headers.get('ratelimit')).toMatch(/^"address-reads";r=\d+;t=\d+, "token-reads";r=\d+;t=\d+$/);
    }
    const { headers } = await client.rest('POST', '/product_tags', { token, body: '{' });
    expect(headers.get('ratelimit')).toMatch(/^"address-writes";r=\d+;t=\d+, "token-writes";r=\d+;t=\d+$/);
    // The contract has both headers on every REST response.
    for (const query of [partner, '{ broken']) {
      const { headers } = await client.graphql(query);
      expect(headers.get('ratelimit-policy')).toMatch(/^"address-reads";q=50;w=30/);
      expect(headers.get('ratelimit')).toMatch(/^"address-reads";r=\d+;t=\d+/);
    }
  });

  test('is absent with RATE_LIMIT=off, and nothing is limited', async () => {
    await using app = await start({ RATE_LIMIT: 'off', RATE_LIMIT_ADDRESS_READS: '1' });
    const { client } = app;
    await client.rest('GET', '/services');
    const { status, headers } = await client.rest('GET', '/services');
    expect({ status, limit: headers.get('ratelimit') }).toEqual({ status: 200, limit: null });
  });
});

test('Retry-After is at most the window, even if the clock is set back', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  await using app = await start({ RATE_LIMIT_ADDRESS_READS: '1' });
  await app.client.rest('GET', '/services');
  vi.setSystemTime(Date.now() - 3_600_000);
  const answer = await app.client.rest('GET', '/services');
  expectLimited(answer);
  const [, seconds] = /;t=(\d+)$/.exec(answer.headers.get('ratelimit') ?? '') ?? [];
  expect(Number(seconds)).toBeLessThanOrEqual(60);
});

test('a mutation without a valid token counts as one read', async () => {
  await using app = await start({ RATE_LIMIT_ADDRESS_READS: '50' });
  const fields = Array.from(
    { length: 49 },
    (_, index) => `f${index}: removeProductTagItems(id: 1, itemIds: $ids) { userErrors { code } }`,
  );
  const query = `mutation ($ids: [Int!]!) { ${fields.join(' ')} }`;
  const tokens = [undefined, 'pp_invented0000000000000000000000000000000000000'];
  for (const [index, token] of tokens.entries()) {
    for (const ids of [Array.from({ length: 30_000 }, () => 1), 'invalid']) {
      const { status, headers } = await app.client.graphql(query, { ids }, { token });
      expect([200, 401]).toContain(status);
      expect(headers.get('ratelimit')).not.toContain('writes');
    }
    const { headers } = await app.client.rest('GET', '/services');
    expect(headers.get('ratelimit')).toMatch(new RegExp(`^"address-reads";r=${50 - 3 * (index + 1)};`));
  }
});

test('a mutation with invalid variables or arguments counts as a write, too', async () => {
  await using app = await start();
  const { token } = await app.createTenant();
  const mutation = 'mutation ($id: Int!) { deleteProductTag(id: $id) { userErrors { code } } }';
  const { headers } = await app.client.graphql(mutation, { id: 'x' }, { token });
  expect(headers.get('ratelimit')).toContain('"token-writes"');
  expect(app.logLines.at(-1)).toMatchObject({ operation: 'mutation { deleteProductTag }', code: 'BAD_USER_INPUT' });
  const unconditional = 'mutation { deleteProductTag(id: 1, ifMatch: "x") { userErrors { code } } }';
  const rejected = await app.client.graphql(unconditional, {}, { token });
  expect(rejected.headers.get('ratelimit')).toContain('"token-writes"');
  // The default makes null valid for the variable, but not for the directive.
  const skipped = 'query ($skips: Boolean = true) { services @skip(if: $skips) { id } }';
  await app.client.graphql(skipped, { skips: null }, { token });
  expect(app.logLines.at(-1)).toMatchObject({ operation: 'query { services }', code: 'BAD_USER_INPUT' });
});

describe('a token', () => {
  test('over its read limit is rejected on both APIs before any SQL; others are not', async () => {
    await using app = await start({ RATE_LIMIT_TOKEN_READS: '2' });
    const [own, other] = [await app.createTenant(), await app.createTenant()];
    expect((await app.client.rest('GET', '/services', own)).status).toBe(200);
    expect((await app.client.graphql(partner, {}, own)).status).toBe(200);
    app.statements.splice(0);
    const rest = await app.client.rest('GET', '/services', own);
    expectLimited(rest);
    expect(rest.body).toMatchObject({ status: 429, code: 'rate_limited', title: 'Too Many Requests' });
    expect(rest.headers.get('content-type')).toMatch(/^application\/json\b/);
    const graphql = await app.client.graphql(partner, {}, { ...own, language: 'ar' });
    expectLimited(graphql);
    const message = expect.stringMatching(/تجاوزت الحد المسموح به من الطلبات.*\d+/);
    const extensions = { code: 'RATE_LIMITED', requestId: graphql.headers.get('x-request-id') };
    expect(graphql.body).toEqual({ errors: [{ message, extensions }] });
    expect(app.statements).toEqual([]);

    expect((await app.client.graphql(partner, {}, other)).status).toBe(200);
    expect((await app.client.rest('GET', '/services')).status).toBe(200);
  });

  test('has separate limits for reads and writes', async () => {
    await using app = await start({ RATE_LIMIT_TOKEN_READS: '2', RATE_LIMIT_TOKEN_WRITES: '1' });
    const { token } = await app.createTenant();
    const post = () => app.client.rest('POST', '/product_tags', { token, body: { name_en: 'Spicy' } });
    const get = () => app.client.rest('GET', '/services', { token });
    expect((await post()).status).toBe(201);
    expectLimited(await post());
    expect([(await get()).status, (await get()).status]).toEqual([200, 200]);
    expectLimited(await get());
  });

  test('counts one write per mutation field, and writes nothing over its limit', async () => {
    await using app = await start({ RATE_LIMIT_TOKEN_WRITES: '5' });
    const { token } = await app.createTenant();
    const tags = () => app.db.selectFrom('productTags').select('id').execute();
    const before = (await tags()).length;
    // A field in two fragments counts once.
    const document = `mutation { ...Tags ...Tags ... on Mutation { more: ${createTag} } }
      fragment Tags on Mutation { t1: ${createTag} t2: ${createTag} }`;
    const first = await app.client.graphql(document, {}, { token });
    expect(first.body.errors).toBeUndefined();
    expect(first.headers.get('ratelimit')).toMatch(/"token-writes";r=2;t=\d+$/);

    app.statements.splice(0);
    const second = await app.client.graphql(document, {}, { token });
    expectLimited(second);
    expect(second.body).toMatchObject({ errors: [{ extensions: { code: 'RATE_LIMITED' } }] });
    expect(second.body).not.toHaveProperty('data');
    expect(app.statements.filter((text) => !text.includes('partner_tokens'))).toEqual([]);
    expect(await tags()).toHaveLength(before + 3);
  });
});

test('a write counts once more per hundred items', async () => {
  await using app = await start({ RATE_LIMIT_ADDRESS_WRITES: '100', RATE_LIMIT_TOKEN_WRITES: '10' });
  const { token } = await app.createTenant();
  const create = (count: number) =>
    app.client.rest('POST', '/product_tags', { token, body: { name_en: 'Spicy', item_ids: Array(count).fill(1) } });
  const left = ({ headers }: Answer<unknown>) => headers.get('ratelimit');
  expect(left(await create(99))).toMatch(/^"address-writes";r=99;t=\d+, "token-writes";r=9;t=\d+$/);
  expect(left(await create(250))).toMatch(/^"address-writes";r=96;t=\d+, "token-writes";r=6;t=\d+$/);

  const document = `mutation ($ids: [Int!]!) {
    a: createProductTag(input: { nameEn: "Spicy", itemIds: $ids }) { userErrors { code } }
    b: createProductTag(input: { nameEn: "Spicy", itemIds: [1] }) { userErrors { code } } }`;
  const mutation = await app.client.graphql(document, { ids: Array(299).fill(1) }, { token });
  expect(left(mutation)).toMatch(/"token-writes";r=2;t=\d+$/);
  app.statements.splice(0);
  expectLimited(await create(300));
  expect(app.statements.filter((sql) => sql.includes('product_tag'))).toEqual([]);
});

describe('an address', () => {
  test('is limited even if every request has another invalid token', async () => {
    await using app = await start({ RATE_LIMIT_ADDRESS_READS: '2' });
    const madeUp = (letter: string) => ({ token: `pp_${letter.repeat(43)}` });
    expect((await app.client.rest('GET', '/services', madeUp('a'))).status).toBe(200);
    expect((await app.client.rest('GET', '/services', madeUp('b'))).status).toBe(200);
    expectLimited(await app.client.rest('GET', '/services', madeUp('c')));
    expectLimited(await app.client.rest('GET', '/nothing'));
    expect((await app.client.fetch('GET', '/livez')).status).toBe(200);
    expect((await app.client.fetch('GET', '/readyz')).status).toBe(200);
  });

  test('is not limited after its window', async () => {
    await using app = await start({ RATE_LIMIT_ADDRESS_READS: '1', RATE_LIMIT_WINDOW: '1' });
    await app.client.rest('GET', '/services');
    await expect.poll(async () => (await app.client.rest('GET', '/services')).status, { interval: 300 }).toBe(200);
  });

  const from = (forwarded: string) => ({ headers: { 'X-Forwarded-For': forwarded } });

  test.each(['', '10.0.0.0/8'])('is the address of the connection with TRUST_PROXY=%s', async (proxies) => {
    await using app = await start({ RATE_LIMIT_ADDRESS_READS: '1', TRUST_PROXY: proxies });
    await app.client.rest('GET', '/services', from('192.0.2.1'));
    expectLimited(await app.client.rest('GET', '/services', from('192.0.2.2')));
  });

  test('behind a trusted proxy is the forwarded address', async () => {
    await using app = await start({ RATE_LIMIT_ADDRESS_READS: '1', TRUST_PROXY: 'loopback, 10.0.0.0/8' });
    // Each row has its own addresses; the first two count as one.
    for (const [name, first, same, other] of [
      [
        'the last address that is not a trusted proxy',
        '192.0.2.9, 192.0.2.1',
        '192.0.2.8, 192.0.2.1',
        '192.0.2.1, 192.0.2.2',
      ],
      ['behind several trusted proxies', '192.0.3.1, 10.1.2.3', '192.0.3.1', '192.0.3.2, 10.1.2.3'],
      ['an IPv6 network of 64 bits', '2001:db8::1', '2001:db8::ffff:1', '2001:db8:0:1::1'],
      ['IPv4, also when written in IPv6', '192.0.4.1', '::ffff:192.0.4.1', '192.0.4.2'],
      ['an address with a port', '203.0.113.7:4711', '203.0.113.7', '203.0.113.8:4711'],
      ['an address in quotes', '"198.51.100.1"', '"198.51.100.1:80"', '"198.51.100.2"'],
      ['an address in brackets', '[2001:db8:1::1]:443', '"[2001:db8:1::2]"', '[2001:db8:2::1]:443'],
      ['IPv4 written in IPv6 with a port', '[::ffff:192.0.6.1]:1', '::ffff:192.0.6.1:2', '[::ffff:192.0.6.2]'],
      ['trusted proxies with ports', '192.0.7.1:1, 10.1.2.3:2', '192.0.7.1,"10.1.2.3:4"', '192.0.7.2, 10.1.2.3:2'],
      ['the proxy itself if the header is invalid', 'unknown', '<script>', '192.0.5.2'],
    ] as const) {
      expect((await app.client.rest('GET', '/services', from(first))).status, name).toBe(200);
      expectLimited(await app.client.rest('GET', '/services', from(same)));
      expect((await app.client.rest('GET', '/services', from(other))).status, name).toBe(200);
    }
  });
});

test('invalid tokens use bounded memory: the least recent are evicted first', async () => {
  const limiter = new MemoryLimiter({ keyPrefix: 'token-reads', points: 20, duration: 3_600 });
  await limiter.consume('away', 20);
  const sizes = new Set<number>();
  for (let round = 0; round < 15; round += 1) {
    await limiter.consume('present');
    for (let index = 0; index < 2_000; index += 1) await limiter.consume(`${round} ${index}`.padEnd(64, 'x'));
    sizes.add(limiter.dump().storage.length);
  }
  expect(Math.max(...sizes)).toBeLessThan(10_000);
  expect((await limiter.get('present'))?.consumedPoints).toBe(15);
  expect(await limiter.get('away')).toBeNull();
});

test('a proxy that is untrusted, or sends only Forwarded, is logged once', async () => {
  for (const [proxies, name, reports] of [
    ['', 'X-Forwarded-For', ['127.0.0.1']],
    ['10.0.0.0/8', 'Forwarded', ['127.0.0.1']],
    ['loopback', 'X-Forwarded-For', []],
    // An HTTP API of Amazon API Gateway sends this header alone.
    ['loopback', 'Forwarded', ['127.0.0.1']],
  ] as const) {
    await using app = await start({ TRUST_PROXY: proxies });
    await app.client.rest('GET', '/services');
    for (const address of ['192.0.2.1', '192.0.2.2']) {
      await app.client.rest('GET', '/services', { headers: { [name]: address } });
    }
    const found = app.logLines.filter(({ msg }) => String(msg).includes('TRUST_PROXY')).map(({ proxy }) => proxy);
    expect(found).toEqual(reports);
  }
});
