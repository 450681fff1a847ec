import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Options } from '../support/client.ts';
import { sharedApp, startApp } from '../support/test-app.ts';

const app = await sharedApp();

function createExtensions(document: string) {
  const sha256Hash = createHash('sha256').update(document).digest('hex');
  return { persistedQuery: { version: 1, sha256Hash } };
}

// Each test has its own documents.
let [services, own] = ['', ''];
beforeEach(({ task }) => {
  services = `{ services { code } } # ${task.id}`;
  own = `{ partner { name } } # ${task.id}`;
});
/** Sends a request by hash. */
const send = (document: string, more: object = {}, { headers, ...options }: Options = {}, { client } = app) =>
  client.fetch('POST', '/graphql', {
    body: JSON.stringify({ extensions: createExtensions(document), ...more }),
    headers: { 'Content-Type': 'application/json', ...headers },
    ...options,
  });
const get = (document: string, options: Options = {}) => {
  const query = new URLSearchParams({ extensions: JSON.stringify(createExtensions(document)) });
  return app.client.fetch('GET', `/graphql?${query}`, options);
};
const notFound = { errors: [{ message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }] };
const json = 'application/json';
const responseJson = 'application/graphql-response+json';

describe('a document', () => {
  test.each([json, responseJson])('can be requested by hash after it was sent once, with %s', async (Accept) => {
    const options = { headers: { Accept } };
    for (const unknown of [await send(services, {}, options), await get(services, options)]) {
      expect(unknown).toMatchObject({ status: 200, body: notFound });
      expect(unknown.headers.get('cache-control')).toMatch(/private.*(no-store|no-cache)/);
    }
    const sent = await send(services, { query: services }, options);
    expect(sent.body).toMatchObject({ data: { services: expect.any(Array) } });
    for (const known of [await send(services, {}, options), await get(services, options)]) {
      expect(known).toMatchObject({ status: 200, body: sent.body });
    }
  });

  test('has a case-insensitive hash', async () => {
    const capitals = {
      extensions: JSON.parse(
        JSON.stringify(createExtensions(services)).replace(/[a-f\d]{64}/, (hash) => hash.toUpperCase()),
      ),
    };
    const sent = await send(services, { query: services, ...capitals });
    expect(sent).toMatchObject({ status: 200, body: { data: { services: expect.any(Array) } } });
    const query = new URLSearchParams({ extensions: JSON.stringify(capitals.extensions) });
    const known = [
      await send(services),
      await send(services, capitals),
      await app.client.fetch('GET', `/graphql?${query}`),
    ];
    for (const { status, body } of known) expect({ status, body }).toEqual({ status: 200, body: sent.body });
  });

  test('of reference data is served from the response cache, also by its hash alone', async () => {
    const countries = '{ countries { name } }';
    expect((await send(countries)).body).toMatchObject(notFound);
    const sent = await send(countries, { query: countries });
    const known = await send(countries);
    expect(known.body).toEqual(sent.body);
    // Only cached responses are compressed.
    expect(known.headers.get('content-encoding')).toMatch(/^(br|gzip)$/);
  });

  test('of a partner returns only the data of its caller', async () => {
    const [one, other] = [await app.createTenant(), await app.createTenant()];
    await send(own, { query: own }, { token: one.token });
    for (const { token, partnerName } of [one, other]) {
      const { body, headers } = await send(own, {}, { token });
      expect(body).toEqual({ data: { partner: { name: partnerName } } });
      expect(headers.get('cache-control')).toBe('private, no-store');
    }
    expect((await send(own)).status).toBe(401);
  });

  test('with a wrong hash is 400, and not stored under it', async () => {
    for (const Accept of [json, responseJson]) {
      const answer = await send(services, { query: own }, { headers: { Accept } });
      expect(answer).toMatchObject({ status: 400, body: { errors: [{ extensions: { code: 'BAD_REQUEST' } }] } });
    }
    expect((await send(services)).body).toMatchObject(notFound);
  });

  test('that is invalid, too long or over a limit is not stored', async () => {
    await using limited = await startApp({ GRAPHQL_MAX_DEPTH: '1' });
    const long = `{ services { code } } #${'-'.repeat(20_000)}`;
    for (const document of ['{ nothing }', '{ broken', long, own]) {
      const { body } = await send(document, { query: document }, {}, limited);
      if (document === own) expect(body).toMatchObject({ errors: [{ extensions: { code: 'QUERY_TOO_COMPLEX' } }] });
      expect((await send(document, {}, {}, limited)).body).toMatchObject(notFound);
    }
  });
});

test('a mutation by its hash runs by POST, counts as a write, and is rejected by GET', async () => {
  const mutation = 'mutation { createProductTag(input: { nameEn: "Spicy" }) { productTag { nameEn } } }';
  const { token } = await app.createTenant();
  await send(mutation, { query: mutation }, { token });
  const done = await send(mutation, {}, { token });
  expect(done.body).toEqual({ data: { createProductTag: { productTag: { nameEn: 'Spicy' } } } });
  expect(done.headers.get('ratelimit')).toMatch(/"token-writes";r=5998;t=\d+$/);
  expect((await get(mutation, { token })).status).toBe(405);
});
