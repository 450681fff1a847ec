import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { issueToken } from '../../src/domain/partner/tokens/issue-token.ts';
import { demoPartner } from '../../src/domain/reference/seed/demo-partners.ts';
import { methods } from '../../src/platform/http/routes.ts';
import { readDescription, resolve } from '../support/rest-contract.ts';
import { startApp, use } from '../support/test-app.ts';

const description = readDescription();

const app = use(await startApp());
const { token } = await issueToken(app.db, demoPartner, { days: null });
const readOnly = await issueToken(app.db, demoPartner, { days: null, access: 'read_only' });

test('openapi.yaml is valid OpenAPI 3.1', async () => {
  expect(description.openapi).toMatch(/^3\.1\./);
  expect(await new Validator().validate(structuredClone(description))).toEqual({ valid: true });
});

test('references name whole components: orval writes types that do not compile for others', () => {
  const references = [...JSON.stringify(description).matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference);
  expect(references).toContain('#/components/schemas/ProductTag');
  expect(references.filter((each) => !/^#\/components\/\w+\/[^/]+$/.test(each ?? ''))).toEqual([]);
});

test('schemas have no constructs that code generators do not support', () => {
  const found: string[] = [];
  // biome-ignore lint/suspicious/noExplicitAny: parts of an OpenAPI document have one type per keyword
  const visit = (part: any, path: string): void => {
    if (typeof part !== 'object' || part === null || /\/examples?$/.test(path)) return;
    const { anyOf = [], oneOf = [], enum: values, type } = part;
    // Alternatives without a type become `unknown`, or the constants alone.
    if (anyOf.some((each: object) => !('type' in each || '$ref' in each))) found.push(`${path}/anyOf`);
    // Alternatives of one list differ by the one property that each requires.
    const required = oneOf.map((each: { required?: string[] }) => each.required?.join());
    if (new Set(required).size < oneOf.length || required.includes(undefined)) found.push(`${path}/oneOf`);
    if (values && [type].flat().includes('null')) found.push(`${path}/enum`);
    if (typeof part.const === 'number' && !/\/(status|not)$/.test(path)) found.push(`${path}/const`);
    for (const [key, each] of Object.entries(part)) visit(each, `${path}/${key}`);
  };
  visit(description, '');
  expect(found).toEqual([]);
});

test('the service serves openapi.yaml as JSON, cacheable by its ETag', async () => {
  const get = (headers: Record<string, string>) =>
    app.client.rest('GET', '/openapi.json', { language: 'ar', headers: { 'Cache-Control': 'max-age=0', ...headers } });
  const { status, headers, body } = await get({});
  expect({ status, body }).toEqual({ status: 200, body: description });
  expect(JSON.stringify(body)).not.toMatch(/"(head|options)":/);
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'public, no-cache',
    'content-language': 'en',
  });
  expect(await get({ 'If-None-Match': headers.get('etag') ?? '' })).toMatchObject({ status: 304, body: '' });
});

test.each(['', '/'])('GET /partner_portal/v1%s lists the routes', async (path) => {
  const { status, body } = await app.client.rest('GET', path);
  const described = Object.entries<object>(description.paths)
    .filter(([template]) => template !== '/')
    .flatMap(([template, item]) =>
      methods
        // PATCH is PUT.
        .filter((method) => method !== 'PATCH' && method.toLowerCase() in item)
        .map((method) => [method, `/partner_portal/v1${template}`]),
    );
  expect(status).toBe(200);
  expect(body.routes.map((route: { method: string; path: string }) => [route.method, route.path])).toEqual(described);
  expect((await app.client.fetch('GET', body.openapi)).status).toBe(200);
  expect((await app.client.fetch('GET', body.docs)).status).toBe(200);
});

describe('the examples', () => {
  // Each list shows its first entries.
  test.each([
    ['/lookups?services=1&week_days=1', 'en'],
    ['/lookups?services=1', 'ar'],
    ...['/countries', '/cities?country_id=48', '/services'].flatMap((path) => ['en', 'ar'].map((each) => [path, each])),
    ['/timezones', 'en'],
  ])('of %s in %s are real responses', async (target, language) => {
    const { get } = description.paths[target.replace(/\?.*/, '')];
    const { value } = get.responses[200].content['application/json'].examples[language];
    const { body } = await app.client.rest('GET', target, { language });
    const [[key = '', shown] = []] = Object.entries<unknown[]>(value);
    expect({ [key]: body[key].slice(0, shown?.length) }).toEqual(value);
  });

  test('of tags are real requests and responses', async () => {
    let id = 0;
    for (const [method, template, status, example, language] of [
      ['POST', '/product_tags', 201, 'minimal', 'ar'],
      ['POST', '/product_tags', 201, 'create', 'en'],
      ['PUT', '/product_tags/{id}', 200, 'update', 'en'],
      ['PUT', '/product_tags/{id}', 200, 'unset', 'ar'],
    ] as const) {
      const { requestBody, responses } = description.paths[template][method.toLowerCase()];
      const { content: accepted } = resolve(requestBody, description);
      const { content: returned } = resolve(responses[status], description);
      const path = template.replace('{id}', String(id));
      const sent = accepted['application/json'].examples[example].value;
      const { body } = await app.client.rest(method, path, { token, language, body: sent });
      id = body.id;
      expect(body).toEqual({ ...returned['application/json'].examples[language].value, id });
    }
  });

  const tag = '/product_tags/1';
  const key = { 'Idempotency-Key': 'description' };
  const spicy = { name_en: 'Spicy' };
  test.each<[example: string, method: string, path: string, body: unknown, headers?: Record<string, string>]>([
    ['invalid_parameter', 'GET', '/lookups?brand_types=0', undefined],
    ['malformed_body', 'POST', '/product_tags', '{', { 'Content-Type': 'application/json' }],
    ['invalid_idempotency_key', 'POST', '/product_tags', spicy, { 'Idempotency-Key': '"' }],
    ['invalid_if_match', 'PUT', tag, spicy, { 'If-Match': 'nonsense' }],
    ['unauthenticated', 'POST', '/product_tags', {}, { Authorization: 'Bearer pp_unknown' }],
    ['read_only_token', 'POST', '/product_tags', {}, { Authorization: `Bearer ${readOnly.token}` }],
    ['product_tag_not_found', 'PUT', '/product_tags/999', spicy],
    ['version_mismatch', 'PUT', tag, spicy, { 'If-Match': '"x"' }],
    ['unsupported_media_type', 'POST', '/product_tags', 'x', { 'Content-Type': 'text/plain' }],
    ['required', 'POST', '/product_tags', {}],
    ['invalid_type', 'PUT', tag, { ...spicy, item_ids: null }],
    ['invalid_length', 'POST', '/product_tags', { name_en: 'x' }],
    ['invalid_characters', 'POST', '/product_tags', { ...spicy, name_ar: 'a\u0007bc' }],
    ['too_many_items', 'PUT', tag, { ...spicy, item_ids: Array.from({ length: 10_001 }, (_, id) => id) }],
    ['item_not_found', 'POST', '/product_tags', { ...spicy, item_ids: [12] }],
    ['item_not_product', 'POST', '/product_tags', { ...spicy, item_ids: [9] }],
    ['validation_failed', 'PUT', tag, { name_en: 'x', item_ids: [9] }],
    ['idempotency_key_reused', 'POST', '/product_tags', { name_en: 'Mild' }, key],
  ])('of %s is a real response', async (name, method, path, body, headers = {}) => {
    if (headers === key) await app.client.rest('POST', '/product_tags', { token, headers, body: spicy });
    for (const [example, language] of Object.entries({ [name]: 'en', [`${name}_ar`]: 'ar' })) {
      const described = description.components.examples[example]?.value;
      const options = { language, body, headers: { Authorization: `Bearer ${token}`, ...headers } };
      const { body: problem } = await app.client.rest(method, path, options);
      if (described) expect(problem).toEqual({ ...described, request_id: problem.request_id });
      else expect(language).toBe('ar');
    }
  });
});
