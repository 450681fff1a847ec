import { beforeEach, describe, expect, test } from 'vitest';
import type { Tenant } from '../support/tenant.ts';
import { sharedApp } from '../support/test-app.ts';

// Requests of Rails clients that openapi.yaml does not describe keep their meaning.

const app = await sharedApp();

let tenant: Tenant;
let first: number;
let second: number;
beforeEach(async () => {
  tenant = await app.createTenant();
  [first = 0, second = 0] = tenant.products;
});

/** A request that does not match the contract's description. */
async function send(method: string, path: string, body?: string, headers: Record<string, string> = {}) {
  const authorization = { Authorization: `Bearer ${tenant.token}` };
  const response = await fetch(`${app.url}/partner_portal/v1${path}`, {
    method,
    headers: { ...authorization, ...headers },
    ...(body !== undefined && { body }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests check the body key by key
  const answer: any = await response.json();
  return { status: response.status, headers: response.headers, body: answer };
}

const get = async (path: string) => (await send('GET', path)).body;
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const json = { 'Content-Type': 'application/json' };

describe('a body', () => {
  test.each<[text: string, itemIds: () => number[]]>([
    ['{"product_tag":{"name_en":"Spicy"},"item_ids":[FIRST],"name_en":"Outer"}', () => [first]],
    ['{"product_tag":{"name_en":"Spicy","item_ids":[]},"item_ids":[FIRST]}', () => []],
    ['{"product_tag":{},"name_en":"Spicy","item_ids":[FIRST]}', () => [first]],
    ['{"name_en":"Spicy","item_ids":["FIRST",SECOND]}', () => [first, second]],
    ['product_tag[name_en]=Spicy&item_ids[]=FIRST&name_en=Outer', () => [first]],
    ['product_tag[name_en]=Spicy&product_tag[item_ids][]=FIRST&item_ids[]=SECOND', () => [first]],
    ['name_en=Spicy&item_ids=FIRST', () => [first]],
    ['name_en=Spicy&item_ids=FIRST&item_ids=SECOND', () => [first, second]],
    ['name_en=Spicy&item_ids=', () => []],
    ['name_en=Spicy&item_ids[]=', () => []],
  ])('%s keeps its fields and items', async (text, itemIds) => {
    const body = text.replace('FIRST', String(first)).replace('SECOND', String(second));
    const type = body.startsWith('{') ? json : form;
    const created = await send('POST', '/product_tags', body, type);
    expect(created).toMatchObject({ status: 201, body: { name_en: 'Spicy', item_ids: itemIds() } });
    const updated = await send('PUT', `/product_tags/${created.body.id}.json`, body, type);
    expect(updated).toMatchObject({ status: 200, body: created.body });
  });

  test('of JSON sent as a form is rejected with the right Content-Type', async () => {
    const advice = 'The body looks like JSON but was sent as a form. Send it with Content-Type: application/json.';
    const missing = await send('POST', '/product_tags', '{"name_en":"Spicy"}', form);
    expect(missing.body).toMatchObject({
      status: 422,
      code: 'required',
      detail: `English name is required. ${advice}`,
    });
    const malformed = await send('POST', '/product_tags', '{"name_en":"50% off"}', form);
    expect(malformed.body).toMatchObject({ status: 400, code: 'malformed_body' });
    expect(malformed.body.detail).toContain(advice);
    const arabic = await send('POST', '/product_tags', '{"name_en":"50% off"}', { ...form, 'Accept-Language': 'ar' });
    expect(arabic.body.detail).toMatch(
      /\. \p{Script=Arabic}[^.]+ JSON [^.]+\. \p{Script=Arabic}[^.]+ Content-Type: application\/json\.$/u,
    );
  });
});

test('fields in the query string are ignored', async () => {
  const path = `/product_tags?item_ids[]=${first}&name_ar=حار`;
  const created = await send('POST', path, '{"name_en":"Spicy"}', json);
  expect(created).toMatchObject({ status: 201, body: { name_ar: null, item_ids: [] } });
});

test.each([
  ['.json', ''],
  ['/cities?country_id[]=682', '/cities?country_id=682'],
  ['/cities?country_id[]=4&country_id[0]=682', '/cities?country_id=682'],
  ['/cities?country_id=', '/cities'],
  ['/lookups?brand_types[]=1&week_days[]=1', '/lookups?brand_types=1&week_days=1'],
  ['/countries.json', '/countries'],
  ['/cities.json?country_id=682', '/cities?country_id=682'],
  ['/lookups.json?services=1', '/lookups?services=1'],
  ['/%63ountries', '/countries'],
  ['/%63ountries%2Ejson', '/countries'],
])('%s is the same as %s', async (path, like) => {
  expect(await get(path)).toEqual(await get(like));
});

test.each([
  ['/cities?country_id[]=x', 400, 'invalid_parameter'],
  ['/lookups?brand_types[]=', 400, 'invalid_parameter'],
  ['/Countries', 404, 'not_found'],
  ['/%43ountries', 404, 'not_found'],
  ['/countries%2Fx', 404, 'not_found'],
  ['/countries.xml', 404, 'not_found'],
  ['/%zz', 400, 'malformed_request'],
  ['/product_tags/%E0%A4%A', 400, 'malformed_request'],
  ['/countries/%ff', 400, 'malformed_request'],
])('%s is %d %s', async (path, status, code) => {
  expect(await send('GET', path)).toMatchObject({ status, body: { code } });
});

test('a weak If-Match never matches', async () => {
  const created = await send('POST', '/product_tags', '{"name_en":"Spicy"}', json);
  const etag = created.headers.get('etag');
  const update = (ifMatch: string) =>
    send('PUT', `/product_tags/${created.body.id}`, '{"name_en":"Mild"}', { ...json, 'If-Match': ifMatch });
  expect(await update(`W/${etag}`)).toMatchObject({ status: 412, body: { code: 'version_mismatch' } });
  expect(await update(`${etag}`)).toMatchObject({ status: 200 });
});
