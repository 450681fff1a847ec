import { describe, expect, test } from 'vitest';
import type { Options } from '../support/client.ts';
import { readDocument } from '../support/documents.ts';
import { startApp, use } from '../support/test-app.ts';

const app = use(await startApp());
const tenant = await app.createTenant();

let requests = 0;

async function readLine(request: (options: Options) => Promise<unknown>): Promise<Record<string, unknown>> {
  requests += 1;
  const requestId = `access-log-${requests}`;
  await request({ headers: { 'X-Request-Id': requestId } });
  const find = () => app.logLines.find((line) => line.requestId === requestId && line.msg === 'request');
  await expect.poll(find).toBeDefined();
  return find() ?? {};
}

const graphql =
  (document: string, more: Options = {}) =>
  (options: Options) =>
    app.client.graphql(document, {}, { ...options, ...more });

const rest =
  (method: string, path: string, more: Options & { body?: unknown } = {}) =>
  (options: Options) =>
    app.client.rest(method, path, { ...more, ...options, headers: { ...options.headers, ...more.headers } });

describe('a log line has', () => {
  test('the route of a REST request, cached or not', async () => {
    const line = { route: 'GET /partner_portal/v1/timezones', locale: 'ar', level: 30 };
    const made = await readLine(rest('GET', '/timezones', { language: 'ar-SA' }));
    expect(made).toMatchObject({ ...line, sql: 0, req: { method: 'GET', path: '/partner_portal/v1/timezones' } });
    expect(await readLine(rest('GET', '/timezones', { language: 'ar-SA' }))).toMatchObject({ ...line, sql: 0 });
    const { route } = await readLine(rest('HEAD', '/timezones'));
    expect(route).toBe('HEAD /partner_portal/v1/timezones');
    for (const name of ['operation', 'partner', 'code', 'traceId', 'aborted']) expect(made).not.toHaveProperty(name);
  });

  test('the pattern of a route, the partner and the code of a rejection', async () => {
    const line = await readLine(rest('PUT', '/product_tags/1234567', { ...tenant, body: { name_en: 'Spicy' } }));
    expect(line).toMatchObject({
      route: 'PUT /partner_portal/v1/product_tags/:id',
      partner: tenant.partnerId,
      code: 'product_tag_not_found',
      res: { status: 404 },
      level: 40,
    });
    // The token; begin, four statements of the update, rollback.
    expect(line.sql).toBe(7);
    expect(line.sqlMs).toBeLessThanOrEqual(line.ms as number);
  });

  test('the operation of a GraphQL request, cached or not', async () => {
    const document = 'query TheServices { services { code } }';
    expect(await readLine(graphql(document))).toMatchObject({ operation: 'query TheServices', sql: 0 });
    const kept = await readLine(graphql(document));
    expect(kept).toMatchObject({ operation: 'query TheServices', sql: 0 });
    expect(kept).not.toHaveProperty('route');
  });

  test('whole segments of a long path, so that no token is truncated', async () => {
    const line = await readLine((options) =>
      app.client.fetch('GET', `/a/${'b'.repeat(1_980)}/pp_${'c'.repeat(43)}`, options),
    );
    expect(line).toMatchObject({ req: { path: `/a/${'b'.repeat(1_980)}/…` } });
  });

  test.each([
    ['{ services { id } countries { id } services { code } }', 'query { services countries }'],
    [`query ${'x'.repeat(3_000)} { services { id } }`, `query ${'x'.repeat(100)}…`],
    ['mutation Delete { deleteProductTag(id: 0) { deletedProductTagId } }', 'mutation Delete'],
    ['mutation { deleteProductTag(id: 0) { deletedProductTagId } }', 'mutation { deleteProductTag }'],
  ])('%#: the operation name, or its fields, truncated', async (document, operation) => {
    expect(await readLine(graphql(document))).toMatchObject({ operation });
  });

  test.each([
    ['{ nonsense }', 200, 'GRAPHQL_VALIDATION_FAILED'],
    ['{ ', 200, 'GRAPHQL_PARSE_FAILED'],
    ['{ partner { id } }', 401, 'unauthenticated'],
    ['{ lookups(key: BRAND_TYPES, page: 0) { key } }', 200, 'invalid_parameter'],
    ['mutation { deleteProductTag(id: 0) { userErrors { code } } }', 200, 'product_tag_not_found'],
  ])('the code of %s', async (document, status, code) => {
    const more = code === 'product_tag_not_found' ? { token: tenant.token } : {};
    expect(await readLine(graphql(document, more))).toMatchObject({ code, res: { status } });
  });

  test('the field and id of each mutation, on both APIs', async () => {
    const { token, products } = await app.createTenant();
    const body = { name_en: 'Spicy', item_ids: [] };
    const headers = { 'Idempotency-Key': 'access-log' };
    const create = rest('POST', '/product_tags', { token, body, headers });
    const created = await readLine(create);
    const [{ id }] = created.writes as [{ id: number }];
    expect(created.writes).toEqual([{ field: 'createProductTag', id }]);
    expect((await readLine(create)).writes).toEqual([{ field: 'createProductTag', id, replayed: true }]);
    const updated = await readLine(rest('PUT', `/product_tags/${id}`, { token, body: { name_en: 'Hot' } }));
    expect(updated.writes).toEqual([{ field: 'updateProductTag', id }]);
    const rejected = await readLine(rest('PUT', `/product_tags/${id}`, { token, body: { name_en: 'x' } }));
    expect(rejected).not.toHaveProperty('writes');

    const document = `mutation D {
      a: addProductTagItems(id: ${id}, itemIds: [${products[0]}]) { userErrors { code } }
      d: removeProductTagItems(id: ${id}, itemIds: [${products[1]}]) { userErrors { code } }
      e: updateProductTag(id: 0, input: { nameEn: "Unknown" }) { userErrors { code } }
      f: deleteProductTag(id: ${id}) { userErrors { code } }
    }`;
    expect(await readLine(graphql(document, { token }))).toMatchObject({
      operation: 'mutation D',
      writes: [
        { field: 'addProductTagItems', id },
        { field: 'removeProductTagItems', id },
        { field: 'deleteProductTag', id },
      ],
    });
  });

  test.each(['/', '/docs', '/graphql', '/partner_portal/v1/openapi.json'])('the page %s', async (path) => {
    const page = ({ headers }: Options) =>
      app.client.fetch('GET', path, { headers: { Accept: 'text/html', ...headers } });
    expect(await readLine(page)).toMatchObject({ route: `GET ${path}` });
  });

  test('no route for an unknown path', async () => {
    const line = await readLine(rest('GET', '/nothing'));
    expect(line).toMatchObject({ code: 'not_found', locale: 'en', sql: 0 });
    expect(line).not.toHaveProperty('route');
  });
});

test('successful probes are not logged, failed ones without level error', async () => {
  await app.client.fetch('GET', '/livez');
  await app.client.fetch('GET', '/readyz');
  await readLine(rest('GET', '/services'));
  expect(app.logLines.filter(({ route }) => String(route).endsWith('z'))).toEqual([]);
});

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';
const good = [`00-${traceId}-${spanId}-01`, `00-${traceId}-${spanId}-00`, `cc-${traceId}-${spanId}-01-what-comes`];
const bad = [
  ...[`00-${traceId}-${spanId}-01-more`, `ff-${traceId}-${spanId}-01`, `00-${'0'.repeat(32)}-${spanId}-01`],
  ...[`00-${traceId}-${'0'.repeat(16)}-01`, `00-${traceId.toUpperCase()}-${spanId}-01`, `00-${traceId}-${spanId}`],
  ...['"}, {"level":60', ''],
];

test.each([...good, ...bad])('the trace of traceparent "%s" is logged if it is valid', async (traceparent) => {
  const line = await readLine(rest('GET', '/countries', { headers: { traceparent } }));
  expect(line.traceId).toBe(good.includes(traceparent) ? traceId : undefined);
});

test('observability.md lists every field of a log line', async () => {
  const document = await readDocument('docs/operations/observability.md');
  const [, table = ''] = /## Log lines(.*?)## /s.exec(document) ?? [];
  const listed = [...table.matchAll(/^\| (`.*?`) \|/gm)].flatMap(([, names = '']) => names.match(/[\w.]+/g) ?? []);
  const headers = { traceparent: `00-${traceId}-${spanId}-01` };
  await readLine(rest('PUT', '/product_tags/1', { token: tenant.token, body: {}, headers }));
  await readLine(rest('POST', '/product_tags', { token: tenant.token, body: { name_en: 'Listed' } }));
  // In these tests, no client disconnects, the token has no label, and requests need not wait.
  const unseen = ['aborted', 'token.label', 'waitMs'];
  const entries = app.logLines.filter(({ msg }) => msg === 'request').flatMap(Object.entries);
  const members = entries.flatMap(([name, value]) =>
    typeof value === 'object' && !Array.isArray(value)
      ? Object.keys(value).map((member) => `${name}.${member}`)
      : [name],
  );
  expect(listed.toSorted()).toEqual([...new Set([...members, ...unseen])].toSorted());
});
