import { describe, expect, test } from 'vitest';
import { developmentOrigins } from '../../src/platform/http/cors.ts';
import { methods } from '../../src/platform/http/routes.ts';
import type { Options } from '../support/client.ts';
import { getRaw } from '../support/raw-http.ts';
import { sharedApp, startApp, use } from '../support/test-app.ts';

const origin = 'https://app.example';
const others = [
  ...[
    'https://other.example',
    'http://app.example',
    'https://app.example:8443',
    'null',
    'https://app.example.',
    'https://appxexample',
    '*',
  ],
  ...['https://studio.apollographql.com.example', 'http://studio.apollographql.com', 'https://apollographql.com'],
  ...['capacitor://localhost:1', 'capacitor://localhost.example', 'ionic://localhost', 'app://other'],
  ...['http://localhost.example:80', 'http://localhost:', 'http://example:80', 'http://localhost:80:80'],
];

const appOrigins = ['capacitor://localhost', 'app://.', 'chrome-extension://ldcndnehcg', 'tauri://localhost:*'];

// The default origins of the embedded service, and a few more.
const app = use(await startApp({ CORS_ORIGINS: [origin, ...appOrigins, ...developmentOrigins].join() }));
const tenant = await app.createTenant();

/** The response's CORS headers. */
function filterCorsHeaders(headers: Headers): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')));
}

const exposed = [
  ...['Allow', 'ETag', 'Idempotency-Replayed', 'Location', 'RateLimit', 'RateLimit-Policy', 'Retry-After'],
  ...['WWW-Authenticate', 'X-Request-Id'],
];

function expectReadable(headers: Headers): void {
  expect(filterCorsHeaders(headers)).toEqual({
    'access-control-allow-origin': origin,
    'access-control-expose-headers': exposed.join(', '),
  });
  expect(headers.get('vary')?.split(', ')).toContain('Origin');
}

const from = (name: string) => ({ headers: { Origin: name } });
const countries = '{ countries { id } }';
const own = '{ partner { name } }';

const v1 = '/partner_portal/v1';
const json = { 'Content-Type': 'application/json' };
const partner = { ...json, Authorization: `Bearer ${tenant.token}` };
const graphql = (query: string, headers: Record<string, string> = json) => ({
  headers,
  body: JSON.stringify({ query }),
});

test.each<[what: string, status: number, method: string, path: string, options?: Options & { body?: string }]>([
  ['the schema of GraphQL', 200, 'GET', '/schema.graphql'],
  ['reference data', 200, 'GET', `${v1}/countries`],
  ['GraphQL', 200, 'POST', '/graphql', graphql(countries)],
  ["a partner's data", 200, 'POST', '/graphql', graphql(own, partner)],
  ['the rejection of a field without a token', 401, 'POST', '/graphql', graphql(own)],
  ['the rejection of a malformed GraphQL body', 400, 'POST', '/graphql', { headers: json, body: '{' }],
  ['the error of an unknown path', 404, 'GET', `${v1}/nothing`],
  ['the error of a malformed path', 400, 'PUT', `${v1}/product_tags/%zz`, { headers: partner, body: '{}' }],
  ['the error of a malformed path of GraphQL', 400, 'GET', '/graphql/%E0%A4'],
  ['GraphQL by another spelling of its path', 200, 'POST', '//%67raphql', graphql(countries)],
  ['a new tag', 201, 'POST', `${v1}/product_tags`, { headers: partner, body: '{"name_en":"Spicy"}' }],
  ['a rejected tag', 422, 'POST', `${v1}/product_tags`, { headers: partner, body: '{}' }],
])('only listed origins can read %s', async (_what, status, method, path, options = {}) => {
  const send = (Origin: string) =>
    app.client.fetch(method, path, { ...options, headers: { ...options.headers, Origin } });
  // The second response comes from the cache, if it is cached.
  for (const name of [origin, origin]) {
    const answer = await send(name);
    expect(answer.status).toBe(status);
    expectReadable(answer.headers);
  }
  const { headers, ...rejected } = await send('https://other.example');
  expect(rejected.status).toBe(status);
  expect(headers.get('access-control-allow-origin')).toBeNull();
  expect(headers.get('vary')?.split(', ')).toContain('Origin');
});

test.each([
  ...['https://studio.apollographql.com', 'http://localhost', 'http://localhost:5173', 'https://localhost:3000'],
  ...['http://127.0.0.1:8080', 'http://[::1]:8080', ...appOrigins.slice(0, 3), 'tauri://localhost:80', ...others],
])('pages of %s can read responses if it is listed', async (name) => {
  const { headers } = await app.client.graphql('{ __typename }', {}, from(name));
  expect(headers.get('access-control-allow-origin')).toBe(others.includes(name) ? null : name);
});

test('a cached response, also as 304, has the CORS headers of the current origin', async () => {
  for (const name of [origin, 'http://localhost:5173', undefined, origin]) {
    const { headers } = await app.client.rest('GET', '/cities?country_id=682', name === undefined ? {} : from(name));
    expect(headers.get('access-control-allow-origin')).toBe(name ?? null);
    expect(headers.get('vary')).toBe('Accept-Language, Origin, Accept-Encoding');
  }
  const again = await getRaw(`${app.url}${v1}/services`, { Origin: origin, 'If-None-Match': '*' });
  expect(again.status).toBe(304);
  expectReadable(new Headers(again.headers as Record<string, string>));
});

test.each(['/livez', '/nothing', '/graphqlx'])('%s is no API and has no CORS headers', async (path) => {
  const { headers } = await app.client.fetch('GET', path, from(origin));
  expect(filterCorsHeaders(headers)).toEqual({});
  expect(headers.get('vary')).not.toContain('Origin');
});

describe('a preflight', () => {
  const preflight = (name: string) => ({
    headers: {
      ...from(name).headers,
      'Access-Control-Request-Method': 'PUT',
      'Access-Control-Request-Headers': 'authorization,content-type,if-match',
      // Browsers send this for public pages.
      'Access-Control-Request-Private-Network': 'true',
    },
  });

  test.each(['/graphql', '/partner_portal/v1/product_tags/1', '/partner_portal/v1/nothing', '/partner_portal/v1/%zz'])(
    'of %s permits listed origins',
    async (path) => {
      const { status, headers, body } = await app.client.fetch('OPTIONS', path, preflight(origin));
      expect({ status, body }).toEqual({ status: 204, body: '' });
      expect(filterCorsHeaders(headers)).toEqual({
        'access-control-allow-origin': origin,
        'access-control-allow-methods': methods.join(', '),
        'access-control-allow-headers': 'authorization,content-type,if-match',
        'access-control-allow-private-network': 'true',
        'access-control-max-age': '600',
        'access-control-expose-headers': expect.any(String),
      });
      const accept = path === '/graphql' ? 'Accept, X-Query-Cost, ' : '';
      expect(headers.get('vary')).toBe(`Accept-Language, ${accept}Origin, Access-Control-Request-Headers`);
    },
  );

  test('of another origin is not permitted', async () => {
    const { status, headers } = await app.client.fetch('OPTIONS', '/graphql', preflight('https://other.example'));
    expect({ status, permissions: filterCorsHeaders(headers) }).toEqual({ status: 204, permissions: {} });
  });
});

describe('with other settings', () => {
  test('responses over a rate limit are readable, and preflights are not limited', async () => {
    await using started = await startApp({ CORS_ORIGINS: origin, RATE_LIMIT_ADDRESS_READS: '1' });
    const { client } = started;
    await client.rest('GET', '/services', from(origin));
    const ask = { headers: { Origin: origin, 'Access-Control-Request-Method': 'GET' } };
    const answer = await client.graphql(countries, {}, from(origin));
    expect(answer.status).toBe(429);
    expectReadable(answer.headers);
    expect((await client.rest('OPTIONS', '/services', ask)).status).toBe(204);
  });

  test('* allows every origin, without credentials', async () => {
    await using started = await startApp({ CORS_ORIGINS: '*' });
    for (const name of [origin, 'null']) {
      const { headers } = await started.client.rest('GET', '/services', from(name));
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-allow-credentials')).toBeNull();
      expect(headers.get('vary')).toBe('Accept-Language, Accept-Encoding');
    }
  });

  test('by default, with PostgreSQL, no origin is allowed', async () => {
    const { client } = await sharedApp();
    expect(filterCorsHeaders((await client.graphql(countries, {}, from('http://localhost:3000'))).headers)).toEqual({});
  });
});
