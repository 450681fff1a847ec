import { expect, onTestFinished, test } from 'vitest';
import { hashToken } from '../../src/kernel/token.ts';
import { Client } from '../support/client.ts';
import { startCollector } from '../support/collector.ts';
import { freePort } from '../support/free-port.ts';
import { startService } from '../support/process.ts';
import { exchangeText } from '../support/raw-http.ts';
import { copyTemplate, startApp } from '../support/test-app.ts';

test('no token, query or body appears in logs, metrics or traces', async () => {
  await using database = await copyTemplate();
  const app = await startApp(database.env);
  let tenant = await app.createTenant();
  // A token that is a valid operation name.
  while (tenant.token.includes('-')) tenant = await app.createTenant();
  const { token, products } = tenant;
  await app[Symbol.asyncDispose]();

  await using collector = await startCollector();
  const managementPort = String(await freePort());
  const service = await startService({
    ...database.env,
    LOG_LEVEL: 'trace',
    MANAGEMENT_PORT: managementPort,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  });
  onTestFinished(() => service[Symbol.asyncDispose]());
  const { client } = service;
  const marked = 'marked_5f1c';
  const created = await client.rest('POST', '/product_tags', { token, body: { name_en: token, item_ids: products } });
  expect(created.status).toBe(201);
  const own = await client.graphql('{ partner { name } }', {}, { token });
  expect(own.status).toBe(200);
  await Promise.all([
    ...[
      `/countries?token=${token}`,
      `/lookups?brand_types=${token}`,
      `/${token}`,
      `/%zz${token}`,
      `/${token.replace('_', '%5F')}`,
      `/%zz${token.replace('p', '%70')}`,
      `/${token.replace('p', '%2570')}`,
      `/${token.replace('_', `%${'25'.repeat(9)}5F`)}`,
      `/cities?country_id=${marked}`,
      `/lookups?week_days=1&q=${marked}`,
      `/authorization=${marked}`,
      `/Authorization:%20Token%20${marked}`,
      `/Token%20token=%22${marked.repeat(4)}%22`,
      `/Token%20%22${marked.repeat(4)}%22`,
    ].map((path) => client.rest('GET', path, { token })),
    ...[
      { Origin: token, Authorization: token, Cookie: token, Accept: token },
      { Origin: token, 'X-Request-Id': token, traceparent: token },
    ].map((headers) => client.rest('GET', '/countries', { headers })),
    ...[{ name_en: marked }, { name_en: marked.repeat(10) }, { [token]: token }, token, `{"${token}": "${marked}`].map(
      (body) => client.rest('POST', '/product_tags', { token, body, headers: { 'Content-Type': 'application/json' } }),
    ),
    client.rest('PUT', `/product_tags/${token}?${marked}`, { token, body: { name_en: 'Spicy' } }),
    client.rest('POST', '/product_tags', { token, body: token, headers: { 'Content-Type': token } }),
    ...[
      `{ ${token} }`,
      `{ ${marked}`,
      `query ${token} { partner { id } }`,
      `query ${token} { item(id: "${token}") { id } } # ${marked}`,
      'query ($id: Int!) { cities(countryId: $id) { id } }',
      'query ($marked: Locale) { countries { name(locale: $marked) } }',
    ].map((query) => client.graphql(query, { [token]: token, id: token, marked }, { token })),
    client.fetch('POST', `/graphql?${token}`, { token, body: `{"query":"${token}` }),
  ]);
  await exchangeText(service.url, `GET /${token} HTTP/9.9\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  const metrics = await new Client(`http://127.0.0.1:${managementPort}`).fetch<string>('GET', '/metrics');
  expect(await service.end('SIGTERM')).toBe(0);

  const traces = collector.requests.map(({ body, headers }) => body + JSON.stringify(headers)).join();
  expect(metrics.body).toContain('http_requests_total');
  expect(traces).toContain('"stringValue":"pp_[redacted]"');
  const output = service.stdout + service.stderr + metrics.body + traces;
  expect(output).toContain('"msg":"request"');
  expect(output).toContain('pp_[redacted]');
  for (const secret of [token, token.slice(3), hashToken(token), marked]) expect(output).not.toContain(secret);
});
