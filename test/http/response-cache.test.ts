import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Answer } from '../support/client.ts';
import { freePort } from '../support/free-port.ts';
import { listWaitingBackends, lockTable, untilWaiting } from '../support/locks.ts';
import { getRaw } from '../support/raw-http.ts';
import { createTenant } from '../support/tenant.ts';
import { startApp, use } from '../support/test-app.ts';

// The embedded service allows some origins by default.
const vary = /^Accept-Language, (Origin, )?(Accept, X-Query-Cost, )?Accept-Encoding$/;

const port = await freePort();
const app = use(await startApp({ MANAGEMENT_PORT: String(port) }));
const tenant = await createTenant(app.db);

const acceptRows = [
  ['application/json', 200, 'application/json', /^\{"data":/],
  ['application/graphql-response+json', 200, 'application/graphql-response+json', /^\{"data":/],
  ['text/html', 200, 'text/html', /^<!doctype html>/],
  ['image/png', 406, 'application/json', /"NOT_ACCEPTABLE"/],
] as const;

const raw = (path: string, headers?: Record<string, string>) => getRaw(app.url + path, headers);

// Headers that vary between identical requests.
const ownHeaders = ['x-request-id', 'date', 'ratelimit', 'connection', 'keep-alive'];

const toStableHeaders = (headers: Headers) =>
  Object.fromEntries([...headers].filter(([name]) => !ownHeaders.includes(name)));

type Read = (options: object) => Promise<Answer<unknown>>;
const graphql =
  (document: string): Read =>
  (options) =>
    app.client.graphql(document, {}, options);
const reads: [string, Read][] = [
  ...['/countries', '/cities?country_id=682', '/timezones', '/services', '/lookups?brand_types=1&week_days=1'].map(
    (path): [string, Read] => [`GET ${path}`, (options) => app.client.rest('GET', path, options)],
  ),
  ['POST /graphql', graphql('{ countries { name } lookups(key: WEEK_DAYS) { name } __typename }')],
  ['POST /graphql with a fragment', graphql('query { ...All } fragment All on Query { services { name } }')],
  ['GET /graphql', (options) => app.client.fetch('GET', '/graphql?query={countries{name}}', options)],
];

describe('a response with reference data', () => {
  test.each(reads)('is equal from the cache, including headers, in both languages: %s', async (_name, read) => {
    for (const language of ['en', 'ar', 'ar-SA', undefined]) {
      const options = { ...(language && { language }), token: tenant.token };
      const first = await read(options);
      const second = await read(options);
      const withoutToken = await read(language ? { language } : {});
      expect(first.status).toBe(200);
      expect(second.body).toEqual(first.body);
      expect(withoutToken.body).toEqual(first.body);
      expect(toStableHeaders(second.headers)).toEqual(toStableHeaders(first.headers));
      expect(second.headers.get('content-language')).toBe(language?.startsWith('ar') ? 'ar' : 'en');
      expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
      expect(second.headers.get('ratelimit')).not.toBe(first.headers.get('ratelimit'));
      expect(second.headers.get('vary')).toMatch(vary);
      const id = second.headers.get('x-request-id');
      await expect.poll(() => app.logLines).toContainEqual(expect.objectContaining({ requestId: id, msg: 'request' }));
    }
  });

  test.each([
    '/partner_portal/v1/countries?of=etags',
    '/partner_portal/v1/services?of=etags',
    '/graphql?query={countries{name}}',
    '/graphql?query={countries{id}services{name}}',
  ])('can be revalidated, and is 304 by the ETag of its language: GET %s', async (target) => {
    const english = await raw(`${target}&first`);
    const arabic = await raw(target, { 'Accept-Language': 'ar' });
    const etag = english.headers.etag as string;
    expect(english.headers).toMatchObject({ etag: expect.any(String), 'cache-control': 'public, no-cache' });
    expect(arabic.headers.etag).not.toBe(etag);
    // Also the first of its kind: nothing is cached under its key.
    for (const header of [etag, etag, `"other", ${etag}`, etag.replace('W/', ''), '*']) {
      const { status, headers, body } = await raw(target, { 'If-None-Match': header, 'Cache-Control': 'no-cache' });
      expect({ status, length: body.length }).toEqual({ status: 304, length: 0 });
      expect(headers).toMatchObject({ etag, vary: expect.stringMatching(vary) });
      expect(headers).not.toHaveProperty('content-length');
    }
    expect((await raw(target, { 'If-None-Match': arabic.headers.etag as string })).status).toBe(200);
  });

  test('to POST cannot be revalidated', async () => {
    for (const _time of [1, 2]) {
      const headers = { 'If-None-Match': '*' };
      expect(await app.client.graphql('{ services { name id } }', {}, { headers })).toMatchObject({ status: 200 });
    }
  });

  test('to GET /graphql varies by Accept', async () => {
    const target = '/graphql?query={services{code}}';
    // Twice, so that each follows each of the others.
    for (const [accept, status, type, body] of [...acceptRows, ...acceptRows.toReversed()]) {
      const answer = await raw(target, { Accept: accept });
      expect([answer.status, answer.headers['content-type']]).toEqual([status, `${type}; charset=utf-8`]);
      expect(answer.headers.vary).toBe(
        `Accept-Language, Accept, X-Query-Cost${status === 200 ? ', Accept-Encoding' : ''}`,
      );
      expect(answer.body.toString()).toMatch(body);
    }
  });

  test('is compressed for clients that accept it', async () => {
    const plain = (await raw('/partner_portal/v1/countries')).body;
    const codings: [string | undefined, (body: Buffer) => Buffer, headers: string[]][] = [
      ['gzip', gunzipSync, ['gzip', 'gzip, deflate', 'gzip;q=0.5, br;q=0', 'br;q=0.1, gzip;q=0.9']],
      ['br', brotliDecompressSync, ['br', 'gzip, deflate, br', '*', 'gzip;q=0.5, br;q=0.5', 'br;q=0.9, gzip;q=0.1']],
      [undefined, (body) => body, ['', 'identity', 'deflate', 'gzip;q=0', 'nonsense;;q=2', 'br;q=0.5, identity']],
    ];
    for (const [coding, decompress, accepted] of codings) {
      for (const header of accepted) {
        const { headers, body } = await raw('/partner_portal/v1/countries', { 'Accept-Encoding': header });
        expect([headers['content-encoding'], headers['content-length']]).toEqual([coding, String(body.length)]);
        expect(decompress(body).equals(plain)).toBe(true);
        if (coding !== undefined) expect(body.length).toBeLessThan(plain.length / 2);
      }
    }
  });

  test('that is sent once is not compressed, but can be revalidated', async () => {
    await using closed = await startApp({ REFERENCE_ACCESS: 'partner' });
    const { token } = await createTenant(closed.db);
    const headers = { Authorization: `Bearer ${token}`, 'Accept-Encoding': 'br' };
    const url = `${closed.url}/partner_portal/v1/countries`;
    const { headers: sent } = await getRaw(url, headers);
    expect(sent['content-encoding']).toBeUndefined();
    expect(sent['cache-control']).toBe('private, no-cache');
    expect((await getRaw(url, { ...headers, 'If-None-Match': String(sent.etag) })).status).toBe(304);
  });

  test('to HEAD has the headers of GET and no body', async () => {
    const read = (method: string) => app.client.rest(method, '/cities?country_id=682&head');
    for (const head of [await read('HEAD'), await read('HEAD')]) {
      expect(head).toMatchObject({ status: 200, body: '' });
      expect(toStableHeaders(head.headers)).toEqual(toStableHeaders((await read('GET')).headers));
    }
  });

  test('is stored once for equivalent URLs of a REST read', async () => {
    const before = await countMisses();
    for (const target of [
      '?country_id=784',
      '?n=1&country_id=784',
      '.json?country_id=0784&n=2',
      '/?country_id[]=784',
    ]) {
      const { body } = await raw(`/partner_portal/v1/cities${target}`);
      expect(JSON.parse(body.toString()).cities[0]).toMatchObject({ country_id: 784 });
    }
    // The services are cached already.
    for (const n of [1, 2, 3]) await app.client.rest('GET', `/services?n=${n}&country_id=${n}`);
    expect((await countMisses()) - before).toBe(1);
    const readKeys = async (query: string) =>
      (await app.client.rest('GET', `/lookups?${query}`)).body.lookups.flatMap(Object.keys);
    expect(await readKeys('week_days=1&n=1&services=1')).toEqual(['week_days', 'services']);
    expect(await readKeys('services=1&week_days=1')).toEqual(['services', 'week_days']);
  });

  test('may be an introspection', async () => {
    const before = await countMisses();
    for (const options of [{}, { token: tenant.token }, {}]) {
      const { body } = await app.client.graphql('{ __schema { types { name } } }', {}, options);
      expect(body.data?.__schema.types.length).toBeGreaterThan(30);
    }
    expect((await countMisses()) - before).toBe(1);
  });

  test('is valid until the data changes, with UTC offsets until the quarter hour ends', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const reads = [
      () => app.client.rest('GET', '/countries'),
      () => app.client.rest('GET', '/timezones'),
      () => app.client.graphql('{ timezones { name } }'),
      () => app.client.graphql('{ services { id } timezones { utcOffset } }'),
    ];
    const missed = [];
    for (const time of ['08:01', '08:02', '08:14', '08:15', '08:29', '09:30']) {
      vi.setSystemTime(`2026-01-15T${time}:00Z`);
      const before = await countMisses();
      for (const read of reads) expect((await read()).status).toBe(200);
      missed.push((await countMisses()) - before);
    }
    expect(missed.slice(1)).toEqual([0, 0, 2, 0, 2]);
  });

  test('is computed once for concurrent requests', async () => {
    const before = await countMisses();
    const read = () => app.client.graphql('{ cities { nameAr } brand: lookups(key: BRAND_TYPES) { key } }', {}, tenant);
    // All of them look for it in the cache, and then wait for their token.
    const { reading } = await lockTable(app.db, 'partner_tokens', async () => {
      const reading = Promise.all(Array.from({ length: 30 }, read));
      await expect.poll(() => listWaitingBackends(app.db)).not.toEqual([]);
      return { reading };
    });
    const answers = await reading;
    expect(answers[0]?.status).toBe(200);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect((await countMisses()) - before).toBe(1);
  });
});

test('a read during a change of the data is not stored', async () => {
  await using fresh = await startApp();
  const { token } = await fresh.createTenant();
  const read = async (options = {}) => (await fresh.client.graphql('{ services { id nameEn } }', {}, options)).body;
  const services = async () => (await fresh.client.rest('GET', '/services')).body.services[0].name_en;
  const before = await services();
  // The lookup of the token waits; the read itself has begun.
  const spanning = await lockTable(fresh.db, 'partner_tokens', async () => {
    const reading = read({ token });
    await untilWaiting(fresh.db);
    await fresh.db.updateTable('services').set({ nameEn: 'Renamed' }).where('nameEn', '=', before).execute();
    await expect.poll(services).toBe('Renamed');
    return { reading };
  });
  expect((await spanning.reading).data.services[0].nameEn).toBe(before);
  expect((await read()).data.services[0].nameEn).toBe('Renamed');
});

describe('the cache does not store', () => {
  const own = '{ services { name } partner { name } }';
  test.each(['{ partner { name } }', own, `{ services { name } ...Own } fragment Own on Query ${own}`])(
    "the caller's own: %s",
    async (document) => {
      const other = await createTenant(app.db);
      const target = `/graphql?query=${encodeURIComponent(document)}`;
      for (const { token, partnerName } of [tenant, other, tenant]) {
        for (const answer of [
          await app.client.graphql(document, {}, { token }),
          await app.client.fetch<object>('GET', target, { token }),
        ]) {
          expect(answer.body).toMatchObject({ data: { partner: { name: partnerName } } });
          expectNotCached(answer.headers);
        }
      }
      const { status, headers } = await app.client.graphql(document);
      expect(status).toBe(document === '{ partner { name } }' ? 401 : 200);
      expectNotCached(headers);
    },
  );

  test('responses with errors', async () => {
    for (const document of ['{ lookups(key: BRAND_TYPES, page: 0) { name } }', '{ countries { nothing } }']) {
      for (const _time of [1, 2]) {
        const { headers, body } = await app.client.graphql(document);
        expect(body.errors?.[0]?.extensions.requestId).toBe(headers.get('x-request-id'));
        expectNotCached(headers);
        const got = await app.client.fetch('GET', `/graphql?query=${encodeURIComponent(document)}`);
        expectNotCached(got.headers);
        const rest = await app.client.rest('GET', '/lookups?brand_types=x');
        expect(rest).toMatchObject({ status: 400, body: { request_id: rest.headers.get('x-request-id') } });
      }
    }
  });

  test('in other caches: responses to POST, and rejections of either API', async () => {
    const { headers } = await app.client.graphql('{ countries { id name } }');
    expect(headers.get('cache-control')).toBe('private, no-store');
    await using limited = await startApp({ RATE_LIMIT_ADDRESS_READS: '2' });
    for (const [status, below] of [
      [404, '/below'],
      [429, '/'],
    ] as const) {
      for (const path of ['/graphql', '/partner_portal/v1']) {
        const answer = await limited.client.fetch('GET', path + below);
        expect(answer.status).toBe(status);
        expectNotCached(answer.headers);
      }
    }
  });
});

test('documents that differ in a variable, an operation name or the accepted type are cached separately', async () => {
  const document = 'query A($id: Int) { cities(countryId: $id) { id } } query B { services { id } }';
  const json = 'application/json';
  const answers = [];
  for (const _time of [1, 2]) {
    for (const [id, operationName, Accept] of [
      [682, 'A', json],
      [400, 'A', json],
      [682, 'B', json],
      [682, 'A', 'application/graphql-response+json'],
    ] as const) {
      const { body, headers } = await app.client.fetch('POST', '/graphql', {
        headers: { 'Content-Type': json, Accept },
        body: JSON.stringify({ query: document, variables: { id }, operationName }),
      });
      answers.push(`${headers.get('content-type')} ${JSON.stringify(body)}`);
    }
  }
  expect(new Set(answers).size).toBe(4);
  expect(answers.slice(4)).toEqual(answers.slice(0, 4));
});

test('a content type that GraphQL rejects is rejected with a cached response too', async () => {
  const path = '/graphql?query={services{name}}';
  const toHttpStatus = async (headers: Record<string, string>) =>
    (await app.client.fetch('GET', path, { headers })).status;
  expect([await toHttpStatus({}), await toHttpStatus({ 'Content-Type': 'text/plain' })]).toEqual([200, 415]);
});

/** Public responses so far that did not come from the cache. */
async function countMisses(): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return Number(/^response_cache_requests_total{result="miss"} (\d+)$/m.exec(metrics)?.[1]);
}

function expectNotCached(headers: Headers): void {
  expect(headers.get('cache-control')).toBe('private, no-store');
  // Only cached responses are compressed.
  expect(headers.get('content-encoding')).toBeNull();
}
