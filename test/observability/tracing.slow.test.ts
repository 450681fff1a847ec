import { expect, onTestFinished, test, vi } from 'vitest';
import { version } from '../../src/kernel/package.ts';
import { type CollectedSpan, startCollector } from '../support/collector.ts';
import { freePort } from '../support/free-port.ts';
import { startApp, use } from '../support/test-app.ts';

const server = 2;
const internal = 1;
const client = 3;
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const parentId = '00f067aa0ba902b7';

const collector = use(await startCollector());
const app = await startApp({ OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/` });
const { logLines } = app;
const tenant = await app.createTenant();
const { token, products } = tenant;
const options = (id: string, more: Record<string, string> = {}) => ({ headers: { 'X-Request-Id': id, ...more } });
await app.client.rest('GET', '/countries?country_id=secret-query', options('rest-made'));
await app.client.rest('GET', '/countries?country_id=secret-query', options('rest-kept'));
await app.client.rest('POST', '/product_tags', {
  token,
  body: { name_en: 'Secret name', item_ids: products },
  ...options('rest-write', { traceparent: `00-${traceId}-${parentId}-01` }),
});
await app.client.graphql(
  'query Mine($first: Int!) { items(first: $first) { nodes { id tags { nodes { id } } } } }',
  { first: 77 },
  // Its token is not remembered.
  { token: (await app.createTenant()).token, ...options('graphql-read') },
);
await app.client.graphql('{ partner { id } }', {}, options('graphql-refused'));
await app.client.rest('GET', '/cities', options('not-sampled', { traceparent: `00-${traceId}-${parentId}-00` }));
await app.db.schema.alterTable('productTags').renameColumn('name_ar', 'arabic').execute();
await app.client.rest('POST', '/product_tags', { token, body: { name_en: 'Secret name' }, ...options('rest-failed') });
// Exports the last spans.
await app[Symbol.asyncDispose]();

/** The spans of a request: its own, then those below it in order of their start. */
function findSpans(requestId: string): CollectedSpan[] {
  const all = collector.spans().toSorted((a, b) => Number(BigInt(a.startTimeUnixNano) - BigInt(b.startTimeUnixNano)));
  const below = ({ spanId }: CollectedSpan): CollectedSpan[] =>
    all.filter((span) => span.parentSpanId === spanId).flatMap((span) => [span, ...below(span)]);
  const own = all.filter((span) => span.attributes['partner_gateway.request.id'] === requestId);
  return own.flatMap((span) => [span, ...below(span)]);
}

const named = (spans: CollectedSpan[]) => spans.map(({ name, kind }) => [name, kind]);

test('spans are sent to /v1/traces with the service name and version', () => {
  expect(new Set(collector.requests.map(({ path }) => path))).toEqual(new Set(['/v1/traces']));
  expect(collector.resource()).toMatchObject({ 'service.name': 'partner-gateway', 'service.version': version });
});

test('a REST request has an HTTP span and, unless cached, an operation span', () => {
  expect(named(findSpans('rest-kept'))).toEqual([['GET /partner_portal/v1/countries', server]]);
  const spans = findSpans('rest-made');
  expect(named(spans)).toEqual([
    ['GET /partner_portal/v1/countries', server],
    ['query', internal],
  ]);
  const [http, operation] = spans;
  expect(http?.parentSpanId || undefined).toBeUndefined();
  expect(operation?.parentSpanId).toBe(http?.spanId);
  const path = '/partner_portal/v1/countries';
  const request = { 'http.request.method': 'GET', 'http.route': path, 'url.path': path, 'url.scheme': 'http' };
  expect(http?.attributes).toMatchObject({ ...request, 'http.response.status_code': 200 });
  const name = 'V1Countries';
  expect(operation?.attributes).toEqual({ 'graphql.operation.type': 'query', 'graphql.operation.name': name });
});

test("a request continues the caller's trace, which is in its log line", () => {
  const spans = findSpans('rest-write');
  expect(new Set(spans.map((span) => span.traceId))).toEqual(new Set([traceId]));
  expect(spans[0]?.parentSpanId).toBe(parentId);
  const found = named(spans);
  // The statements of a pipeline overlap, also with `begin`, which is sent with them.
  expect([...found.slice(0, 3), ...found.slice(3, -1).sort(), ...found.slice(-1)]).toEqual([
    ['POST /partner_portal/v1/product_tags', server],
    // The token is checked before the body is read.
    ['select partner_tokens', client],
    ['mutation', internal],
    ['begin', client],
    ['insert product_taggings', client],
    ['insert product_tags', client],
    ['select items', client],
    // The version of the new tag, after its links.
    ['select product_tags', client],
    ['commit', client],
  ]);
  expect(spans[0]?.attributes).toMatchObject({ 'partner_gateway.partner.id': tenant.partnerId });
  expect(logLines).toContainEqual(expect.objectContaining({ requestId: 'rest-write', traceId }));
});

test('a GraphQL request has spans for its path, its operation and its statements', () => {
  const spans = findSpans('graphql-read');
  expect(named(spans)).toEqual([
    ['POST /graphql', server],
    ['select partner_tokens', client],
    ['query', internal],
    ['select items', client],
    ['select unnest', client],
  ]);
  const [, , operation, sql] = spans;
  expect(sql?.parentSpanId).toBe(operation?.spanId);
  expect(sql?.attributes).toEqual({
    'db.system.name': 'postgresql',
    'db.query.summary': 'select items',
    'db.query.text': expect.stringMatching(/^\s*select .* from items where .*company_id = \$1.* limit \$\d\s*$/s),
    'db.operation.name': 'select',
    'db.collection.name': 'items',
  });
  const ownTrace = { requestId: 'graphql-read', traceId: spans[0]?.traceId };
  expect(logLines).toContainEqual(expect.objectContaining(ownTrace));
});

test('a rejection has its code, and no error status', () => {
  const [own] = findSpans('graphql-refused');
  expect(own).toMatchObject({ attributes: { 'partner_gateway.error.code': 'unauthenticated' } });
  expect(own?.status.code ?? 0).toBe(0);
});

test('a trace that is not sampled by the caller is not sent', () => {
  expect(logLines).toContainEqual(expect.objectContaining({ requestId: 'not-sampled', traceId }));
  expect(findSpans('not-sampled')).toEqual([]);
});

test('a failed statement sets the error status of the request span', () => {
  const failed = findSpans('rest-failed').filter((span) => span.status.code === 2);
  const errors = Object.fromEntries(failed.map(({ name, attributes }) => [name, attributes['error.type']]));
  const route = 'POST /partner_portal/v1/product_tags';
  expect(errors).toMatchObject({ 'insert product_tags': '42703', [route]: 'internal_server_error' });
});

test('no span contains values of the caller, or database error messages', () => {
  expect(collector.requests.map(({ body }) => body).join()).not.toMatch(/Secret name|secret-query|arabic/);
});

test.each(['refuses connections', 'responds with 400'])(
  'if the collector %s, the service logs warnings and continues',
  async (which) => {
    vi.stubEnv('OTEL_EXPORTER_OTLP_TIMEOUT', '300');
    onTestFinished(() => void vi.unstubAllEnvs());
    await using collector = await startCollector(400);
    const url = which === 'responds with 400' ? collector.url : `http://127.0.0.1:${await freePort()}`;
    const app = await startApp({ OTEL_EXPORTER_OTLP_ENDPOINT: url });
    const warnings = () => app.logLines.filter(({ msg }) => msg === 'trace export failed');
    // The first lost span is reported without waiting for a full batch; 520 are more than a batch.
    for (const requests of [1, 520]) {
      for (let request = 0; request < requests; request += 1) {
        expect((await app.client.rest('GET', '/services')).status).toBe(200);
      }
      await expect.poll(warnings).toMatchObject([{ level: 40 }]);
    }
    await app[Symbol.asyncDispose]();
    expect(warnings()).toHaveLength(1);
    expect(app.logLines.filter(({ msg }) => String(msg).startsWith('last traces lost'))).toHaveLength(1);
  },
);

test('OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf sends the spans as Protobuf', async () => {
  await using collector = await startCollector();
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf' };
  const app = await startApp(endpoint);
  await app.client.rest('GET', '/services');
  await app[Symbol.asyncDispose]();
  const sent = { path: '/v1/traces', headers: { 'content-type': 'application/x-protobuf' } };
  expect(collector.requests).toMatchObject([sent]);
  // Protobuf has texts as they are.
  for (const text of ['partner-gateway', 'GET /partner_portal/v1/services', 'V1Services'])
    expect(collector.requests[0]?.body).toContain(text);
});

test('always_off samples nothing', async () => {
  await using collector = await startCollector();
  const app = await startApp({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER: 'always_off' });
  await app.client.rest('GET', '/services');
  await app[Symbol.asyncDispose]();
  expect(collector.requests).toEqual([]);
});
