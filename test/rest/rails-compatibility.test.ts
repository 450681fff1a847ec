import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { methods } from '../../src/platform/http/routes.ts';
import { resolveMethod } from '../../src/surfaces/rest/product-tag-routes.ts';
import { sharedApp } from '../support/test-app.ts';

// Requests of Rails clients that openapi.yaml does not describe keep their meaning.

type Body = NonNullable<RequestInit['body']>;

const app = await sharedApp();

const tenant = await app.createTenant();
const [first = 0, second = 0] = tenant.products;

/** A request that does not match the contract's description. */
async function send(method: string, path: string, body?: Body, headers: Record<string, string> = {}) {
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
    ['{"name_en":"Spicy","item_ids":[null,FIRST,""," SECOND ","\\t\\n"]}', () => [first, second]],
    ['{"product_tag":{"name_en":"Spicy","item_ids":["\u00a0FIRST","\u3000"]}}', () => [first]],
    ['{"name_en":"Spicy","item_ids":[null]}', () => []],
    ['{"name_en":"Spicy","item_ids":["", "  "]}', () => []],
    ['product_tag[name_en]=Spicy&item_ids[]=FIRST&name_en=Outer', () => [first]],
    ['name_en=Spicy&item_ids[]=&item_ids[]=+FIRST%20&item_ids[]=%09', () => [first]],
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
    const updated = await send('PUT', `/product_tags/${created.body.id}.json//`, body, type);
    expect(updated).toMatchObject({ status: 200, body: created.body });
  });

  test.each(['text/x-json', 'Text/X-JSON; charset=utf-8', 'application/jsonrequest'])('of %s is JSON', async (type) => {
    const headers = { 'Content-Type': type };
    const created = await send('POST', '/product_tags', '{"name_en":"Spicy"}', headers);
    expect(created).toMatchObject({ status: 201, body: { name_en: 'Spicy' } });
    const updated = await send('PUT', `/product_tags/${created.body.id}`, '{"name_en":"Mild"}', headers);
    expect(updated).toMatchObject({ status: 200, body: { name_en: 'Mild' } });
    expect(await send('POST', '/product_tags', '{', headers)).toMatchObject({
      status: 400,
      body: { code: 'malformed_body' },
    });
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

test.each<[headers: Record<string, string>, body?: Body]>([
  [{ ...json, 'Content-Encoding': '' }],
  [{ ...json, 'Content-Encoding': 'identity' }],
  [{ ...json, 'Content-Encoding': 'x-gzip' }, gzipSync('{"name_en":"Spicy"}')],
  ...['', '"utf-8"', "'UTF-8'", 'utf8', ' UTF-8 ; x=y', 'us-ascii'].map((charset): [Record<string, string>] => [
    { 'Content-Type': `application/json; charset=${charset}` },
  ]),
  [{ 'Content-Type': 'Application/JSON;' }],
  [{ 'Content-Type': 'application/x-www-form-urlencoded; charset=' }, 'name_en=Spicy'],
])('a body with the headers %j is read', async (headers, body = '{"name_en":"Spicy"}') => {
  expect(await send('POST', '/product_tags', body, headers)).toMatchObject({ status: 201, body: { name_en: 'Spicy' } });
});

describe('multipart/form-data', () => {
  /** The parts of a body, as lists of their lines. */
  const multipart = (parts: string[][], end = '--x--\r\n') =>
    parts
      .map(([header, ...rest]) => `--x\r\n${[`Content-Disposition: form-data; ${header}`, ...rest].join('\r\n')}\r\n`)
      .join('') + end;
  const multipartType = { 'Content-Type': 'multipart/form-data; boundary=x' };
  const named = (name: string, value: string) => [`name="${name}"`, '', value];

  test('is read as a form: from fetch, wrapped, and with extra headers', async () => {
    const data = new FormData();
    for (const [name, value] of [
      ['product_tag[name_en]', 'Spicy'],
      ['product_tag[name_ar]', 'حار'],
      ['product_tag[item_ids][]', `${first}`],
      ['product_tag[item_ids][]', `${second}`],
    ] as const)
      data.append(name, value);
    const created = await send('POST', '/product_tags', data);
    expect(created).toMatchObject({
      status: 201,
      body: { name_en: 'Spicy', name_ar: 'حار', item_ids: [first, second] },
    });
    const { id } = created.body;
    for (const [parts, change] of [
      [[named('name_en', 'Mild'), named('item_ids[0]', `${second}`)], { name_en: 'Mild', item_ids: [second] }],
      [
        [['name=name_en', 'Content-Type: text/plain; charset=utf-8', '', 'Été'], named('name_ar', '')],
        { name_en: 'Été', name_ar: null },
      ],
      [
        [['name="name_en"', 'Content-Type: application/octet-stream', '', 'Hot'], named('item_ids[]', '')],
        { name_en: 'Hot', item_ids: [] },
      ],
      [
        [
          [
            'name="name_en"',
            'Content-Transfer-Encoding: 8bit',
            'Content-Type: text/plain; charset=ISO-8859-1',
            '',
            'Sweet',
          ],
        ],
        { name_en: 'Sweet' },
      ],
      ...['ISO-8859-1', 'foo', "'utf-8'", ''].map(
        (charset) =>
          [
            [['name="name_en"', `Content-Type: text/plain; charset=${charset}`, '', 'حلو']],
            { name_en: 'حلو', item_ids: [] },
          ] as const,
      ),
      [
        [named('name_en', 'Bitter'), ['name="item_ids[]";', '', `${first}`], ['name=item_ids[]', '', `${second}`]],
        { name_en: 'Bitter', item_ids: [first, second] },
      ],
      [
        [named('name_en', 'Sour'), ['name="photo"; filename=""', 'Content-Type: application/octet-stream', '', '']],
        { name_en: 'Sour' },
      ],
    ] as const) {
      const body = multipart(parts.map((part) => [...part]));
      expect(await send('PUT', `/product_tags/${id}`, body, multipartType)).toMatchObject({
        status: 200,
        body: change,
      });
    }
  });

  test.each([
    ['x', 'multipart/form-data; boundary=x;'],
    ['x', 'multipart/form-data; charset=; boundary=x'],
    ['x', 'multipart/form-data; charset; boundary="x"'],
    ['x', 'Multipart/Form-Data;; boundary= x ;;'],
    ['===1700000000000===', 'multipart/form-data; boundary====1700000000000==='],
    ['a b:?', 'multipart/form-data; boundary="a b:?"; charset=utf-8'],
  ])('with the boundary %s is read by %s', async (boundary, contentType) => {
    const body = multipart([named('name_en', 'Spicy')]).replaceAll('--x', `--${boundary}`);
    expect(await send('POST', '/product_tags', body, { 'Content-Type': contentType })).toMatchObject({ status: 201 });
  });

  const spicy = named('name_en', 'Spicy');
  const file = (name: string, value: string) => [
    `name="${name}"; filename="a.png"`,
    'Content-Type: image/png',
    '',
    value,
  ];
  const latin1 = ['name="name_en"', 'Content-Type: text/plain; charset=ISO-8859-1', '', 'Été'];
  test.each<[what: string, status: number, code: string, body: Body, contentType?: string]>([
    ['a file with an encoded name', 415, 'unsupported_media_type', multipart([[`name=a; filename*=utf-8''a`, '', '']])],
    ['a file', 415, 'unsupported_media_type', multipart([spicy, file('photo', 'x')])],
    ['a file of other bytes', 415, 'unsupported_media_type', Buffer.from(multipart([file('name_en', 'é')]), 'latin1')],
    ['bytes that are not UTF-8', 400, 'malformed_body', Buffer.from(multipart([named('name_en', 'Été')]), 'latin1')],
    ['bytes of a named charset', 400, 'malformed_body', Buffer.from(multipart([latin1]), 'latin1')],
    ['a name that is not UTF-8', 400, 'malformed_body', Buffer.from(multipart([spicy, named('é', '')]), 'latin1')],
    ['a part without a name', 400, 'malformed_body', multipart([spicy, ['x=name_ar', '', 'x']])],
    ['a part without headers', 400, 'malformed_body', `--x\r\n\r\nx\r\n${multipart([spicy])}`],
    ['a part that is cut off', 400, 'malformed_body', `--x\r\nContent-Disposition: form-data\r\n${multipart([spicy])}`],
    ['a malformed header', 400, 'malformed_body', `--x\r\nname_ar\r\n\r\nx\r\n${multipart([spicy])}`],
    ['no end, after a long part', 400, 'malformed_body', multipart([named('a', 'x'.repeat(99_999)), spicy], '')],
    ['no end', 400, 'malformed_body', multipart([spicy], '')],
    ['no boundary', 400, 'malformed_body', multipart([spicy]), 'multipart/form-data'],
    ['another boundary', 400, 'malformed_body', multipart([spicy]), 'multipart/form-data; boundary=y'],
    [
      'another charset',
      415,
      'unsupported_media_type',
      multipart([spicy]),
      'multipart/form-data; boundary=x; charset=latin1',
    ],
    ['a thousand parts', 422, 'required', multipart(Array.from({ length: 1_000 }, () => ['name=a', '', '']))],
    ['too many parts', 413, 'payload_too_large', multipart(Array.from({ length: 1_001 }, () => ['name=a', '', '']))],
    ['too many bytes', 413, 'payload_too_large', multipart([named('name_en', 'x'.repeat(600_000))])],
    ['a text as product_tag', 400, 'invalid_parameter', multipart([named('product_tag', 'x'), spicy])],
    ['a list as product_tag', 400, 'invalid_parameter', multipart([named('product_tag[]', 'x'), spicy])],
    ['no fields', 422, 'required', multipart([])],
    ['a field twice', 422, 'invalid_type', multipart([spicy, spicy])],
  ])('with %s is %d %s', async (what, status, code, body, contentType = multipartType['Content-Type']) => {
    const answer = await send('POST', '/product_tags', body, { 'Content-Type': contentType });
    expect(answer).toMatchObject({ status, body: { code } });
    if (what === 'too many parts') expect(answer.body.detail).toMatch(/at most 1,000 parts. .* JSON/);
    if (!what.startsWith('a file')) return;
    const other = await send('POST', '/product_tags', 'x', { 'Content-Type': 'text/plain' });
    expect(answer.body.detail).toContain(`${other.body.detail} The form contains a file.`);
  });
});

describe('as Rails routes them', () => {
  const fields = { name_en: 'Spicy' };
  const body = (more: object = {}) => new URLSearchParams({ ...fields, ...more }).toString();
  const override = (method: string) => ({ ...json, 'X-HTTP-Method-Override': method });
  const countTags = async () => {
    const tags = app.db.selectFrom('productTags').select('id').where('companyId', '=', tenant.companyId);
    return (await tags.execute()).length;
  };
  let id: number;
  beforeEach(async () => {
    await app.db.deleteFrom('productTags').where('companyId', '=', tenant.companyId).execute();
    id = (await send('POST', '/product_tags', body({ name_en: 'Before' }), form)).body.id;
  });

  test.each<[what: string, method: string, body: () => Body, headers?: Record<string, string>]>([
    ['PATCH', 'PATCH', () => JSON.stringify(fields), json],
    ['PATCH with a form', 'PATCH', () => body(), form],
    ['_method=put in a form', 'POST', () => body({ _method: 'put' }), form],
    ['_method=PATCH in a form', 'POST', () => body({ _method: 'PATCH' }), form],
    ['the last _method of a form', 'POST', () => `_method=delete&${body({ _method: 'put' })}`, form],
    [
      '_method before a header',
      'POST',
      () => body({ _method: 'put' }),
      { ...form, 'X-HTTP-Method-Override': 'DELETE' },
    ],
    ['_method in a multipart form', 'POST', () => formData({ ...fields, _method: 'patch' })],
    ['X-HTTP-Method-Override: PUT', 'POST', () => JSON.stringify(fields), override('PUT')],
    ['X-HTTP-Method-Override: patch', 'POST', () => JSON.stringify(fields), override('patch')],
  ])('%s updates a tag', async (_what, method, sent, headers) => {
    expect(await send(method, `/product_tags/${id}`, sent(), headers)).toMatchObject({
      status: 200,
      body: { id, ...fields },
    });
    expect(await send(method, '/product_tags/999999999', sent(), headers)).toMatchObject({ status: 404 });
    // The same as a PUT there, which creates nothing.
    expect(await send(method, '/product_tags', sent(), headers)).toMatchObject({ status: 405 });
    expect(await countTags()).toBe(1);
  });

  test.each<
    [what: string, path: (id: number) => string, body: () => string, status: number, headers?: Record<string, string>]
  >([
    ['_method=link in a form', (tag) => `/product_tags/${tag}`, () => body({ _method: 'link' }), 405],
    ['_method=delete where tags are created', () => '/product_tags', () => body({ _method: 'delete' }), 405],
    ['_method=get', () => '/product_tags', () => body({ _method: 'get' }), 405],
    ['X-HTTP-Method-Override: LINK', (tag) => `/product_tags/${tag}`, () => '{}', 405, override('LINK')],
    ['X-HTTP-Method-Override: HEAD', () => '/product_tags', () => JSON.stringify(fields), 405, override('HEAD')],
    ['_method in the query', (tag) => `/product_tags/${tag}?_method=put`, () => body(), 405],
    ['_method in JSON', (tag) => `/product_tags/${tag}`, () => '{"_method":"put","name_en":"Spicy"}', 405, json],
    ['an unknown _method', () => '/product_tags', () => body({ _method: 'x' }), 201],
    ['_method=post', () => '/product_tags', () => body({ _method: 'post' }), 201],
    ['an empty override', () => '/product_tags', () => JSON.stringify(fields), 201, override('')],
  ])('%s does not update a tag', async (_what, path, sent, status, headers = form) => {
    const answer = await send('POST', path(id), sent(), headers);
    expect(answer).toMatchObject({ status });
    const { headers: options } = await app.client.rest('OPTIONS', path(id));
    if (status === 405) expect(answer.headers.get('allow')).toBe(options.get('allow'));
    expect(await countTags()).toBe(status === 201 ? 2 : 1);
  });

  test.each(['GET', 'HEAD', 'OPTIONS', 'LINK', 'UNLINK'])('the overriding method %s has no route', (asked) => {
    expect([...methods, 'DELETE', 'OPTIONS']).not.toContain(resolveMethod(asked));
  });

  test('an overriding method requires a token before its body is read, and counts as a write', async () => {
    const headers = { ...form, Authorization: '', 'X-HTTP-Method-Override': 'PUT' };
    for (const sent of [body({ _method: 'put' }), `name_en=${'x'.repeat(600_000)}`])
      expect(await send('POST', `/product_tags/${id}`, sent, headers)).toMatchObject({ status: 401 });
    const answer = await send('POST', `/product_tags/${id}`, body({ _method: 'put' }), form);
    expect(answer.headers.get('ratelimit')).toContain('"token-writes"');
  });

  test('GraphQL ignores overriding methods', async () => {
    const query = `mutation { createProductTag(input: { nameEn: "Spicy" }) { userErrors { code } } }`;
    const { status, body } = await app.client.graphql(
      query,
      {},
      { ...tenant, headers: { 'X-HTTP-Method-Override': 'GET' } },
    );
    expect({ status, body }).toEqual({ status: 200, body: { data: { createProductTag: { userErrors: [] } } } });
  });
});

function formData(fields: Record<string, string>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.append(name, value);
  return data;
}

test.each([
  '//partner_portal/v1/services',
  '/partner_portal//v1/services',
  '/partner_portal/v1///services//',
  '///partner_portal/v1/services?services=//1',
])('%s is /partner_portal/v1/services: routed, cached and counted as that', async (path) => {
  const plain = await fetch(`${app.url}/partner_portal/v1/services`, { headers: { Origin: 'https://other.example' } });
  const answer = await fetch(app.url + path, { headers: { Origin: 'https://other.example' } });
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual(await plain.json());
  expect(answer.headers.get('etag')).toBe(plain.headers.get('etag'));
  const { headers } = await fetch(app.url + path, { method: 'OPTIONS' });
  expect(headers.get('allow')).toBe('GET, HEAD');
});

test.each(['1.5', '4503599627370495.5', '1e400', '-1e400'])('the item %s is not an integer', async (id) => {
  const answer = await send('POST', '/product_tags', `{"name_en":"Spicy","item_ids":[${id}]}`, json);
  expect(answer).toMatchObject({
    status: 422,
    body: { code: 'invalid_type', errors: { item_ids: [expect.any(String)] } },
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
  // A form sends a blank as a plus.
  ['/lookups?services=-1%20&brand_types=+1', '/lookups?services=-1&brand_types=1'],
  ['/cities?country_id=+682', '/cities?country_id=682'],
  ['/cities?country_id=%09682%0A', '/cities?country_id=682'],
  ['/cities?country_id=+', '/cities'],
  ['/lookups?week_days=1;services=1', '/lookups?week_days=1'],
  ['/countries.json', '/countries'],
  ['/cities.json?country_id=682', '/cities?country_id=682'],
  ['/lookups.json?services=1', '/lookups?services=1'],
  ['//countries///', '/countries'],
  ['//cities//?country_id=682', '/cities?country_id=682'],
  ['/%63ountries', '/countries'],
  ['/%63ountries%2Ejson', '/countries'],
  ['/countries.json/', '/countries'],
  ['/lookups.json//?services=1', '/lookups?services=1'],
  ['/openapi.json/', '/openapi.json'],
])('%s is the same as %s', async (path, like) => {
  expect(await get(path)).toEqual(await get(like));
});

test.each([
  ['/cities?country_id[]=x', 400, 'invalid_parameter'],
  ['/cities?country_id=%2B682', 400, 'invalid_parameter'],
  ['/lookups?brand_types[]=', 400, 'invalid_parameter'],
  ['/Countries', 404, 'not_found'],
  ['/%43ountries', 404, 'not_found'],
  ['/countries%2Fx', 404, 'not_found'],
  ['/countries.xml', 404, 'not_found'],
  ['/countries/.json', 404, 'not_found'],
  ['/product_tags/1/.json', 404, 'not_found'],
  ['/.json', 404, 'not_found'],
  ['/%zz', 400, 'malformed_request'],
  ['/product_tags/%E0%A4%A', 400, 'malformed_request'],
  ['/countries/%ff', 400, 'malformed_request'],
])('%s is %d %s', async (path, status, code) => {
  expect(await send('GET', path)).toMatchObject({ status, body: { code } });
});

test.each(['/lookups?brand_types=1;services=1', '/cities?country_id=682;a=b'])(
  'the error of %s says how to separate parameters',
  async (path) => {
    const { status, body } = await send('GET', path);
    expect({ status, detail: body.detail }).toEqual({
      status: 400,
      detail: expect.stringMatching(/Separate .* with &/),
    });
    expect((await send('GET', path.replace(';', ','))).body.detail).not.toContain('&');
  },
);

test('an id with a trailing text is rejected', async () => {
  const created = await send('POST', '/product_tags', '{"name_en":"Spicy"}', json);
  const path = `/product_tags/${created.body.id}-path-tag`;
  expect(await send('PUT', path, '{"name_en":"Mild"}', json)).toMatchObject({
    status: 404,
    body: { code: 'not_found' },
  });
});

test('a weak If-Match never matches', async () => {
  const created = await send('POST', '/product_tags', '{"name_en":"Spicy"}', json);
  const etag = created.headers.get('etag');
  const update = (ifMatch: string) =>
    send('PUT', `/product_tags/${created.body.id}`, '{"name_en":"Mild"}', { ...json, 'If-Match': ifMatch });
  expect(await update(`W/${etag}`)).toMatchObject({ status: 412, body: { code: 'version_mismatch' } });
  expect(await update(`${etag}`)).toMatchObject({ status: 200 });
});
