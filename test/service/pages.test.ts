import { readFile, rm, writeFile } from 'node:fs/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { startApp, use } from '../support/app.ts';
import { settingsOf } from '../support/page.ts';
import { exchangeRaw, getRaw } from '../support/raw-http.ts';

const app = use(await startApp({ CORS_ORIGINS: 'https://studio.apollographql.com' }));
const closed = use(await startApp({ INTROSPECTION: 'off', REFERENCE_ACCESS: 'partner' }));

const browser = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
const apollo = 'https://embeddable-sandbox.cdn.apollographql.com';
const pages = ['/', '/explorer', '/docs', '/graphql', '/guides', '/guides/errors'];

async function open(path: string, language = 'en', service = app) {
  const headers = { ...browser, Origin: 'https://studio.apollographql.com' };
  return service.client.fetch<string>('GET', path, { language, headers });
}

describe.each(pages)('%s', (path) => {
  test.each([
    ['', 'en-GB,en;q=0.9', 'en', 'ltr'],
    ['', 'ar-SA,ar;q=0.9,en;q=0.1', 'ar', 'rtl'],
    ['', 'fr', 'en', 'ltr'],
    ['?lang=en', 'ar', 'en', 'ltr'],
    ['?lang=ar', 'en', 'ar', 'rtl'],
  ])('"%s" to a browser that asks for %s is in %s', async (query, accepted, locale, dir) => {
    const { status, headers, body } = await open(path + query, accepted);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    // No page of another origin may read it.
    expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
    expect(headers.get('content-language')).toBe(locale);
    expect(headers.get('vary')).toMatch(/^Accept-Language\b/);
    expect(body).toContain(`<html lang="${locale}" dir="${dir}">`);
  });

  test('runs only scripts that are files of this service or, for Sandbox, of Apollo', async () => {
    const { headers, body } = await open(path);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none'; /);
    const scripts = /script-src ([^;]*)/.exec(policy)?.[1];
    expect(scripts).toBe(path === '/graphql' ? `'self' ${apollo}` : "'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy.includes("'unsafe-inline'")).toBe(path === '/explorer');
    // The policy would block inline styles and scripts.
    expect(body).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?! (type="(application\/json|module)"|src=))/);
  });

  test('answers HEAD as GET, without the body', async () => {
    const page = await open(path);
    const { status, headers, body } = await app.client.fetch('HEAD', path, { headers: browser });
    expect({ status, body }).toEqual({ status: 200, body: '' });
    for (const name of ['content-type', 'content-language', 'content-security-policy', 'cache-control', 'etag']) {
      expect(headers.get(name)).toBe(page.headers.get(name));
    }
  });

  test('loads files that are there, and do not change', async () => {
    const files = filesOf((await open(path)).body);
    expect(files.length).toBeGreaterThanOrEqual(2);
    for (const file of files) {
      const { status, headers } = await app.client.fetch('GET', file);
      expect({ file, status, cache: headers.get('cache-control') }).toEqual({
        file,
        status: 200,
        cache: 'public, max-age=31536000, immutable',
      });
      expect(headers.get('content-type')).toMatch(/^text\/(javascript|css)\b/);
      expect(headers.get('content-language')).toBeNull();
    }
  });
});

test.each([
  ...pages.map((path) => [path, 'private, no-cache']),
  ['/schema.graphql', 'public, no-cache'],
  ['/partner_portal/v1/openapi.json', 'public, no-cache'],
])('%s is %s, comes compressed, and is 304 by its ETag, as are the files that it loads', async (path, cacheControl) => {
  const ask = (target: string, more: Record<string, string>) => getRaw(app.url + target, { ...browser, ...more });
  const page = await ask(path, {});
  expect(page.headers).toMatchObject({ 'cache-control': cacheControl, etag: expect.any(String) });
  for (const target of [path, ...filesOf(page.body.toString())]) {
    const plain = await ask(target, { 'Accept-Encoding': 'identity' });
    const { etag = '' } = plain.headers;
    expect(plain.headers['content-encoding']).toBeUndefined();
    for (const [encoding, decompress] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const compressed = await ask(target, { 'Accept-Encoding': encoding });
      expect(compressed.headers.etag).toBe(etag);
      expect(compressed.headers['content-length']).toBe(String(compressed.body.length));
      expect(compressed.headers.vary).toMatch(/\bAccept-Encoding$/);
      // Compression saves nothing on short files.
      if (plain.body.length < 1_024) continue;
      expect(compressed.headers['content-encoding']).toBe(encoding);
      expect(decompress(compressed.body).equals(plain.body)).toBe(true);
      expect(compressed.body.length).toBeLessThan(plain.body.length * 0.9);
      const again = await ask(target, { 'Accept-Encoding': encoding, 'If-None-Match': etag });
      expect({ target, status: again.status, length: again.body.length }).toEqual({ target, status: 304, length: 0 });
      expect(again.headers['content-security-policy']).toBe(plain.headers['content-security-policy']);
      expect(again.headers.vary).toMatch(/\bAccept-Encoding$/);
    }
    expect((await ask(target, { 'If-None-Match': '"other"' })).status).toBe(200);
  }
});

test.each([
  ['POST', '/'],
  ['DELETE', '/explorer'],
  ['PUT', '/schema.graphql'],
])('%s %s is 405', async (method, path) => {
  const { status, headers } = await app.client.fetch(method, path);
  expect({ status, allow: headers.get('allow') }).toEqual({ status: 405, allow: 'GET, HEAD' });
});

test.each([
  '/assets/nothing.js',
  '/assets/0/page.css',
  '/assets/0/..%2fmade-of',
  '/assets/',
  '/explorer/x',
  '/guides/nothing',
  '/guides/errors.md',
  '/nothing',
])('%s is 404: JSON for clients, a page for browsers', async (path) => {
  const { status, headers, body } = await app.client.fetch('GET', path);
  expect({ status, body }).toEqual({ status: 404, body: expect.objectContaining({ code: 'not_found' }) });
  expect(headers.get('content-type')).toMatch(/^application\/problem\+json/);
  const page = await open(path, 'ar');
  expect(page.status).toBe(404);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(page.headers.get('cache-control')).toBe('private, no-store');
  expect(page.body).toContain('الصفحة غير موجودة');
  expect(page.body).toContain('href="/?lang=ar"');
});

test('unknown paths of REST are JSON, also to a browser', async () => {
  const { status, headers } = await open('/partner_portal/v1/nothing');
  expect(status).toBe(404);
  expect(headers.get('content-type')).toMatch(/^application\/problem\+json/);
});

test('a file that a newer build removed is 404', async () => {
  const file = new URL('../../dist/src/browser/gone.js', import.meta.url);
  await writeFile(file, 'x');
  await using service = await startApp().finally(() => rm(file));
  const [, version] = /"\/assets\/(\w+)\//.exec((await open('/')).body) ?? [];
  const { status, headers } = await service.client.fetch('GET', `/assets/${version}/gone.js`);
  expect({ status, cache: headers.get('cache-control') }).toEqual({ status: 404, cache: 'private, no-store' });
});

test('a file is sent whole, whatever its Range', async () => {
  const [, file = ''] = /src="(\/assets\/[^"]+)"/.exec((await open('/')).body) ?? [];
  const whole = await app.client.fetch<string>('GET', file);
  const { status, body } = await app.client.fetch<string>('GET', file, { headers: { Range: 'bytes=0-9' } });
  expect({ status, body }).toEqual({ status: 200, body: whole.body });
});

test.each([
  undefined,
  '*/*',
  'application/json',
  'application/json, text/html;q=0.9',
  'application/graphql-response+json',
])('GET /graphql for %s is a GraphQL request, not a page', async (accept) => {
  const headers = accept ? { Accept: accept } : {};
  const { body } = await app.client.fetch('GET', '/graphql?query={__typename}', { headers });
  expect(body).toEqual({ data: { __typename: 'Query' } });
});

test.each([
  ['one.example', 'http://one.example'],
  ['two.example', 'http://two.example'],
  ['one.example', 'http://one.example'],
  ['a"><script>alert(1)</script>', 'http://localhost'],
  ["a';reboot;'", 'http://localhost'],
  ['a$(reboot)', 'http://localhost'],
  ['a`reboot`', 'http://localhost'],
])('to the host %s, the overview shows requests to %s', async (host, shown) => {
  const page = await exchangeRaw(app.url, { method: 'GET', target: '/?as=curl', headers: [] }, host);
  expect(page?.status).toBe(200);
  expect(page?.body).toContain(shown);
  expect(page?.body).not.toMatch(/alert|reboot/);
});

test('every link of the overview leads somewhere', async () => {
  const { body } = await open('/');
  const links = [...body.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, link]) => link as string);
  expect(links).toEqual(
    expect.arrayContaining(['/graphql?lang=en', '/explorer?lang=en', '/docs?lang=en', '/?lang=ar']),
  );
  for (const link of new Set(links.map((each) => each.replaceAll('&amp;', '&')))) {
    if (link.startsWith('#')) expect(body).toContain(`id="${link.slice(1)}"`);
    else expect((await open(link)).status, link).toBe(200);
  }
});

test('/schema.graphql is the schema', async () => {
  const { headers, body } = await app.client.fetch('GET', '/schema.graphql');
  expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(body).toBe(await readFile(new URL('../../schema.graphql', import.meta.url), 'utf8'));
});

test('with INTROSPECTION=off the schema is not there, nor spoken of, nor asked for', async () => {
  expect((await open('/schema.graphql', 'en', closed)).status).toBe(404);
  expect((await open('/', 'en', closed)).body).not.toContain('/schema.graphql');
  const { body } = await open('/explorer', 'en', closed);
  expect(settingsOf(body).introspection).toBe(false);
  expect(body).toContain('Introspection is off');
  expect(settingsOf((await open('/explorer')).body).introspection).toBe(true);
});

test('with REFERENCE_ACCESS=partner the overview shows no reference data, and that a token is needed', async () => {
  const { status, body } = await open('/?task=countries&as=curl', 'en', closed);
  expect(status).toBe(200);
  expect(body).not.toContain('Saudi Arabia');
  expect(body).toContain('requires a token for reference data');
  expect(body).toContain('Authorization: Bearer $TOKEN');
  expect(body).toContain('name="token"');
  expect((await open('/?task=countries')).body).toContain('Saudi Arabia');
});

test('pages count as reads', async () => {
  for (const path of [...pages, '/schema.graphql']) {
    const { headers } = await open(path);
    expect(headers.get('ratelimit')).toMatch(/^"address-reads";r=\d+/);
  }
});

function filesOf(html: string): string[] {
  return [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+[a-z])"/g)].map(([, file]) => file as string);
}
