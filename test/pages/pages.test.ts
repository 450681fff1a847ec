import { readFile } from 'node:fs/promises';
import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { exchangeRaw, getRaw } from '../support/raw-http.ts';
import { startApp, use } from '../support/test-app.ts';
import { parseSettings } from './page-parts.ts';

const app = use(await startApp({ CORS_ORIGINS: 'https://studio.apollographql.com' }));
const proxied = use(await startApp({ TRUST_PROXY: 'loopback' }));
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
    // Pages of other origins must not read it.
    expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
    expect(headers.get('content-language')).toBe(locale);
    expect(headers.get('vary')).toMatch(/^Accept-Language\b/);
    expect(headers.get('ratelimit')).toMatch(/^"address-reads";r=\d+/);
    expect(body).toContain(`<html lang="${locale}" dir="${dir}">`);
    expect(body).toContain(`href="${path}?lang=${locale === 'en' ? 'ar' : 'en'}"`);
    for (const to of ['/', '/graphql', '/explorer', '/docs', '/guides'])
      expect(body).toContain(`href="${to}?lang=${locale}"`);
    // The choices of the overview, too, keep the language.
    expect(body).not.toMatch(/href="\/\?(?![^"]*\blang=)/);
  });

  test('runs only scripts of the service or, in Sandbox, of Apollo', async () => {
    const { headers, body } = await open(path);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none'; /);
    expect(policy).toContain(`script-src 'self'${path === '/graphql' ? ` ${apollo}` : ''};`);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy.includes("'unsafe-inline'")).toBe(path === '/explorer');
    // The policy would block inline styles and scripts.
    expect(body).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?! (type="(application\/json|module)"|src=))/);
  });
});

test.each([
  ...pages.map((path) => [path, 'private, no-cache']),
  ['/schema.graphql', 'public, no-cache'],
  ['/partner_portal/v1/openapi.json', 'public, no-cache'],
])('%s is %s, compressed, and 304 by its ETag, like the files that it loads', async (path, cacheControl) => {
  const ask = (target: string, more = {}) => getRaw(app.url + target, { ...browser, ...more });
  const files = listFiles((await ask(path)).body.toString());
  expect(files.length).toBeGreaterThanOrEqual(pages.includes(path) ? 2 : 0);
  for (const target of [path, ...files]) {
    const isFile = target !== path;
    const { status, headers, body } = await ask(target);
    expect({ target, status, cacheControl: headers['cache-control'], language: headers['content-language'] }).toEqual({
      target,
      status: 200,
      cacheControl: isFile ? 'public, max-age=31536000, immutable' : cacheControl,
      language: isFile ? undefined : 'en',
    });
    if (isFile) expect(headers['content-type']).toMatch(/^text\/(javascript|css)\b/);
    const compressed = await ask(target, { 'Accept-Encoding': 'br' });
    expect(compressed.headers).toMatchObject({ etag: headers.etag, vary: expect.stringMatching(/\bAccept-Encoding$/) });
    // Compression saves nothing on short files.
    if (body.length >= 1_024) {
      expect(compressed.headers['content-encoding']).toBe('br');
      expect(brotliDecompressSync(compressed.body).equals(body)).toBe(true);
    }
    const again = await ask(target, { 'If-None-Match': headers.etag });
    expect({ target, status: again.status, length: again.body.length }).toEqual({ target, status: 304, length: 0 });
    expect(again.headers['content-security-policy']).toBe(headers['content-security-policy']);
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
  '/assets/VERSION/nothing.js',
  '/assets/VERSION/..%2fmade-of',
  '/assets/VERSION/',
  '/explorer/x',
  '/guides/nothing',
  '/guides/errors.txt',
  '/nothing',
])('%s is 404: JSON for clients, a page for browsers', async (name) => {
  const [, version = ''] = /"\/assets\/(\w+)\//.exec((await open('/')).body) ?? [];
  const path = name.replace('VERSION', version);
  const { status, headers, body } = await app.client.fetch('GET', path);
  expect({ status, body }).toEqual({ status: 404, body: expect.objectContaining({ code: 'not_found' }) });
  expect(headers.get('content-type')).toMatch(/^application\/json/);
  const page = await open(path, 'ar');
  expect(page.status).toBe(404);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(page.headers.get('cache-control')).toBe('private, no-store');
  expect(page.body).toContain('الصفحة غير موجودة');
  expect(page.body).toContain('href="/?lang=ar"');
  // Unknown paths of REST are JSON to browsers, too.
  const rest = await open(`/partner_portal/v1${path}`);
  expect(rest.headers.get('content-type')).toMatch(/^application\/json/);
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
  ['/?as=curl', 'one.example', 'http://one.example/'],
  ['/?as=curl', 'two.example', 'http://two.example/'],
  ['/?as=curl', 'one.example', 'http://one.example/'],
  ['/?as=curl', 'a"><script>alert(1)</script>', 'http://localhost/'],
  ['/?as=curl', "a';reboot;'$(reboot)`reboot`", 'http://localhost/'],
  ['/guides/quickstart', 'one.example', 'http://one.example/graphql'],
  ['/guides/quickstart', 'a"><script>alert(1)</script>', 'http://localhost/graphql'],
])('commands of %s at the host %s use %s', async (target, host, shown) => {
  const request = { method: 'GET', target, headers: [['X-Forwarded-Proto', 'https'] as const] };
  const page = await exchangeRaw(app.url, request, host);
  expect(page?.status).toBe(200);
  expect(page?.body).toContain(shown);
  expect(page?.body).not.toMatch(/alert\(|reboot|127\.0\.0\.1/);
  // The scheme is that of a trusted proxy.
  const behindProxy = await exchangeRaw(proxied.url, request, host);
  expect(behindProxy?.body).toContain(shown.replace('http:', 'https:'));
});

test('guides are also Markdown, by their path or by Accept; /llms.txt lists them, the schema and OpenAPI', async () => {
  const read = (path: string, accept = '*/*', service = app) =>
    service.client.fetch<string>('GET', path, { headers: { Accept: accept } });
  const { status, headers, body } = await read('/guides/quickstart.md');
  expect({ status, type: headers.get('content-type') }).toEqual({ status: 200, type: 'text/markdown; charset=utf-8' });
  expect(body).toMatch(/^# Start/);
  expect(body).toContain(`URL=${app.url}\nAUTH="Authorization: Bearer pp_YOUR_TOKEN"`);
  expect(body).not.toMatch(/demo-token|\]\(\.\./);
  const negotiated = await read('/guides/quickstart', 'text/markdown');
  expect(negotiated.body).toBe(body);
  for (const accept of ['text/markdown;variant=GFM', 'text/markdown; charset=utf-8, text/html;q=0.9'])
    expect((await read('/guides/quickstart', accept)).body).toBe(body);
  expect(negotiated.headers.get('vary')).toMatch(/\bAccept\b/);
  expect((await open('/guides/quickstart')).headers.get('vary')).toMatch(/\bAccept(,|$)/);
  const index = (await read('/llms.txt')).body;
  const links = [...index.matchAll(/\]\((\S+)\)/g)].map(([, link = '']) => link.replace(app.url, ''));
  expect(links).toEqual(
    expect.arrayContaining([
      '/guides/schema.md',
      '/guides/schema-types.md',
      '/schema.graphql',
      '/partner_portal/v1/openapi.json',
    ]),
  );
  for (const link of links) expect((await read(link)).status, link).toBe(200);
  for (const path of ['/llms.txt', '/guides/search.json']) {
    expect(JSON.stringify((await read(path)).body), path).toMatch(/schema\.graphql|guides\/schema[-\w]*#/);
    expect(JSON.stringify((await read(path, '*/*', closed)).body), path).not.toMatch(
      /schema\.graphql\)|guides\/schema[-\w]*#/,
    );
  }
});

test('/schema.graphql is the schema', async () => {
  const { headers, body } = await app.client.fetch('GET', '/schema.graphql');
  expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(body).toBe(await readFile(new URL('../../schema.graphql', import.meta.url), 'utf8'));
});

test('with INTROSPECTION=off the schema is not served, linked or requested', async () => {
  expect((await open('/schema.graphql', 'en', closed)).status).toBe(404);
  expect((await open('/', 'en', closed)).body).not.toContain('/schema.graphql');
  const { body } = await open('/explorer', 'en', closed);
  expect(parseSettings(body).introspection).toBe(false);
  expect(body).toContain('Introspection is off');
  expect(parseSettings((await open('/explorer')).body).introspection).toBe(true);
});

test('with REFERENCE_ACCESS=partner the overview shows no reference data and requires a token', async () => {
  const { status, body } = await open('/?example=countries&as=curl', 'en', closed);
  expect(status).toBe(200);
  expect(body).not.toContain('Saudi Arabia');
  expect(body).toContain('requires a token for reference data');
  expect(body).toContain('Authorization: Bearer pp_YOUR_TOKEN');
  expect(body).toContain('name="token"');
  expect((await open('/?example=countries')).body).toContain('Saudi Arabia');
});

function listFiles(html: string): string[] {
  return [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+[a-z])"/g)].map(([, file]) => file as string);
}
