import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { buildSchema, type GraphQLArgument, getNamedType, isRequiredArgument } from 'graphql';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { issueToken } from '../../src/domain/partner/tokens/issue-token.ts';
import { revokeToken, selectCaller } from '../../src/domain/partner/tokens/tokens.ts';
import type { Answer, GraphQLBody } from '../support/client.ts';
import { readDescription } from '../support/rest-contract.ts';
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

test.each(closed)('%s needs a live token, as a Bearer or a Token', async (_name, status, send) => {
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
    expectUnauthenticated(await send(headers));
  }
});

test('a token is revoked at once; revoking it again changes nothing', async () => {
  const { token } = await app.createTenant();
  const [{ tokenId } = { tokenId: 0 }] = await selectCaller(app.db, { tokenHash: sha256(token) });
  const tokens = app.db.selectFrom('partnerTokens').select('revokedAt').where('id', '=', tokenId);
  await revokeToken(app.db, tokenId);
  expect(await selectCaller(app.db, { tokenHash: sha256(token) })).toEqual([]);
  await setTime(token, 'revoked_at', '-1 day');
  const first = await tokens.executeTakeFirstOrThrow();
  expect(first).toEqual({ revokedAt: expect.any(Date) });
  await revokeToken(app.db, tokenId);
  expect(await tokens.executeTakeFirstOrThrow()).toEqual(first);
});

test('the token is checked before the body, and nothing is written without one', async () => {
  const large = JSON.stringify({ name_en: 'x'.repeat(1024 * 1024) });
  for (const body of ['{"name_en": "Without a token"}', '{"name_en": ', large]) {
    const headers = { 'Content-Type': 'application/json' };
    expectUnauthenticated(await app.client.rest('POST', '/product_tags', { body, headers }));
  }
  const rows = await app.db.selectFrom('productTags').select('id').where('nameEn', '=', 'Without a token').execute();
  expect(rows).toEqual([]);
});

test('a partner has at most two live tokens; only their SHA-256 hash is stored', async () => {
  const { partnerId, partnerName, token: first } = await app.createTenant();
  const issue = async () => (await issueToken(app.db, partnerName, { days: null })).token;
  const expectLive = async (token: string) => {
    const { body } = await app.client.graphql('{ partner { name } }', {}, { token });
    expect(body).toEqual({ data: { partner: { name: partnerName } } });
  };
  const second = await issue();
  for (const token of [first, second]) await expectLive(token);
  await expect(issue()).rejects.toThrow('live tokens');
  await setTime(first, 'expires_at', '-1 second');
  await expectLive(await issue());
  const rows = await app.db.selectFrom('partnerTokens').selectAll().where('partnerId', '=', partnerId).execute();
  expect(rows.map(({ tokenHash }) => tokenHash)).toEqual(expect.arrayContaining([sha256(first), sha256(second)]));
  for (const token of [first, second]) expect(JSON.stringify(rows)).not.toContain(token.slice('pp_'.length));
});

type Ask = (service: TestApp, token?: string) => Promise<Answer<object>>;

// Covers future operations of both APIs, except reference data.
const schema = buildSchema(await readFile(new URL('../../schema.graphql', import.meta.url), 'utf8'));
const rootFields = [schema.getQueryType(), schema.getMutationType()].flatMap((root) =>
  Object.values(root?.getFields() ?? {}),
);
const ofPartners = [
  ...['POST /product_tags', 'PUT /product_tags/1', 'PATCH /product_tags/1'],
  ...rootFields
    .filter(({ astNode }) => !astNode?.directives?.some(({ name }) => name.value === 'reference'))
    .map(({ name }) => name),
];
const examples: Record<string, string> = {
  Int: '1',
  LookupKey: 'SERVICES',
  String: '"Asia/Riyadh"',
  CreateProductTagInput: '{ nameEn: "Spicy" }',
};
const exampleOf = ({ type }: GraphQLArgument) => examples[getNamedType(type).name] ?? examples.CreateProductTagInput;
const fields = [schema.getQueryType(), schema.getMutationType()].flatMap((root) =>
  Object.values(root?.getFields() ?? {}).map(({ name, args }): [string, Ask] => {
    const given = args.filter(isRequiredArgument).map((argument) => `${argument.name}: ${exampleOf(argument)}`);
    const field = `${name}${given.length > 0 ? `(${given})` : ''} { __typename }`;
    const kind = root === schema.getQueryType() ? 'query' : 'mutation';
    return [name, ({ client }, token) => client.graphql(`${kind} { ${field} }`, {}, { token })];
  }),
);
const routes = Object.entries<object>(readDescription().paths).flatMap(([template, item]) =>
  Object.keys(item).map((key): [string, Ask] => {
    const [method, path] = [key.toUpperCase(), template.replace('{id}', '1')];
    const body = method === 'GET' ? {} : { body: { name_en: 'Spicy' } };
    return [`${method} ${path}`, ({ client }, token) => client.rest(method, path, { token, ...body })];
  }),
);
const closedApp = use(await startApp({ REFERENCE_ACCESS: 'partner' }));

test.each([...fields, ...routes.filter(([route]) => route !== 'GET /')])('who may use %s', async (name, send) => {
  for (const service of [app, closedApp]) {
    const isOpen = service === app && !ofPartners.includes(name);
    const { status, body } = await send(service, (await service.createTenant()).token);
    expect([200, 201, 404]).toContain(status);
    if (status !== 404) expect(body).not.toHaveProperty('errors');
    // Afterwards, so that a stored response would show.
    for (const token of [undefined, unknown]) {
      const answer = await send(service, token);
      if (isOpen) expect(answer.status).toBe(200);
      else expectUnauthenticated(answer);
    }
  }
});

test('the schema and the pages need no token', async () => {
  const { body } = await closedApp.client.graphql('{ __schema { queryType { name } } }');
  expect(body).toEqual({ data: { __schema: { queryType: { name: 'Query' } } } });
  const pages = ['/', '/explorer', '/docs', '/schema.graphql', '/partner_portal/v1', '/partner_portal/v1/openapi.json'];
  for (const path of pages) expect((await closedApp.client.fetch('GET', path)).status).toBe(200);
});

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

async function setTime(token: string, column: 'expires_at' | 'revoked_at', fromNow: string): Promise<void> {
  await sql`update partner_tokens set ${sql.ref(column)} = now() + ${fromNow}::interval
    where token_hash = ${sha256(token)}`.execute(app.db);
}

function sha256(text: string): string {
  return hash('sha256', text);
}
