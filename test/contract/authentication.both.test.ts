import { hash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import {
  type GraphQLInputType,
  getNamedType,
  isInputObjectType,
  isRequiredArgument,
  isRequiredInputField,
} from 'graphql';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { issueToken } from '../../src/domain/partner/tokens/issue-token.ts';
import { findCaller, revokeToken } from '../../src/domain/partner/tokens/tokens.ts';
import type { Answer, GraphQLBody } from '../support/client.ts';
import { readDescription } from '../support/rest-contract.ts';
import { isReference, mutations, queries } from '../support/schema.ts';
import type { Tenant } from '../support/tenant.ts';
import { sharedApp, startApp, type TestApp, use } from '../support/test-app.ts';

const app = await sharedApp();
const tenant = await app.createTenant();

type Send = (headers: Record<string, string>) => Promise<Answer<object>>;

const rest =
  (method: string, path: string): Send =>
  (headers) =>
    app.client.rest(method, path, { body: { name_en: 'Spicy' }, headers });
const graphql =
  (document: string): Send =>
  (headers) =>
    app.client.graphql(document, {}, { headers });
const closed: [string, number, Send][] = [
  ['POST /product_tags', 201, rest('POST', '/product_tags')],
  ['partner', 200, graphql('{ partner { id } }')],
];

/** In which changes of a token, partner or company take effect, in ms. */
const effectTime = 1_000;

const unknown = `pp_${'A'.repeat(43)}`;
// * stands for a live token.
const accepted = [
  ...['bearer *', 'Token token="*"', 'Token token=*', 'Token *', 'token  Token="*"', 'Bearer token="*"'],
  ...['Token token="*", nonce="def"', 'Token nonce="def"; token = "*"', 'Token token=*,algorithm=none'],
  ...['Token "*"', 'Token "*", nonce="def"'],
];
const notAccepted = [
  ...['', 'Bearer', 'Bearer pp_short', `Bearer ${unknown}`, 'Bearer * *', '*', 'Basic *', 'Bearer nonce="*"'],
  ...['Token', 'Token token=""', 'Token nonce="*"', 'Token token="*" *', 'Tokens token="*"', 'Tokentoken=*'],
  ...['Token ""', "Token '*'"],
];

test.each(closed)('%s requires a valid token, with the scheme Bearer or Token', async (_name, status, send) => {
  const withToken = (text: string) => ({ Authorization: text.replaceAll('*', tenant.token) });
  for (const text of accepted) expect({ text, ...(await send(withToken(text))) }).toMatchObject({ text, status });
  for (const text of [...notAccepted, `Bearer ${tenant.token.toLowerCase()}`, `Bearer ${sha256(tenant.token)}`]) {
    expectUnauthenticated(await send(withToken(text)));
  }
  for (const column of ['revoked_at', 'expires_at'] as const) {
    const { token } = await app.createTenant();
    const headers = { Authorization: `bearer ${token}` };
    await setTime(token, 'expires_at', '1 day');
    expect((await send(headers)).status).toBe(status);
    await setTime(token, column, '-1 second');
    await setTimeout(effectTime);
    expectUnauthenticated(await send(headers));
  }
  for (const table of ['partners', 'companies'] as const) {
    const { token, partnerId, companyId } = await app.createTenant();
    const headers = { Authorization: `Bearer ${token}` };
    const row = app.db.updateTable(table).where('id', '=', table === 'partners' ? partnerId : companyId);
    await row.set({ suspendedAt: new Date() }).execute();
    expectUnauthenticated(await send(headers));
    await row.set({ suspendedAt: null }).execute();
    await setTimeout(effectTime);
    expect((await send(headers)).status).toBe(status);
  }
});

test('revoking a token again has no effect', async () => {
  const { token } = await app.createTenant();
  const { tokenId = 0 } = (await findCaller(app.db, sha256(token))) ?? {};
  const tokens = app.db.selectFrom('partnerTokens').select('revokedAt').where('id', '=', tokenId);
  await revokeToken(app.db, tokenId);
  expect(await findCaller(app.db, sha256(token))).toBeUndefined();
  await setTime(token, 'revoked_at', '-1 day');
  const first = await tokens.executeTakeFirstOrThrow();
  expect(first).toEqual({ revokedAt: expect.any(Date) });
  await revokeToken(app.db, tokenId);
  expect(await tokens.executeTakeFirstOrThrow()).toEqual(first);
});

test('the token is checked before the body, and before any write', async () => {
  const large = JSON.stringify({ name_en: 'x'.repeat(1024 * 1024) });
  for (const body of ['{"name_en": "Without a token"}', '{"name_en": ', large]) {
    const headers = { 'Content-Type': 'application/json' };
    expectUnauthenticated(await app.client.rest('POST', '/product_tags', { body, headers }));
  }
  const rows = await app.db.selectFrom('productTags').select('id').where('nameEn', '=', 'Without a token').execute();
  expect(rows).toEqual([]);
});

test('all valid tokens of a partner work, and only their SHA-256 hashes are stored', async () => {
  const { partnerId, partnerName, token: first } = await app.createTenant();
  const issue = async () => (await issueToken(app.db, partnerName, { days: null })).token;
  const tokens = [first, await issue(), await issue()];
  for (const token of tokens) {
    const { body } = await app.client.graphql('{ partner { name } }', {}, { token });
    expect(body).toEqual({ data: { partner: { name: partnerName } } });
  }
  const rows = await app.db.selectFrom('partnerTokens').selectAll().where('partnerId', '=', partnerId).execute();
  expect(rows.map(({ tokenHash }) => tokenHash).toSorted()).toEqual(tokens.map(sha256).toSorted());
  for (const token of tokens) expect(JSON.stringify(rows)).not.toContain(token.slice('pp_'.length));
});

const readOnlyToken = async ({ db }: TestApp, { partnerName }: Tenant) =>
  (await issueToken(db, partnerName, { days: null, access: 'read_only' })).token;

interface Operation {
  name: string;
  /** With REFERENCE_ACCESS=partner, reference data is for partners too. */
  access: 'everyone' | 'reference' | 'partner';
  writes: boolean;
  send: (service: TestApp, token?: string) => Promise<Answer<object>>;
}

// Covers future operations of both APIs.
const examples: Record<string, string> = { Int: '1', LookupKey: 'SERVICES', String: '"Asia/Riyadh"' };
function createExample(given: GraphQLInputType): string {
  const type = getNamedType(given);
  if (isInputObjectType(type)) {
    const required = Object.values(type.getFields()).filter(isRequiredInputField);
    return `{ ${required.map((field) => `${field.name}: ${createExample(field.type)}`)} }`;
  }
  const example = examples[type.name];
  if (example === undefined) throw new Error(`Add a valid ${type.name} to \`examples\`.`);
  return example;
}
const fields = [...queries, ...mutations].map((field): Operation => {
  const given = field.args.filter(isRequiredArgument).map(({ name, type }) => `${name}: ${createExample(type)}`);
  const writes = mutations.includes(field);
  const call = `${field.name}${given.length > 0 ? `(${given})` : ''} { __typename }`;
  return {
    name: field.name,
    access: isReference(field) ? 'reference' : 'partner',
    writes,
    send: ({ client }, token) => client.graphql(`${writes ? 'mutation' : ''} { ${call} }`, {}, { token }),
  };
});
const routes = Object.entries<object>(readDescription().paths).flatMap(([template, item]) =>
  Object.entries<{ security?: object[] }>(item as Record<string, object>).map(([key, { security }]): Operation => {
    const [method, path] = [key.toUpperCase(), template.replace('{id}', '1')];
    const body = method === 'GET' ? {} : { body: { name_en: 'Spicy' } };
    const isOpen = security !== undefined && security.length > 0;
    return {
      name: `${method} ${path}`,
      access: security?.length === 0 ? 'everyone' : isOpen ? 'reference' : 'partner',
      writes: method !== 'GET',
      send: ({ client }, token) => client.rest(method, path, { token, ...body }),
    };
  }),
);
const multipart = () => {
  const form = new FormData();
  form.append('name_en', 'Spicy');
  return form;
};
const asPut = () => {
  const form = multipart();
  form.append('_method', 'put');
  return form;
};
const asForm = (fields: Record<string, string>) => () => new URLSearchParams({ name_en: 'Spicy', ...fields });
// openapi.yaml does not describe these.
const forms = (
  [
    ['POST', '/product_tags', asForm({})],
    ['POST', '/product_tags', multipart],
    ['PUT', '/product_tags/1', asForm({})],
    ['PATCH', '/product_tags/1', multipart],
    ['POST', '/product_tags/1', asForm({ _method: 'put' })],
    ['POST', '/product_tags/1', asPut],
    ['POST', '/product_tags/1', () => '{"name_en":"Spicy"}', { 'X-HTTP-Method-Override': 'PATCH' }],
  ] as [string, string, () => NonNullable<RequestInit['body']>, Record<string, string>?][]
).map(([method, path, body, override]): Operation => {
  const headers = { ...override, ...(override && { 'Content-Type': 'application/json' }) };
  return {
    name: `${method} ${path} with ${body().constructor.name} and ${JSON.stringify(headers)}`,
    access: 'partner',
    writes: true,
    async send({ url }, token) {
      const authorization = token === undefined ? {} : { Authorization: `Bearer ${token}` };
      const init = { method, headers: { ...headers, ...authorization }, body: body() };
      const response = await fetch(`${url}/partner_portal/v1${path}`, init);
      return { status: response.status, headers: response.headers, body: (await response.json()) as object };
    },
  };
});

const closedApp = use(await startApp({ REFERENCE_ACCESS: 'partner' }));
const services = await Promise.all(
  [app, closedApp].map(async (service) => ({ service, ...(await listTokens(service)) })),
);

/** A token of each kind, and others that are none. */
async function listTokens(service: TestApp) {
  const tenant = await service.createTenant();
  const issue = async () => (await issueToken(service.db, tenant.partnerName, { days: null })).token;
  const invalid: (string | undefined)[] = [undefined, unknown];
  for (const column of ['expires_at', 'revoked_at'] as const) {
    const token = await issue();
    await setTime(token, column, '-1 second', service);
    invalid.push(token);
  }
  return { full: tenant.token, readOnly: await readOnlyToken(service, tenant), invalid };
}

test.each([...fields, ...routes, ...forms])('access to $name', async ({ access, writes, send }) => {
  for (const { service, full, readOnly, invalid } of services) {
    const isOpen = access === 'everyone' || (access === 'reference' && service === app);
    const { status, body } = await send(service, full);
    expect([200, 201, 404]).toContain(status);
    if (status !== 404) expect(body).not.toHaveProperty('errors');
    // Afterwards, so that a stored response would show.
    const reading = await send(service, readOnly);
    if (writes) expectReadOnly(reading);
    else expect(reading).toMatchObject({ status, body });
    for (const token of invalid) {
      const answer = await send(service, token);
      if (isOpen) expect(answer.status).toBe(200);
      else expectUnauthenticated(answer);
    }
  }
});

describe('a read-only token', async () => {
  const tenant = await app.createTenant();
  const other = await app.createTenant();
  const token = await readOnlyToken(app, tenant);
  const create = async (each: Tenant, options: { headers?: Record<string, string> } = {}) =>
    (await app.client.rest('POST', '/product_tags', { token: each.token, body: { name_en: 'Spicy' }, ...options }))
      .body;
  const replayed = { 'Idempotency-Key': 'by the full token' };
  const [own, foreign] = [await create(tenant, { headers: replayed }), await create(other)];
  const [product = 0] = tenant.products;

  const state = async () => {
    const tables = ['product_tags', 'product_taggings', 'idempotency_keys'].map((table) =>
      sql`select * from ${sql.table(table)} where company_id = ${tenant.companyId}`.execute(app.db),
    );
    return (await Promise.all(tables)).map(({ rows }) => rows);
  };

  test('writes nothing, and reveals nothing about tags and items', async () => {
    const before = await state();
    const input = 'input: { nameEn: "Hot" }';
    for (const mutations of [
      [`createProductTag(${input})`, `createProductTag(${input})`],
      [`createProductTag(input: { nameEn: "Spicy" }, idempotencyKey: "${replayed['Idempotency-Key']}")`],
      [`createProductTag(input: { nameEn: "x", itemIds: [0] })`],
      [`updateProductTag(id: ${own.id}, ${input})`, `deleteProductTag(id: ${own.id})`],
      [`updateProductTag(id: ${foreign.id}, ${input})`],
      [`updateProductTag(id: 999999999, ${input})`],
      [`addProductTagItems(id: ${own.id}, itemIds: [${product}])`, `deleteProductTag(id: ${own.id})`],
    ]) {
      const selected = mutations.map((mutation, index) => `m${index}: ${mutation} { userErrors { code } }`);
      const answer = await app.client.graphql(`mutation { ${selected.join(' ')} }`, {}, { token });
      expectReadOnly(answer);
      const codes = answer.body.errors?.map(({ extensions }) => extensions.code);
      expect(codes).toEqual(mutations.map((_, index) => (index === 0 ? 'READ_ONLY_TOKEN' : 'MUTATION_SKIPPED')));
    }
    for (const [method, path, body, headers = {}] of [
      ['POST', '/product_tags', { name_en: 'Spicy' }, replayed],
      ['POST', '/product_tags', { name_en: 'x', item_ids: [0] }],
      ['POST', '/product_tags', '{', { 'Content-Type': 'application/json' }],
      ['POST', '/product_tags', 'x', { 'Content-Type': 'text/plain' }],
      ['POST', '/product_tags', 'name_en=%zz', { 'Content-Type': 'application/x-www-form-urlencoded' }],
      ['POST', '/product_tags', { name_en: 'x'.repeat(1024 * 1024) }],
      ['PUT', `/product_tags/${own.id}`, { name_en: 'Hot', item_ids: [product] }],
      ['PUT', `/product_tags/${own.id}`, { name_en: 'Hot' }, { 'If-Match': 'nonsense' }],
      ['PUT', `/product_tags/${own.id}`, { name_en: 'Hot' }, { 'If-Match': '"x"' }],
      ['PATCH', `/product_tags/${foreign.id}`, { name_en: 'Hot' }],
      ['PUT', '/product_tags/999999999', { name_en: 'Hot' }],
    ] as [string, string, unknown, Record<string, string>?][])
      expectReadOnly(await app.client.rest(method, path, { token, body, headers }));
    expect(await state()).toEqual(before);
  });

  test('gets errors of the route, the method and the document first', async () => {
    expect((await app.client.rest('POST', '/nothing', { token })).status).toBe(404);
    expect((await app.client.rest('DELETE', `/product_tags/${own.id}`, { token })).status).toBe(405);
    for (const [document, code] of [
      ['mutation { deleteProductTag { userErrors { code } } }', 'GRAPHQL_VALIDATION_FAILED'],
      [
        'mutation { createProductTag(input: { nameEn: "Hot" }, idempotencyKey: "") { userErrors { code } } }',
        'BAD_USER_INPUT',
      ],
    ] as const) {
      const { body } = await app.client.graphql(document, {}, { token });
      expect(body.errors).toMatchObject([{ extensions: { code } }]);
    }
  });

  test('is rejected in the language of the request', async () => {
    const options = { token, language: 'ar', body: { name_en: 'Spicy' } };
    const { body } = await app.client.rest('POST', '/product_tags', options);
    expect(body.detail).toMatch(/للقراءة فقط/);
    const document = 'mutation { deleteProductTag(id: 1) { userErrors { code } } }';
    const answer = await app.client.graphql(document, {}, options);
    expect(answer.body.errors?.[0]?.message).toBe(body.detail);
  });
});

test('the schema and the pages require no token', async () => {
  const { body } = await closedApp.client.graphql('{ __schema { queryType { name } } }');
  expect(body).toEqual({ data: { __schema: { queryType: { name: 'Query' } } } });
  const pages = ['/', '/explorer', '/docs', '/schema.graphql', '/partner_portal/v1', '/partner_portal/v1/openapi.json'];
  for (const path of pages) expect((await closedApp.client.fetch('GET', path)).status).toBe(200);
});

function expectReadOnly({ status, body }: Answer<object>): void {
  expect(status).toBe(403);
  if ('code' in body) {
    expect(body).toMatchObject({ status: 403, code: 'read_only_token' });
  } else {
    const { data, errors } = body as GraphQLBody<unknown>;
    expect(data).toBeNull();
    expect(errors?.[0]).toMatchObject({ extensions: { code: 'READ_ONLY_TOKEN' } });
  }
}

function expectUnauthenticated({ status, headers, body }: Answer<object>): void {
  expect(status).toBe(401);
  expect(headers.get('www-authenticate')).toMatch(/^Bearer\b/);
  if ('code' in body) {
    expect(body).toMatchObject({ status: 401, code: 'unauthenticated' });
  } else {
    expect(body).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
    expect((body as GraphQLBody<unknown>).data ?? null).toBeNull();
  }
}

async function setTime(
  token: string,
  column: 'expires_at' | 'revoked_at',
  fromNow: string,
  { db } = app,
): Promise<void> {
  await sql`update partner_tokens set ${sql.ref(column)} = now() + ${fromNow}::interval
    where token_hash = ${sha256(token)}`.execute(db);
}

function sha256(text: string): string {
  return hash('sha256', text);
}
