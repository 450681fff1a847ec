import { describe, expect, test } from 'vitest';
import { companyRows, mutations, surfaces, toInput } from '../support/product-tag.ts';
import { sharedApp } from '../support/test-app.ts';

const app = await sharedApp();
const large = await app.createTenant({ products: 10_001 });

// Shared by all tests, because most requests are rejected.
const tenant = await app.createTenant();
const [first = 0, second = 0] = tenant.products;
const fields = { name_en: 'Before', name_ar: 'قبل ذلك', item_ids: [first] };
const tag = await surfaces.REST.create(app.client, fields, tenant);

const methods = ['POST', 'PUT'] as const;
const send = (method: (typeof methods)[number], body: unknown, headers: Record<string, string> = {}) =>
  app.client.rest(method, method === 'POST' ? '/product_tags' : `/product_tags/${tag.id}`, {
    ...tenant,
    body,
    headers,
  });
const form = (...pairs: [string, string | number][]) =>
  new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, String(value)]));

test.each([
  '{"name_en":"Spicy","name_ar":"حار جدا","item_ids":[FIRST,SECOND]}',
  '{"product_tag":{"name_en":"Spicy","name_ar":"حار جدا","item_ids":[FIRST,SECOND]}}',
  '{"name_en":"Spicy","name_ar":"حار جدا","item_ids":[FIRST,SECOND],"id":1,"company_id":1}',
  'name_en=Spicy&name_ar=حار جدا&item_ids[]=FIRST&item_ids[]=SECOND',
  'name_en=Spicy&name_ar=حار جدا&item_ids[0]=FIRST&item_ids[1]=SECOND',
  'TAG[name_en]=Spicy&TAG[name_ar]=حار جدا&TAG[item_ids][]=FIRST&TAG[item_ids][]=SECOND',
])('%s writes the same tag', async (text) => {
  const filled = text.replace('FIRST', `${first}`).replace('SECOND', `${second}`).replaceAll('TAG', 'product_tag');
  const body = text.startsWith('{') ? JSON.parse(filled) : new URLSearchParams(filled);
  const answer = { name_en: 'Spicy', name_ar: 'حار جدا', name: 'Spicy', item_ids: [first, second] };
  const created = await send('POST', body);
  expect(created).toMatchObject({ status: 201, body: { id: created.body.id, ...answer } });
  const { tags } = await companyRows(app.db, tenant.companyId);
  expect(tags.map(({ id }) => id)).toContain(created.body.id);
  expect(await send('PUT', body)).toMatchObject({ status: 200, body: { id: tag.id, ...answer } });
});

describe('a form', () => {
  test('keeps omitted fields; an empty item_ids[] unlinks all items, an empty name_ar clears it', async () => {
    await surfaces.REST.update(app.client, tag.id, fields, tenant);
    const renamed = await send('PUT', form(['name_en', 'After']));
    expect(renamed.body).toMatchObject({ name_en: 'After', name_ar: tag.name_ar, item_ids: [first] });
    const { body } = await send('PUT', form(['name_en', 'After'], ['item_ids[]', ''], ['name_ar', '']));
    expect(body).toMatchObject({ name_ar: null, item_ids: [] });
  });

  test.each([
    ['name_en', 'item_ids[]'],
    ['product_tag[name_en]', 'product_tag[item_ids][]'],
  ])('of %s accepts at most 10,000 %s', async (name, items) => {
    const post = (ids: number[]) => {
      const body = form([name, 'Everything'], ...ids.map((id): [string, number] => [items, id]));
      return app.client.rest('POST', '/product_tags', { token: large.token, body });
    };
    const taken = await post(large.products.slice(0, 10_000));
    expect(taken).toMatchObject({ status: 201, body: { item_ids: large.products.slice(0, 10_000) } });
    expect(await post(large.products)).toMatchObject({ status: 422, body: { code: 'too_many_items' } });
  });
});

const json = { 'Content-Type': 'application/json' };
const formType = 'application/x-www-form-urlencoded';
const urlencoded = { 'Content-Type': formType };
const otherCharsets = ['utf-7', 'iso-8859-1'].map((charset) => `${formType}; charset=${charset}`);
const wrapped = (text: string) => `{"product_tag":${text}}`;
const megabyte = 'x'.repeat(1024 * 1024);

type Row = [what: string, body: string | undefined, headers: Record<string, string>, status: number, code: string];

describe.each(methods)('%s rejects a body', (method) => {
  test.each<Row>([
    ...['{', '[]', '[{"name_en":"Spicy"}]', '"Spicy"', '1', 'null', 'true'].map(
      (text): Row => [`of JSON ${text}`, text, json, 400, 'malformed_body'],
    ),
    ...['[]', 'null', '"Spicy"', '1', 'null,"name_en":"Spicy"'].map(
      (value): Row => [`with product_tag ${value}`, wrapped(value), json, 400, 'invalid_parameter'],
    ),
    ...['product_tag=Spicy', 'product_tag[]=x', 'product_tag[][name_en]=x', 'product_tag%5B%5D'].map(
      (field): Row => [`of a form with ${field}`, `${field}&name_en=x`, urlencoded, 400, 'invalid_parameter'],
    ),
    ['of a form with bytes that are not UTF-8', 'name_en=%E9t%E9', urlencoded, 400, 'malformed_body'],
    ['of a form with bad percent-encoding', 'name_en=%zz', urlencoded, 400, 'malformed_body'],
    ['of what is no gzip', '{}', { ...json, 'Content-Encoding': 'gzip' }, 400, 'malformed_body'],
    ['of JSON that is too large', JSON.stringify({ name_en: megabyte }), json, 413, 'payload_too_large'],
    ['of a form that is too large', `name_en=${megabyte}`, urlencoded, 413, 'payload_too_large'],
    ['of a form with too many parameters', 'item_ids[]=1&'.repeat(20_000), urlencoded, 413, 'payload_too_large'],
    ['in an unknown coding', '{}', { ...json, 'Content-Encoding': 'snappy' }, 415, 'unsupported_media_type'],
    ['of multipart without parts', 'a=1', { 'Content-Type': 'multipart/form-data; boundary=x' }, 400, 'malformed_body'],
    ...['text/plain', 'multipart/mixed; boundary=x', 'application/json; charset=latin1', ...otherCharsets].map(
      (type): Row => [`of ${type}`, 'a=1', { 'Content-Type': type }, 415, 'unsupported_media_type'],
    ),
    ['that is not there', undefined, {}, 422, 'required'],
    ['of no JSON', '', json, 422, 'required'],
    ['of an empty form', '', urlencoded, 422, 'required'],
  ])('%s', async (_what, body, headers, status, code) => {
    const answer = await send(method, body, headers);
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status, code });
    if (status === 415 && !headers['Content-Encoding']) expect(answer.body.detail).toMatch(/ Use application\//);
    if (code === 'invalid_parameter') expect(answer.body.errors).toEqual({ product_tag: [expect.any(String)] });
    if (status === 422) expect(answer.body.errors).toEqual({ name_en: [expect.any(String)] });
  });
});

describe('a value of the wrong type is 422 with its field, and writes nothing', () => {
  const typed = (field: string, values: string[], json: (value: string) => string) =>
    values.map((value): [string, string, string] => [field, 'invalid_type', json(value)]);
  const numbers = ['1', '"1"', '"1,2"', 'true', '{}', '{"0":1}'];
  const elements = ['"x"', '"1 2"', '"1.5"', '1.5', '1e400', '[]', '[1]', '{"id":1}', 'true'];
  const items = ['=x', '[]=x', '[]=1.5', '[]=0x10', '[]=1,2', '[id]=1', '[][id]=1'];

  test.each([
    ['name_en', 'required', '{"name_en":null}'],
    ['name_ar', 'invalid_length', '{"name_en":"Spicy","name_ar":""}'],
    ...typed('name_en', ['12345', '["Spicy"]', '{"en":"Spicy"}', 'true'], (value) => `{"name_en":${value}}`),
    ...typed('name_ar', ['12345', '[]', '{}', 'false'], (value) => `{"name_en":"Spicy","name_ar":${value}}`),
    ...typed('item_ids', numbers, (value) => `{"name_en":"Spicy","item_ids":${value}}`),
    ...typed('item_ids', elements, (value) => `{"name_en":"Spicy","item_ids":[${value}]}`),
    ['name_en', 'required', 'name_ar=Spicy'],
    ['name_en', 'invalid_length', 'name_en='],
    ...typed('name_en', ['[a][b]=1', '=Spicy&name_en=Mild'], (rest) => `name_en${rest}`),
    ...typed('item_ids', items, (rest) => `name_en=Spicy&item_ids${rest}`),
  ])('%s: %s for %s', async (field, code, text) => {
    const isJson = text.startsWith('{');
    const before = await companyRows(app.db, tenant.companyId);
    for (const body of isJson ? [text, wrapped(text)] : [text]) {
      for (const method of methods) {
        const { status, body: problem } = await send(method, body, isJson ? json : urlencoded);
        expect({ status, code: problem.code }).toEqual({ status: 422, code });
        expect(problem.errors).toEqual({ [field]: [expect.any(String)] });
      }
    }
    expect(await companyRows(app.db, tenant.companyId)).toEqual(before);
  });

  test.each([
    ['POST', 201],
    ['PUT', 422],
  ] as const)('except item_ids: null on %s, which is %d', async (method, status) => {
    const unset = { name_en: 'Spicy', item_ids: null };
    for (const body of [unset, { product_tag: unset }]) expect(await send(method, body)).toMatchObject({ status });
    const input = { input: toInput(unset), id: tag.id };
    const { create, update } = mutations;
    const { body } = await app.client.graphql(method === 'POST' ? create : update, input, tenant);
    const [outcome] = Object.values<{ userErrors: object[] }>(body.data);
    expect(outcome?.userErrors).toMatchObject(status === 201 ? [] : [{ code: 'INVALID_TYPE' }]);
  });

  test('all invalid fields are reported together', async () => {
    const { body } = await send('POST', { name_ar: 1, item_ids: 'all' });
    expect(body.code).toBe('validation_failed');
    expect(Object.keys(body.errors).toSorted()).toEqual(['item_ids', 'name_ar', 'name_en']);
  });
});

test.each([
  ...['2147483648', '-2147483649', '9007199254740992', '9007199254740993', '-9007199254740993', '1000000000000000'],
  ...['123456789012345678901234567890', '1'.repeat(50), '0'.repeat(50) + '1'.repeat(50)],
])('the item %s is unknown, and reported as sent', async (id) => {
  const bodies = [
    `{"product_tag":{"name_en":"Spicy","item_ids":["${id}"]}}`,
    form(['name_en', 'Spicy'], ['item_ids[]', id]),
  ];
  for (const body of bodies) {
    const answer = await send('POST', body, typeof body === 'string' ? { 'Content-Type': 'application/json' } : {});
    expect(answer).toMatchObject({ status: 422, body: { code: 'item_not_found' } });
    expect(answer.body.errors).toEqual({ item_ids: [expect.stringMatching(`[ ,]${id}[ ,.]`)] });
  }
  // It is reported together with all other errors.
  const { body } = await send('PUT', { name_en: 'ab', item_ids: [Number(id), 2 ** 31 - 1, tenant.modifier] });
  expect(Object.keys(body.errors)).toEqual(['name_en', 'item_ids']);
  for (const each of [2 ** 31 - 1, tenant.modifier]) expect(body.errors.item_ids.join(' ')).toContain(String(each));
});

test.each([
  ['2147483648', '2147483648'],
  ['9007199254740993', '9007199254740992'],
  ['9007199254740993.0', '9007199254740992'],
  ['1e20', '100000000000000000000'],
  ['1e300', '1e[+]300'],
  [`"${'9'.repeat(200)}"`, '9'.repeat(100)],
])('the number %s is an unknown item, reported as %s', async (id, named) => {
  const { body } = await send('POST', `{"name_en":"Spicy","item_ids":[${id}]}`, { 'Content-Type': 'application/json' });
  expect(body).toMatchObject({
    code: 'item_not_found',
    errors: { item_ids: [expect.stringMatching(`[ ,]${named}[ ,.]`)] },
  });
});

test.each([
  ['a fraction of many digits', `1.5${'0'.repeat(500_000)}1`],
  ['arrays in arrays', '['.repeat(4_000) + ']'.repeat(4_000)],
  ['an integer of many digits', '9'.repeat(500_000)],
])(
  '%s beside an item above 2^53 is parsed in linear time',
  async (_, value) => {
    const body = `{"name_en":"Spicy","item_ids":[1e300],"x":${value}}`;
    expect(await send('POST', body, { 'Content-Type': 'application/json' })).toMatchObject({
      status: 422,
      body: { code: 'item_not_found' },
    });
  },
  10_000,
);

test('an unknown id in the path is 404', async () => {
  const put = async (id: string | number) =>
    (await app.client.rest('PUT', `/product_tags/${id}`, { ...tenant, body: { name_en: 'Spicy' } })).status;
  const largest = 2 ** 31 - 1;
  const { id: created } = await surfaces.REST.create(app.client, { name_en: 'Last' }, tenant);
  await app.db.updateTable('productTags').set({ id: largest }).where('id', '=', created).execute();
  expect(await put(largest)).toBe(200);
  for (const id of ['abc', '1.5', '1x', '1e3', '%20', '0', '-1', largest + 1, '99999999999999999999', '1,2']) {
    expect([id, await put(id)]).toEqual([id, 404]);
  }
});
