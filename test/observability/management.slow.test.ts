import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { methods } from '../../src/platform/http/routes.ts';
import { Client } from '../support/client.ts';
import { readDocument } from '../support/documents.ts';
import { freePort } from '../support/free-port.ts';
import { holdItems } from '../support/locks.ts';
import { startService } from '../support/process.ts';
import { exchangeRaw, exchangeText } from '../support/raw-http.ts';
import { createTenant } from '../support/tenant.ts';
import { copyTemplate, openDatabase, startApp, use } from '../support/test-app.ts';

const port = await freePort();
const app = use(
  await startApp({
    DATABASE_POOL_SIZE: '6',
    MANAGEMENT_PORT: String(port),
    MANAGEMENT_NAMES: 'Gateway.internal',
    RATE_LIMIT_ADDRESS_WRITES: '60',
    RATE_LIMIT_WINDOW: '86400',
  }),
);
const managementUrl = `http://127.0.0.1:${port}`;
const management = new Client(managementUrl);
const tenant = await app.createTenant();

async function scrape(): Promise<Map<string, number>> {
  const { body } = await management.fetch<string>('GET', '/metrics');
  return new Map([...body.matchAll(/^([^#].*) (\S+)$/gm)].map(([, name = '', value]) => [name, Number(value)]));
}

/** The samples that some work increased, and by how much. */
async function grown(work: () => Promise<unknown>, until: string): Promise<Record<string, number>> {
  const before = await scrape();
  await work();
  let changes: Record<string, number> = {};
  const look = async () => {
    const differences = [...(await scrape())].map(([name, value]) => [name, value - (before.get(name) ?? 0)] as const);
    changes = Object.fromEntries(differences.filter(([, by]) => by !== 0));
    return changes;
  };
  await expect.poll(look).toHaveProperty([until]);
  return changes;
}

const sample = (name: string, labels: Record<string, string>) =>
  `${name}{${Object.entries(labels).map(([label, value]) => `${label}="${value}"`)}}`;

test('the time zone version is in the build metric and the start log line', async () => {
  const { tz } = process.versions;
  expect(app.logLines).toContainEqual(expect.objectContaining({ msg: 'listening', url: app.url, tz }));
  const { body } = await management.fetch<string>('GET', '/metrics');
  expect(body).toMatch(new RegExp(`^partner_gateway_build_info\\{.*tz_version="${tz}".*\\} 1$`, 'm'));
});

test('serves only metrics in the text format and probes', async () => {
  const { status, headers, body } = await management.fetch<string>('GET', '/metrics');
  expect(status).toBe(200);
  expect(headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  expect(body).toContain('# HELP http_requests_total ');
  expect(body).toContain('# TYPE http_request_duration_seconds histogram');
  for (const client of [management, app.client]) {
    expect(await client.fetch('GET', '/livez')).toMatchObject({ status: 200, body: { status: 'live' } });
    expect(await client.fetch('GET', '/readyz')).toMatchObject({ status: 200, body: { status: 'ready' } });
  }
  expect((await management.fetch('POST', '/metrics')).status).toBe(405);
  for (const path of ['/', '/graphql', '/metricsx', '/partner_portal']) {
    expect((await management.fetch('GET', path)).status).toBe(404);
  }
  expect((await app.client.fetch('GET', '/metrics')).status).toBe(404);
});

test.each([
  ['localhost', 200],
  ['127.0.0.1:9464', 200],
  ['[::1]:9464', 200],
  ['10.1.2.3', 200],
  ['gateway.internal:9464', 200],
  ['attacker.example', 403],
  ['localhost.attacker.example:9464', 403],
  ['', 403],
])('a request with the host "%s" gets %i', async (host, status) => {
  const request = { method: 'GET', target: '/metrics', headers: [] };
  expect((await exchangeRaw(managementUrl, request, host))?.status).toBe(status);
});

test('a probe in HTTP/1.0, without a host, gets 200', async () => {
  const text = await exchangeText(managementUrl, 'GET /readyz HTTP/1.0\r\n\r\n');
  expect(text).toMatch(/^HTTP\/1\.1 200 .*"ready"/s);
});

test('observability.md lists every metric of the service, with its type and labels', async () => {
  // Creates every kind of sample, so that all labels appear.
  await app.client.rest('GET', '/nothing');
  const document = await readDocument('docs/operations/observability.md');
  const listed = [...document.matchAll(/^\| `(\w+)` \| (counter|gauge|histogram) \|(.*?)\|/gm)].map(
    ([, name, type, labels = '']) => [name, type, (labels.match(/\w+/g) ?? []).toSorted()],
  );
  const { body } = await management.fetch<string>('GET', '/metrics');
  const real = [...body.matchAll(/^# TYPE (?!process_|nodejs_)(\w+) (\w+)$/gm)].map(([, name, type]) => {
    const first = new RegExp(`^${name}(?:_bucket)?\\{(.*)\\}`, 'm').exec(body)?.[1] ?? '';
    const labels = [...first.matchAll(/(\w+)="/g)].map(([, label]) => label).filter((label) => label !== 'le');
    return [name, type, labels.toSorted()];
  });
  expect(listed.toSorted()).toEqual(real.toSorted());
  expect(body).toMatch(/^nodejs_eventloop_lag_p99_seconds /m);
  expect(body).toMatch(/^process_resident_memory_bytes /m);
});

const writeTag = (body: object, headers: Record<string, string> = {}) =>
  app.client.rest('POST', '/product_tags', { ...tenant, body, headers });
const deletion = 'mutation { deleteProductTag(id: 0) { userErrors { code } } }';

describe('it counts', () => {
  test('REST requests by route, and cache hits and misses', async () => {
    const labels = { api: 'rest', route: '/partner_portal/v1/timezones', method: 'GET', status: '2xx' };
    const work = () => app.client.rest('GET', '/timezones?a=1');
    const miss = await grown(work, sample('http_requests_total', labels));
    expect(miss).toMatchObject({
      [sample('http_requests_total', labels)]: 1,
      [sample('http_request_duration_seconds_count', labels)]: 1,
      [sample('http_request_duration_seconds_bucket', { le: '+Inf', ...labels })]: 1,
      [sample('response_cache_requests_total', { result: 'miss' })]: 1,
      response_cache_responses: 1,
    });
    const hit = await grown(work, sample('http_requests_total', labels));
    expect(hit).toMatchObject({ [sample('response_cache_requests_total', { result: 'hit' })]: 1 });
    expect(hit).not.toHaveProperty(['response_cache_responses']);
  });

  test('GraphQL requests by their field, statements by their table', async () => {
    const labels = { api: 'graphql', route: 'query items', method: 'POST', status: '2xx' };
    const work = () => app.client.graphql('query Any { items { nodes { id } } }', {}, tenant);
    expect(await grown(work, sample('http_requests_total', labels))).toMatchObject({
      [sample('http_requests_total', labels)]: 1,
      [sample('database_statement_duration_seconds_count', { operation: 'select', table: 'items' })]: 1,
    });
  });

  test.each([
    ['graphql', 'GRAPHQL_VALIDATION_FAILED', () => app.client.graphql('{ nonsense }')],
    ['graphql', 'unauthenticated', () => app.client.graphql('{ partner { id } }')],
    ['graphql', 'product_tag_not_found', () => app.client.graphql(deletion, {}, tenant)],
    ['rest', 'not_found', () => app.client.rest('GET', '/nothing')],
    ['none', 'not_found', () => app.client.fetch('GET', '/wp-login.php')],
    ['rest', 'validation_failed', () => writeTag({ name_en: 'x', item_ids: [tenant.modifier] })],
  ])('errors: %s %s', async (api, code, work) => {
    const name = sample('request_errors_total', { api, code });
    expect(await grown(work, name)).toMatchObject({ [name]: 1 });
  });

  test('replays of idempotency keys', async () => {
    const work = () => writeTag({ name_en: 'Replayed' }, { 'Idempotency-Key': 'the same' });
    const labels = { api: 'rest', route: '/partner_portal/v1/product_tags', method: 'POST', status: '2xx' };
    expect(await grown(work, sample('http_requests_total', labels))).not.toHaveProperty('idempotency_replays_total');
    expect(await grown(work, 'idempotency_replays_total')).toMatchObject({ idempotency_replays_total: 1 });
  });

  test('requests in the queue of their partner', async () => {
    const { token, products } = tenant;
    const body = { name_en: 'Queued', item_ids: products };
    // Of 8 at a time, each takes one of the company's 3 connections.
    const created = await holdItems(app.db, tenant, async () => {
      const creating = Array.from({ length: 35 }, () => app.client.rest('POST', '/product_tags', { token, body }));
      const waiting = async () => {
        const samples = await scrape();
        return ['operations', 'queries'].map((queue) => samples.get(sample('partner_queue_waiting', { queue })));
      };
      await expect.poll(waiting).toEqual([27, 5]);
      return { creating };
    });
    await Promise.all(created.creating);
  });

  test('the state of the pool and of the reference data', async () => {
    const samples = await scrape();
    expect(samples.get(sample('database_pool_connections', { state: 'idle' }))).toBeGreaterThan(0);
    expect(samples.get('database_pool_waiting')).toBe(0);
    expect(samples.get('reference_data_version')).toBeGreaterThan(0);
    expect(samples.get('reference_data_age_seconds')).toBeLessThan(30);
  });
});

test('counts tokens that expire within 14 days, unless the partner has a longer-lived one', async () => {
  await using database = await copyTemplate();
  await using connection = await openDatabase(database.env);
  const { db } = connection;
  const addTokens = async (...tokens: { days: number | null; revokedAt?: Date; access?: 'read_only' }[]) => {
    const { partnerId } = await createTenant(db);
    await db.deleteFrom('partnerTokens').where('partnerId', '=', partnerId).execute();
    const rows = tokens.map(({ days, ...token }) => {
      const expiresAt = days === null ? null : new Date(Date.now() + days * 86_400_000);
      return { ...token, partnerId, tokenHash: randomBytes(32).toString('hex'), expiresAt };
    });
    await db.insertInto('partnerTokens').values(rows).execute();
    return partnerId;
  };
  await addTokens({ days: 13 });
  await addTokens({ days: 13 }, { days: 6 });
  await addTokens({ days: 13 }, { days: null, revokedAt: new Date() });
  // A read-only token does not replace a full one.
  await addTokens({ days: 13 }, { days: null, access: 'read_only' });
  // None of these counts.
  await addTokens({ days: 15 });
  await addTokens({ days: null });
  await addTokens({ days: -1 });
  await addTokens({ days: 13, revokedAt: new Date() });
  await addTokens({ days: 6 }, { days: 90 });
  await addTokens({ days: 6 }, { days: null });
  const suspended = await addTokens({ days: 13 });
  await db.updateTable('partners').set({ suspendedAt: new Date() }).where('id', '=', suspended).execute();

  const port = String(await freePort());
  await using _ = await startApp({ ...database.env, MANAGEMENT_PORT: port });
  const probe = new Client(`http://127.0.0.1:${port}`);
  const metrics = async () => (await probe.fetch<string>('GET', '/metrics')).body;
  await expect.poll(metrics).toMatch(/^partner_tokens_expiring 4$/m);
});

test('hostile traffic creates a bounded number of series, without its values', async () => {
  const mark = 'hostile';
  const attack = async (round: number) => {
    for (let index = 0; index < 40; index += 1) {
      const name = `${mark}${round}x${index}`;
      await app.client.fetch('GET', `/${name}`);
      await app.client.rest('GET', `/${name}`, { headers: { 'Accept-Language': name, 'User-Agent': name } });
      await app.client.rest('GET', `/cities?country_id=${index}&${name}=1`);
      await app.client.rest('PUT', `/product_tags/${name}`, { ...tenant, body: { name_en: name } });
      for (const document of [
        `query ${name} { countries { id } ${name}: services { id } }`,
        `query ${name} { countries { id } }`,
        `{ ${name} }`,
        `mutation ${name} { ${name}: deleteProductTag(id: 0) { deletedProductTagId } }`,
      ]) {
        await app.client.graphql(document, {}, tenant);
      }
      await app.client.rest(['PATCH', 'DELETE', 'PROPFIND', 'M-SEARCH', 'LINK'][index % 5] as string, '/countries');
    }
    await exchangeRaw(app.url, { method: mark.toUpperCase(), target: '/', headers: [] });
    // Requests are counted once their connection has taken the response.
    await setTimeout(500);
    return scrape();
  };
  const before = await attack(1);
  const after = await attack(2);
  // The series of a kind of garbage collection appears after the first one.
  const ownSeries = (samples: typeof after) => [...samples.keys()].filter((name) => !name.startsWith('nodejs_gc_'));
  expect(ownSeries(after).toSorted()).toEqual(ownSeries(before).toSorted());
  expect(after.size).toBeLessThan(1_100);
  const names = [...after.keys()].join('\n');
  expect(names).not.toMatch(/hostile|pp_/i);
  const named = new Set([...names.matchAll(/method="([^"]*)"/g)].map(([, method]) => method));
  expect(named).toEqual(new Set([...methods.filter((method) => method !== 'HEAD'), 'other']));
  expect(after.get(sample('request_errors_total', { api: 'rest', code: 'rate_limited' }))).toBeGreaterThan(0);
});

test('serves metrics while draining', async () => {
  await using database = await copyTemplate();
  const port = String(await freePort());
  await using service = await startService({ ...database.env, MANAGEMENT_PORT: port, SHUTDOWN_DELAY: '1' });
  const probe = new Client(`http://127.0.0.1:${port}`);
  const ready = async () =>
    /^partner_gateway_ready (.*)$/m.exec((await probe.fetch<string>('GET', '/metrics')).body)?.[1];
  expect((await probe.fetch('GET', '/readyz')).status).toBe(200);
  expect(await ready()).toBe('1');
  const ended = service.end('SIGTERM');
  await expect.poll(async () => (await probe.fetch('GET', '/readyz')).status).toBe(503);
  expect(await ready()).toBe('0');
  expect((await probe.fetch('GET', '/livez')).status).toBe(200);
  expect((await probe.fetch('GET', '/metrics')).status).toBe(200);
  expect(await ended).toBe(0);
  await expect(probe.fetch('GET', '/livez')).rejects.toThrow();
});
