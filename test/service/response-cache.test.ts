import { readFile } from 'node:fs/promises';
import { request as httpRequest, IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import { memoryBounds } from '../../src/kernel/memory-bounds.ts';
import { declarePublic, ResponseCache, respondJson } from '../../src/platform/http/response-cache.ts';
import { startApp, use } from '../support/app.ts';
import { createTenant } from '../support/tenant.ts';

// The embedded service lets pages of some origins in by default.
const vary = /^Accept-Language, (Origin, )?(Accept, )?Accept-Encoding$/;

const app = use(await startApp());
const tenant = await createTenant(app.db);

// Those that differ between two requests that are otherwise alike.
const ownHeaders = ['x-request-id', 'date', 'ratelimit', 'connection', 'keep-alive'];

const headersOf = (headers: Headers) => Object.fromEntries([...headers].filter(([name]) => !ownHeaders.includes(name)));

const reads = [
  ['GET /countries', (options: object) => app.client.rest('GET', '/countries', options)],
  ['GET /cities?country_id=682', (options: object) => app.client.rest('GET', '/cities?country_id=682', options)],
  ['GET /timezones', (options: object) => app.client.rest('GET', '/timezones', options)],
  ['GET /services', (options: object) => app.client.rest('GET', '/services', options)],
  ['GET /lookups', (options: object) => app.client.rest('GET', '/lookups?brand_types=1&week_days=1', options)],
  [
    'POST /graphql',
    (options: object) =>
      app.client.graphql('{ countries { name } lookups { weekDays { name } } __typename }', {}, options),
  ],
  [
    'GET /graphql',
    (options: object) =>
      app.client.fetch('GET', `/graphql?query=${encodeURIComponent('{ countries { name } }')}`, options),
  ],
  [
    'POST /graphql with a fragment',
    (options: object) =>
      app.client.graphql('query { ...All } fragment All on Query { services { name } }', {}, options),
  ],
] as const;

describe('an answer of reference data', () => {
  test.each(reads)('is the same from the cache, headers and all, in both languages: %s', async (_name, read) => {
    for (const language of ['en', 'ar', 'ar-SA', undefined]) {
      const options = { ...(language && { language }), token: tenant.token };
      const first = await read(options);
      const second = await read(options);
      const withoutToken = await read(language ? { language } : {});
      expect(first.status).toBe(200);
      expect(second.body).toEqual(first.body);
      expect(withoutToken.body).toEqual(first.body);
      expect(headersOf(second.headers)).toEqual(headersOf(first.headers));
      expect(second.headers.get('content-language')).toBe(language?.startsWith('ar') ? 'ar' : 'en');
      expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
      expect(second.headers.get('ratelimit')).not.toBe(first.headers.get('ratelimit'));
      expect(second.headers.get('vary')).toMatch(vary);
      const id = second.headers.get('x-request-id');
      await expect.poll(() => app.logLines).toContainEqual(expect.objectContaining({ requestId: id, msg: 'request' }));
    }
  });

  test.each(['/countries', '/services'])('has an ETag for each language, by which GET %s is 304', async (path) => {
    const english = await app.client.rest('GET', path);
    const arabic = await app.client.rest('GET', path, { language: 'ar' });
    const etag = english.headers.get('etag') as string;
    expect(etag).toBeTruthy();
    expect(arabic.headers.get('etag')).not.toBe(etag);
    const ask = (header: string) => raw(`/partner_portal/v1${path}`, { 'If-None-Match': header });
    for (const header of [etag, `"other", ${etag}`, etag.replace('W/', ''), '*']) {
      const { status, headers, body } = await ask(header);
      expect({ status, length: body.length }).toEqual({ status: 304, length: 0 });
      expect(headers).toMatchObject({ etag, vary: expect.stringMatching(vary) });
    }
    expect((await ask(arabic.headers.get('etag') as string)).status).toBe(200);
    const fetched = await app.client.rest('GET', path, {
      headers: { 'If-None-Match': etag, 'Cache-Control': 'no-cache' },
    });
    expect(fetched.status).toBe(304);
  });

  test('is 304 too when it is the first of its kind', async () => {
    const path = '/partner_portal/v1/cities?country_id=400';
    const { headers } = await raw(`${path}&first=1`);
    const again = await raw(`${path}&first=2`, { 'If-None-Match': headers.etag as string });
    expect(again.status).toBe(304);
  });

  test('comes compressed to who takes it', async () => {
    const plain = (await raw('/partner_portal/v1/countries')).body;
    for (const header of ['gzip', 'gzip, deflate', 'gzip;q=0.5, br;q=0']) {
      const { headers, body } = await raw('/partner_portal/v1/countries', { 'Accept-Encoding': header });
      expect(headers).toMatchObject({ 'content-encoding': 'gzip', 'content-length': String(body.length) });
      expect(gunzipSync(body).equals(plain)).toBe(true);
    }
    for (const header of ['br', 'gzip, deflate, br', '*']) {
      const { headers, body } = await raw('/partner_portal/v1/countries', { 'Accept-Encoding': header });
      expect(headers).toMatchObject({ 'content-encoding': 'br', 'content-length': String(body.length) });
      expect(brotliDecompressSync(body).equals(plain)).toBe(true);
      expect(body.length).toBeLessThan(plain.length / 2);
    }
    for (const header of ['', 'identity', 'deflate', 'gzip;q=0', 'nonsense;;q=2']) {
      const { headers, body } = await raw('/partner_portal/v1/countries', { 'Accept-Encoding': header });
      expect(headers['content-encoding']).toBeUndefined();
      expect(body.equals(plain)).toBe(true);
    }
  });

  test('of HEAD has the headers of GET and no body', async () => {
    for (let time = 0; time < 2; time += 1) {
      const head = await app.client.rest('HEAD', '/cities?country_id=682&head');
      const get = await app.client.rest('GET', '/cities?country_id=682&head');
      expect(head.body).toBe('');
      expect(head.status).toBe(200);
      for (const name of ['content-length', 'content-type', 'etag', 'cache-control', 'content-language']) {
        expect(head.headers.get(name), name).toBe(get.headers.get(name));
      }
    }
  });

  test('may be kept by others on condition that they ask before each use', async () => {
    const { headers } = await app.client.rest('GET', '/countries');
    expect(headers.get('cache-control')).toBe('public, no-cache');
  });

  test('tells an offset that is of this minute', async () => {
    const offsetOf = async () => {
      const { body } = await app.client.rest('GET', '/timezones');
      return body.timezones.find(({ name }: { name: string }) => name === 'America/New_York').utc_offset;
    };
    try {
      // Daylight saving ends there on 1 November 2026 at 06:00 UTC.
      vi.setSystemTime(Date.UTC(2026, 10, 1, 5, 59, 59));
      expect(await offsetOf()).toBe('-04:00');
      vi.setSystemTime(Date.UTC(2026, 10, 1, 6, 0, 1));
      expect(await offsetOf()).toBe('-05:00');
    } finally {
      vi.useRealTimers();
    }
  });

  test('is made once, however many ask at once', async () => {
    await using fresh = await startApp();
    fresh.statements.splice(0);
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        fresh.client.graphql('{ cities { name } brand: lookups { brandTypes { name } } }'),
      ),
    );
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(new Set(fresh.statements).size).toBe(fresh.statements.length);
  });
});

describe('not kept is', () => {
  test.each([
    ['what has errors', '{ lookups { brandTypes(page: 0) { name } } }'],
    ["the caller's own", '{ viewer { partner { name } } }'],
    ["the caller's own beside reference data", '{ services { name } viewer { partner { name } } }'],
    [
      "the caller's own in a fragment",
      '{ services { name } ...Own } fragment Own on Query { viewer { partner { name } } }',
    ],
  ])('%s', async (_name, document) => {
    const other = await createTenant(app.db);
    const answers = [];
    for (const token of [tenant.token, other.token, tenant.token, undefined]) {
      const { headers, body } = await app.client.graphql(document, {}, { token });
      expect(headers.get('cache-control')).toBe('private, no-store');
      expect(headers.get('content-encoding')).toBeNull();
      answers.push(
        JSON.stringify(body).replace(
          /"requestId":"[^"]+"/,
          `"requestId":"${headers.get('x-request-id') === JSON.parse(JSON.stringify(body)).errors?.[0].extensions.requestId}"`,
        ),
      );
    }
    if (document.includes('viewer')) {
      expect(answers[0]).toContain(tenant.partnerName);
      expect(answers[1]).toContain(other.partnerName);
      expect(answers[2]).toBe(answers[0]);
      expect(answers[3]).toContain('UNAUTHENTICATED');
    } else {
      expect(new Set(answers).size).toBe(1);
      expect(answers[0]).toContain('"requestId":"true"');
    }
  });

  test('a failure, which is no reason not to keep what comes after it', async () => {
    await using fresh = await startApp();
    await sql`alter table services rename to elsewhere`.execute(fresh.db);
    expect((await fresh.client.rest('GET', '/services')).status).toBe(500);
    await sql`alter table elsewhere rename to services`.execute(fresh.db);
    expect((await fresh.client.rest('GET', '/services')).status).toBe(200);
    const { headers } = await fresh.client.rest('GET', '/services');
    expect(headers.get('vary')).toMatch(vary);
  });

  test('a REST answer that is an error', async () => {
    const first = await app.client.rest('GET', '/lookups?brand_types=x');
    const second = await app.client.rest('GET', '/lookups?brand_types=x');
    for (const { status, headers, body } of [first, second]) {
      expect({ status, id: body.request_id }).toEqual({ status: 400, id: headers.get('x-request-id') });
    }
  });

  test('anything while reference data needs a token', async () => {
    await using closed = await startApp({ REFERENCE_ACCESS: 'partner' });
    const { token } = await createTenant(closed.db);
    expect((await closed.client.rest('GET', '/services', { token })).status).toBe(200);
    expect((await closed.client.rest('GET', '/services')).status).toBe(401);
    const document = '{ services { name } }';
    expect((await closed.client.graphql(document, {}, { token })).status).toBe(200);
    expect((await closed.client.graphql(document)).status).toBe(401);
  });
});

test('documents that differ in a variable, an operation name or the media type asked for are answered apart', async () => {
  const document = 'query A($id: Int) { cities(countryId: $id) { id } } query B { services { id } }';
  const ask = (variables: object, operationName: string, accept: string) =>
    app.client.fetch<{ data: unknown }>('POST', '/graphql', {
      headers: { 'Content-Type': 'application/json', Accept: accept },
      body: JSON.stringify({ query: document, variables, operationName }),
    });
  const json = 'application/json';
  const answers = [];
  for (let time = 0; time < 2; time += 1) {
    for (const [id, name, accept] of [
      [682, 'A', json],
      [400, 'A', json],
      [682, 'B', json],
      [682, 'A', 'application/graphql-response+json'],
    ] as const) {
      const { body, headers } = await ask({ id }, name, accept);
      answers.push(`${headers.get('content-type')} ${JSON.stringify(body)}`);
    }
  }
  expect(new Set(answers).size).toBe(4);
  expect(answers.slice(4)).toEqual(answers.slice(0, 4));
});

/** As it comes over the wire; fetch would decompress it, and ask conditionally for no kept answer. */
function raw(path: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number | undefined; headers: NodeJS.Dict<string | string[]>; body: Buffer }>(
    (resolve, reject) => {
      httpRequest(app.url + path, { headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) }),
        );
      })
        .on('error', reject)
        .end();
    },
  );
}

test('the size of the cache includes what its entries take beside their bytes', async () => {
  const cache = new ResponseCache(() => 0);
  const before = memoryInUse();
  for (let id = 0; id < 5_000; id += 1) {
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    cache.serve(`${id}`, response, () => {
      declarePublic(response, true);
      respondJson(response, { id });
    });
  }
  await setTimeout(100);
  expect(cache.statistics).toMatchObject({ responses: 5_000 });
  expect(cache.statistics.bytes).toBeGreaterThan(memoryInUse() - before);
});

test('SECURITY.md has all bounds', async () => {
  const { unsentResponses, bodies, waitingRequests, ...caches } = memoryBounds;
  const MiB = 1_024 * 1_024;
  const sum = Math.ceil(Object.values(caches).reduce((total, bound) => total + bound, 0) / MiB);
  const text = await readFile(new URL('../../SECURITY.md', import.meta.url), 'utf8');
  expect(text.replaceAll('\n', ' ')).toContain(
    `they are ${sum} MiB for caches, ${unsentResponses / MiB} MiB for unread responses, ` +
      `${bodies / MiB} MiB for large bodies that are being read, and ${waitingRequests / MiB} MiB for requests that wait`,
  );
});

function memoryInUse(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
