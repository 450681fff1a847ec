import { readFile } from 'node:fs/promises';
import { Validator } from '@seriousme/openapi-schema-validator';
import type { ExampleObject, OpenAPIObject, ReferenceObject, ResponseObject } from 'openapi3-ts/oas31';
import { beforeAll, describe, expect, test } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { issueToken } from '../src/domain/partner/tokens/token.service.ts';
import { demoPartner } from '../src/domain/reference/seed/demo-data.ts';
import { examples } from '../src/surfaces/rest/openapi/examples.ts';
import { sharedApp, startApp, type TestApp } from './support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await sharedApp();
});

async function documentOf({ client }: TestApp): Promise<OpenAPIObject> {
  const { status, headers, body } = await client.rest<OpenAPIObject>('GET', '/openapi.json');
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  return body;
}

test('the description is correct OpenAPI 3.1, of the version that the package has', async () => {
  const document = await documentOf(app);
  expect(await new Validator().validate(document as never)).toEqual({ valid: true });
  expect(document.openapi).toMatch(/^3\.1\./);
  expect(document.info.version).toBe(packageJson.version);
  expect(document.servers).toEqual([{ url: '/partner_portal/v1', description: expect.any(String) }]);
});

test('openapi.json is what the service says of itself', async () => {
  const committed = await readFile(new URL('../openapi.json', import.meta.url), 'utf8');
  expect(JSON.parse(committed)).toEqual(await documentOf(app));
});

test('the description may be kept, and is asked for by its ETag', async () => {
  const { headers } = await app.client.rest('GET', '/openapi.json', { language: 'ar' });
  expect(headers.get('cache-control')).toBe('public, no-cache');
  expect(headers.get('content-language')).toBe('en');
  const etag = headers.get('etag') ?? '';
  const again = await app.client.rest('GET', '/openapi.json', {
    headers: { 'If-None-Match': etag, 'Cache-Control': 'max-age=0' },
  });
  expect([again.status, again.body]).toEqual([304, '']);
});

describe('with REFERENCE_ACCESS=partner', () => {
  test('every route that reads reference data asks for a token, and says so', async () => {
    await using closed = await startApp({ REFERENCE_ACCESS: 'partner', RATE_LIMIT: 'off' });
    const document = await documentOf(closed);
    const open = await documentOf(app);
    const paths = Object.keys(document.paths ?? {}).filter((path) => document.paths?.[path]?.get);
    expect(paths).toHaveLength(5);
    for (const path of paths) {
      const [was, is] = [open.paths?.[path]?.get, document.paths?.[path]?.get];
      expect([was?.security, was?.responses?.['401']]).toEqual([[], undefined]);
      expect([is?.security, is?.responses?.['401']]).toEqual([undefined, { $ref: expect.any(String) }]);
      expect((await closed.client.rest('GET', path)).status).toBe(401);
    }
    expect(document.security).toEqual([{ token: [] }]);
  });

  test('without limits no answer tells of them', async () => {
    await using unlimited = await startApp({ RATE_LIMIT: 'off' });
    expect(JSON.stringify((await documentOf(unlimited)).paths)).not.toMatch(/RateLimit|"429"/);
  });
});

test('the examples are what the demo partner is answered', async () => {
  const token = await demoToken();
  const methods: Record<string, string> = { createProductTag: 'POST', updateProductTag: 'PUT' };
  for (const { operation, locale, target, body, answer, first } of examples) {
    const answered = await app.client.rest<Record<string, unknown>>(methods[operation] ?? 'GET', target, {
      language: locale,
      ...(body && { token, body }),
    });
    expect(answered.status, target).toBe(operation === 'createProductTag' ? 201 : 200);
    const [[key, value] = []] = Object.entries(answered.body);
    const shown =
      Array.isArray(value) && first !== undefined ? { [key as string]: value.slice(0, first) } : answered.body;
    expect(shown).toEqual(answer);
  }
});

async function demoToken(): Promise<string> {
  const issued = await issueToken(app.db, demoPartner, null);
  if ('refused' in issued) throw new Error(issued.refused);
  return issued.token;
}

/** The example of a code in a response of an operation. */
async function problemExample(
  method: 'get' | 'post' | 'put',
  path: string,
  status: number,
  name: string,
): Promise<ExampleObject> {
  const document = await documentOf(app);
  const response = document.paths?.[path]?.[method]?.responses?.[status] as ReferenceObject;
  const shared = document.components?.responses?.[response.$ref.split('/').at(-1) ?? ''] as ResponseObject;
  return shared.content?.['application/problem+json']?.examples?.[name] as ExampleObject;
}

test.each<['get' | 'post' | 'put', string, string, number, string, object]>([
  ['get', '/lookups', '/lookups?brand_types=0', 400, 'invalid_parameter', {}],
  ['get', '/cities', '/cities?country_id=SA', 400, 'invalid_parameter', {}],
  ['post', '/product_tags', '/product_tags', 401, 'unauthenticated', {}],
  [
    'post',
    '/product_tags',
    '/product_tags',
    400,
    'malformed_body',
    { body: '{', headers: { 'Content-Type': 'application/json' } },
  ],
  [
    'post',
    '/product_tags',
    '/product_tags',
    400,
    'invalid_parameter',
    { body: {}, headers: { 'Idempotency-Key': '"' } },
  ],
  [
    'post',
    '/product_tags',
    '/product_tags',
    415,
    'unsupported_media_type',
    { body: 'x', headers: { 'Content-Type': 'text/plain' } },
  ],
  ['post', '/product_tags', '/product_tags', 413, 'payload_too_large', { body: { name_en: 'x'.repeat(600_000) } }],
  ['post', '/product_tags', '/product_tags', 422, 'required', { body: {} }],
  ['post', '/product_tags', '/product_tags', 422, 'invalid_type', { body: { name_en: 'Spicy', item_ids: null } }],
  ['post', '/product_tags', '/product_tags', 422, 'invalid_length', { body: { name_en: 'x' } }],
  [
    'post',
    '/product_tags',
    '/product_tags',
    422,
    'invalid_characters',
    { body: { name_en: 'Spicy', name_ar: 'a\u0007bc' } },
  ],
  ['post', '/product_tags', '/product_tags', 422, 'item_not_found', { body: { name_en: 'Spicy', item_ids: [12] } }],
  [
    'put',
    '/product_tags/{id}',
    '/product_tags/1',
    422,
    'item_not_product',
    { body: { name_en: 'Spicy', item_ids: [9] } },
  ],
  ['put', '/product_tags/{id}', '/product_tags/1', 422, 'validation_failed', { body: { name_en: 'x', item_ids: [9] } }],
  [
    'put',
    '/product_tags/{id}',
    '/product_tags/1',
    422,
    'too_many_items',
    { body: { name_en: 'Spicy', item_ids: Array.from({ length: 10_001 }, (_, id) => id) } },
  ],
  ['put', '/product_tags/{id}', '/product_tags/x', 404, 'not_found', { body: {} }],
  ['put', '/product_tags/{id}', '/product_tags/999', 404, 'product_tag_not_found', { body: { name_en: 'Spicy' } }],
  [
    'put',
    '/product_tags/{id}',
    '/product_tags/1',
    412,
    'version_mismatch',
    { body: { name_en: 'Spicy' }, headers: { 'If-Match': '"x"' } },
  ],
])('%s %s: the examples of %s are what is answered (%i %s)', async (method, path, target, status, code, options) => {
  const token = code === 'unauthenticated' ? undefined : await demoTokenOnce();
  for (const language of ['en', 'ar']) {
    const { body } = await app.client.rest(method.toUpperCase(), target, { token, language, ...options });
    const example = await problemExample(method, path, status, language === 'ar' ? `${code}_ar` : code);
    expect({ ...body, request_id: '' }).toEqual({ ...example.value, request_id: '' });
  }
});

let issued: Promise<string> | undefined;
function demoTokenOnce(): Promise<string> {
  issued ??= demoToken();
  return issued;
}
