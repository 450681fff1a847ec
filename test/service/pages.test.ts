import { readFile, rm, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { sharedApp, startApp, use } from '../support/app.ts';
import { settingsOf } from '../support/page.ts';
import { exchangeRaw } from '../support/raw-http.ts';

const app = await sharedApp();
const closed = use(await startApp({ INTROSPECTION: 'off', REFERENCE_ACCESS: 'partner' }));

const browser = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
const apollo = 'https://embeddable-sandbox.cdn.apollographql.com';
const pages = ['/', '/explorer', '/docs', '/graphql', '/guides', '/guides/errors'];

async function open(path: string, language = 'en', service = app) {
  return service.client.fetch<string>('GET', path, { language, headers: browser });
}

describe.each(pages)('%s', (path) => {
  test.each([
    ['en-GB,en;q=0.9', 'en', 'ltr'],
    ['ar-SA,ar;q=0.9,en;q=0.1', 'ar', 'rtl'],
    ['fr', 'en', 'ltr'],
  ])('to a browser that asks for %s is in %s', async (accepted, locale, dir) => {
    const { status, headers, body } = await open(path, accepted);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('content-language')).toBe(locale);
    expect(headers.get('vary')).toMatch(/^Accept-Language\b/);
    expect(body).toContain(`<html lang="${locale}" dir="${dir}">`);
  });

  test.each(['en', 'ar'])('is in %s where its address says so', async (lang) => {
    const { headers, body } = await open(`${path}?lang=${lang}`, lang === 'en' ? 'ar' : 'en');
    expect(headers.get('content-language')).toBe(lang);
    expect(body).toContain(`<html lang="${lang}"`);
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

  test('has an ETag for 304, and no shared cache may store it', async () => {
    const ask = (...conditions: [string, string][]) =>
      exchangeRaw(app.url, { method: 'GET', target: path, headers: [...Object.entries(browser), ...conditions] });
    const page = await ask();
    expect(page?.headers.get('cache-control')).toBe('private, no-cache');
    const again = await ask(['If-None-Match', page?.headers.get('etag') as string]);
    expect(again?.status).toBe(304);
    expect(again?.headers.get('content-security-policy')).toMatch(/^default-src 'none'; /);
    expect((await ask(['If-None-Match', '"other"']))?.status).toBe(200);
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
    const { body } = await open(path);
    const files = [...body.matchAll(/(?:src|href)="(\/assets\/[^"]+[a-z])"/g)].map(([, file]) => file as string);
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

  test.each(['br', 'gzip'])('comes compressed with %s, and so does what it loads', async (encoding) => {
    const ask = async (target: string, accepted: string) => {
      const answer = await fetch(app.url + target, { headers: { ...browser, 'Accept-Encoding': accepted } });
      return { headers: answer.headers, body: await answer.text() };
    };
    const { body } = await ask(path, 'identity');
    const files = [...body.matchAll(/(?:src|href)="(\/assets\/[^"]+\.(?:css|js))"/g)].map(([, file]) => file as string);
    for (const target of [path, ...files]) {
      const plain = await ask(target, 'identity');
      // Compression saves nothing on short files.
      if (plain.body.length < 1_024) continue;
      const compressed = await ask(target, encoding);
      expect({ target, encoding: plain.headers.get('content-encoding') }).toEqual({ target, encoding: null });
      expect({ target, encoding: compressed.headers.get('content-encoding') }).toEqual({ target, encoding });
      expect(compressed.body).toBe(plain.body);
      expect(Number(compressed.headers.get('content-length'))).toBeLessThan(Buffer.byteLength(plain.body) * 0.9);
      for (const { headers } of [plain, compressed]) expect(headers.get('vary')).toMatch(/\bAccept-Encoding$/);
      const etag = compressed.headers.get('etag') as string;
      const condition = [...Object.entries(browser), ['Accept-Encoding', encoding], ['If-None-Match', etag]] as const;
      const { host } = new URL(app.url);
      const again = await exchangeRaw(app.url, { method: 'GET', target, headers: [...condition] }, host);
      expect({ target, status: again?.status }).toEqual({ target, status: 304 });
      expect(again?.headers.get('vary')).toMatch(/\bAccept-Encoding$/);
    }
  });

  test('can be read by no page of another origin', async () => {
    for (const origin of ['http://localhost:3000', 'https://studio.apollographql.com']) {
      const { status, headers } = await app.client.fetch('GET', path, { headers: { ...browser, Origin: origin } });
      expect(status).toBe(200);
      expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
  });
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
  const file = new URL('../../dist/browser/gone.js', import.meta.url);
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

test.each(['/schema.graphql', '/partner_portal/v1/openapi.json'])('%s comes compressed, once made', async (path) => {
  const plain = await fetch(app.url + path, { headers: { 'Accept-Encoding': 'identity' } });
  const text = await plain.text();
  expect(plain.headers.get('content-encoding')).toBeNull();
  expect(plain.headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
  for (const encoding of ['br', 'gzip', 'br']) {
    const answer = await fetch(app.url + path, { headers: { 'Accept-Encoding': encoding } });
    expect(answer.headers.get('content-encoding')).toBe(encoding);
    expect(answer.headers.get('vary')).toMatch(/\bAccept-Encoding$/);
    expect(answer.headers.get('etag')).toBe(plain.headers.get('etag'));
    expect(Number(answer.headers.get('content-length'))).toBeLessThan(Buffer.byteLength(text) / 3);
    expect(await answer.text()).toBe(text);
  }
  const head = await fetch(app.url + path, { method: 'HEAD', headers: { 'Accept-Encoding': 'br' } });
  expect(head.headers.get('content-encoding')).toBe('br');
  const condition = { 'If-None-Match': plain.headers.get('etag') as string };
  expect((await fetch(app.url + path, { headers: condition })).status).toBe(304);
});

test('the overview shows requests to the host of its own request', async () => {
  const ask = (host: string) => exchangeRaw(app.url, { method: 'GET', target: '/?as=curl', headers: [] }, host);
  for (const host of ['one.example', 'two.example', 'one.example']) {
    expect((await ask(host))?.body).toContain(`http://${host}`);
  }
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

test('a host that is none, or hides something, is not repeated', async () => {
  for (const host of ['a"><script>alert(1)</script>', "a';reboot;'", 'a$(reboot)', 'a`reboot`']) {
    const answer = await exchangeRaw(app.url, { method: 'GET', target: '/?as=curl', headers: [] }, host);
    expect(answer?.status).toBe(200);
    expect(answer?.body).toContain('http://localhost');
    expect(answer?.body).not.toMatch(/alert|reboot/);
  }
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

describe('with INTROSPECTION=off', () => {
  test('the schema is not there, nor spoken of', async () => {
    expect((await open('/schema.graphql', 'en', closed)).status).toBe(404);
    expect((await open('/', 'en', closed)).body).not.toContain('/schema.graphql');
  });

  test('the explorer does not ask for it', async () => {
    const { body } = await open('/explorer', 'en', closed);
    expect(settingsOf(body).introspection).toBe(false);
    expect(body).toContain('Introspection is off');
    expect(settingsOf((await open('/explorer')).body).introspection).toBe(true);
  });
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
