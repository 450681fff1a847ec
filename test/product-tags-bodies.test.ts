import { beforeEach, describe, expect, test } from 'vitest';
import { sharedApp } from './support/app.ts';
import { companyRows, surfaces, type Tag } from './support/product-tag.ts';
import { createTenant, type Tenant } from './support/tenant.ts';

let tenant: Tenant;
let tag: Tag;
let first: number;
let second: number;
const app = await sharedApp();
beforeEach(async () => {
  tenant = await createTenant(app.db);
  [first = 0, second = 0] = tenant.products;
  const fields = { name_en: 'Before', name_ar: 'قبل ذلك', item_ids: [first] };
  tag = await surfaces.REST.create(app.client, fields, tenant);
});

const post = (body: unknown) => app.client.rest('POST', '/product_tags', { token: tenant.token, body });
const put = (body: unknown) => app.client.rest('PUT', `/product_tags/${tag.id}`, { token: tenant.token, body });
const sendJson = (method: 'POST' | 'PUT', body: string) =>
  app.client.rest(method, method === 'POST' ? '/product_tags' : `/product_tags/${tag.id}`, {
    token: tenant.token,
    body,
    headers: { 'Content-Type': 'application/json' },
  });
const form = (...pairs: [string, string | number][]) =>
  new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, String(value)]));

describe('what is written is the same', () => {
  const bodies: { encoding: string; body(): unknown }[] = [
    { encoding: 'JSON', body: () => ({ name_en: 'Spicy', name_ar: 'حار جدا', item_ids: [first, second] }) },
    {
      encoding: 'JSON wrapped in product_tag',
      body: () => ({ product_tag: { name_en: 'Spicy', name_ar: 'حار جدا', item_ids: [first, second] } }),
    },
    {
      encoding: 'JSON with fields that nobody knows',
      body: () => ({ name_en: 'Spicy', name_ar: 'حار جدا', item_ids: [first, second], id: 1, company_id: 1 }),
    },
    {
      encoding: 'a form with item_ids[]',
      body: () => form(['name_en', 'Spicy'], ['name_ar', 'حار جدا'], ['item_ids[]', first], ['item_ids[]', second]),
    },
    {
      encoding: 'a form with item_ids[0]',
      body: () => form(['name_en', 'Spicy'], ['name_ar', 'حار جدا'], ['item_ids[0]', first], ['item_ids[1]', second]),
    },
    {
      encoding: 'a form wrapped in product_tag',
      body: () =>
        form(
          ['product_tag[name_en]', 'Spicy'],
          ['product_tag[name_ar]', 'حار جدا'],
          ['product_tag[item_ids][]', first],
          ['product_tag[item_ids][]', second],
        ),
    },
  ];

  test.each(bodies)('from $encoding', async ({ body }) => {
    const answer = { name_en: 'Spicy', name_ar: 'حار جدا', name: 'Spicy', item_ids: [first, second] };
    const created = await post(body());
    expect(created.status).toBe(201);
    expect(created.body).toEqual({ id: created.body.id, ...answer });
    const row = app.db.selectFrom('productTags').select('companyId').where('id', '=', created.body.id);
    expect(await row.executeTakeFirst()).toEqual({ companyId: tenant.companyId });
    expect(await put(body())).toMatchObject({ status: 200, body: { id: tag.id, ...answer } });
  });
});

describe('a form', () => {
  test('leaves on update what it does not name', async () => {
    const { body } = await put(form(['name_en', 'After']));
    expect(body).toMatchObject({ name_en: 'After', name_ar: tag.name_ar, item_ids: [first] });
  });

  test('unlinks all items by one empty item_ids[], and unsets name_ar by an empty value', async () => {
    const { body } = await put(form(['name_en', 'After'], ['item_ids[]', ''], ['name_ar', '']));
    expect(body).toMatchObject({ name_ar: null, item_ids: [] });
  });

  test.each(['item_ids[]', 'product_tag[item_ids][]'])('takes 10,000 items of %s and not one more', async (name) => {
    const large = await createTenant(app.db, { products: 10_001 });
    const wrapped = name.startsWith('product_tag');
    const send = (ids: number[]) =>
      app.client.rest('POST', '/product_tags', {
        token: large.token,
        body: form(
          [wrapped ? 'product_tag[name_en]' : 'name_en', 'Everything'],
          ...ids.map((id): [string, number] => [name, id]),
        ),
      });
    const taken = await send(large.products.slice(0, 10_000));
    expect(taken.body.item_ids).toEqual(large.products.slice(0, 10_000));
    const refused = await send(large.products);
    expect(refused).toMatchObject({ status: 422, body: { code: 'too_many_items' } });
  });
});

test('a form of 10,000 indexed items costs no more than JSON of as many, by an order of magnitude', async () => {
  const ids = Array.from({ length: 10_000 }, (_, index) => index);
  const indexed = form(...ids.map((id): [string, number] => [`item_ids[${id}]`, id]));
  const json = { 'Content-Type': 'application/json' };
  const url = `${app.url}/partner_portal/v1/product_tags`;
  // Both lack the name, so that only reading them costs.
  const fastest = async (body: string | URLSearchParams, headers = {}) => {
    const times: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      const start = performance.now();
      const authorization = `Bearer ${tenant.token}`;
      const { status } = await fetch(url, { method: 'POST', body, headers: { ...headers, authorization } });
      expect(status).toBe(422);
      times.push(performance.now() - start);
    }
    return Math.min(...times);
  };
  expect(await fastest(indexed)).toBeLessThan(20 * (await fastest(JSON.stringify({ item_ids: ids }), json)));
});

test('a form in another charset than UTF-8 is 415, and one with bad percent-encoding 400', async () => {
  const send = (body: string, charset: string) => {
    const headers = { 'Content-Type': `application/x-www-form-urlencoded; charset=${charset}` };
    return app.client.rest('POST', '/product_tags', { token: tenant.token, body, headers });
  };
  expect(await send('name_en=Spicy', 'UTF-8')).toMatchObject({ status: 201 });
  expect(await send('name_en=Spicy', 'iso-8859-1')).toMatchObject({ status: 415 });
  expect(await send('name_en=%E9t%E9', 'utf-8')).toMatchObject({ status: 400, body: { code: 'malformed_body' } });
});

describe('a value of the wrong type is 422 naming the field, and nothing is written', () => {
  test.each([
    { field: 'name_en', code: 'required', json: '{}' },
    { field: 'name_en', code: 'required', json: '{"name_en":null}' },
    ...['12345', '["Spicy"]', '{"en":"Spicy"}', 'true'].map((value) => ({
      field: 'name_en',
      code: 'invalid_type',
      json: `{"name_en":${value}}`,
    })),
    ...['12345', '[]', '{}', 'false'].map((value) => ({
      field: 'name_ar',
      code: 'invalid_type',
      json: `{"name_en":"Spicy","name_ar":${value}}`,
    })),
    { field: 'name_ar', code: 'invalid_length', json: '{"name_en":"Spicy","name_ar":""}' },
    ...['null', '1', '"1"', '"1,2"', 'true', '{}', '{"0":1}'].map((value) => ({
      field: 'item_ids',
      code: 'invalid_type',
      json: `{"name_en":"Spicy","item_ids":${value}}`,
    })),
    ...['"1"', '""', '1.5', '1e400', 'null', '[1]', '{"id":1}', 'true'].map((element) => ({
      field: 'item_ids',
      code: 'invalid_type',
      json: `{"name_en":"Spicy","item_ids":[${element}]}`,
    })),
  ])('$field: $code for $json', async ({ field, code, json }) => {
    const before = await companyRows(app.db, tenant.companyId);
    const answers = [await sendJson('POST', json), await sendJson('PUT', json)];
    answers.push(await sendJson('POST', `{"product_tag":${json}}`));
    for (const { status, body } of answers) {
      expect(status).toBe(422);
      expect(body.code).toBe(code);
      expect(body.errors).toEqual({ [field]: [expect.any(String)] });
    }
    expect(await companyRows(app.db, tenant.companyId)).toEqual(before);
  });

  test.each([
    { field: 'name_en', code: 'required', sent: 'name_ar=Spicy' },
    { field: 'name_en', code: 'invalid_length', sent: 'name_en=' },
    ...['item_ids=1', 'item_ids=', 'item_ids[]=x', 'item_ids[]=1.5', 'item_ids[]=0x10', 'item_ids[]=1,2'].map(
      (pair) => ({
        field: 'item_ids',
        code: 'invalid_type',
        sent: `name_en=Spicy&${pair}`,
      }),
    ),
    { field: 'item_ids', code: 'invalid_type', sent: 'name_en=Spicy&item_ids[id]=1' },
    { field: 'item_ids', code: 'invalid_type', sent: 'name_en=Spicy&item_ids[][id]=1' },
  ])('$field: $code for the form $sent', async ({ field, code, sent }) => {
    const { status, body } = await put(new URLSearchParams(sent));
    expect(status).toBe(422);
    expect(body.code).toBe(code);
    expect(body.errors).toEqual({ [field]: [expect.any(String)] });
  });

  test('every such field is named at once', async () => {
    const { body } = await post({ name_ar: 1, item_ids: 'all' });
    expect(body.code).toBe('validation_failed');
    expect(Object.keys(body.errors).toSorted()).toEqual(['item_ids', 'name_ar', 'name_en']);
  });
});

describe('an id that no 32-bit integer can hold', () => {
  test.each([2 ** 31, -(2 ** 31) - 1, 2 ** 53, 10 ** 15])('is an item that does not exist: %d', async (id) => {
    for (const body of [{ name_en: 'Spicy', item_ids: [id] }, form(['name_en', 'Spicy'], ['item_ids[]', id])]) {
      const answer = await post(body);
      expect(answer).toMatchObject({ status: 422, body: { code: 'item_not_found' } });
      expect(answer.body.errors).toEqual({ item_ids: [expect.stringContaining(String(id))] });
    }
  });

  test('is named together with all else that is wrong', async () => {
    const { body } = await put({ name_en: 'ab', item_ids: [2 ** 31, 2 ** 31 - 1, tenant.modifier] });
    expect(Object.keys(body.errors)).toEqual(['name_en', 'item_ids']);
    const told = body.errors.item_ids.join(' ');
    for (const id of [2 ** 31, 2 ** 31 - 1, tenant.modifier]) expect(told).toContain(String(id));
  });
});

describe('a path whose id names no tag is 404', () => {
  test.each(['abc', '1.5', '1e3', '%20', '0', '-1', '2147483648', '99999999999999999999', '1,2'])('%s', async (id) => {
    const options = { token: tenant.token, body: { name_en: 'Spicy' } };
    const { status, headers, body } = await app.client.rest('PUT', `/product_tags/${id}`, options);
    expect(status).toBe(404);
    expect(headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(body.status).toBe(404);
  });

  test('2147483648 is not the tag 2147483647', async () => {
    const id = 2 ** 31 - 1;
    await app.db
      .updateTable('productTags')
      .set({ id })
      .where('id', '=', (await post({ name_en: 'Last' })).body.id)
      .execute();
    const options = { token: tenant.token, body: { name_en: 'Renamed' } };
    expect((await app.client.rest('PUT', `/product_tags/${id + 1}`, options)).status).toBe(404);
    expect((await app.client.rest('PUT', `/product_tags/${id}`, options)).status).toBe(200);
  });
});

describe('a body that is no object', () => {
  test.each([
    '[]',
    '[{"name_en":"Spicy"}]',
    '"Spicy"',
    '1',
    'null',
    'true',
    '{"product_tag":[]}',
    '{"product_tag":null}',
    '{',
  ])('of JSON %s is 400', async (text) => {
    const { status, body } = await sendJson('POST', text);
    expect(status).toBe(400);
    expect(body).toMatchObject({ status: 400, code: 'malformed_body' });
  });

  test('of a form that has a text as product_tag is 400', async () => {
    expect(await post(form(['product_tag', 'Spicy']))).toMatchObject({ status: 400, body: { code: 'malformed_body' } });
  });

  test.each([
    { what: 'no body', send: () => post(undefined) },
    { what: 'an empty JSON body', send: () => sendJson('POST', '') },
    { what: 'an empty object', send: () => post({}) },
    { what: 'an empty form', send: () => post(form()) },
  ])('$what lacks the required name_en', async ({ send }) => {
    const { status, body } = await send();
    expect(status).toBe(422);
    expect(body).toMatchObject({ code: 'required', errors: { name_en: [expect.any(String)] } });
  });
});
