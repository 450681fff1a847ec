import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { issueToken } from '../src/domain/partner/tokens/token.service.ts';
import { DeleteProductTagDocument } from './documents.generated.ts';
import { sharedApp } from './support/app.ts';
import { companyRows, type TagFields } from './support/product-tag.ts';
import { surfaceNames, versionIn, writes } from './support/product-tag-write.ts';
import { createTenant, type Tenant } from './support/tenant.ts';

const idempotencyKey = 'order 66/a';

let tenant: Tenant;
let fields: TagFields & { item_ids: number[] };
const app = await sharedApp();
beforeEach(async () => {
  tenant = await createTenant(app.db);
  fields = { name_en: 'Café noir', name_ar: 'حار جدا', item_ids: tenant.products.slice(0, 2) };
});

const storedKeys = async (partnerId = tenant.partnerId) =>
  (await app.db.selectFrom('idempotencyKeys').select('key').where('partnerId', '=', partnerId).execute()).map(
    (row) => row.key,
  );
const countTags = async () => (await companyRows(app.db, tenant.companyId)).tags.length;
const setAge = (interval: string) =>
  sql`update idempotency_keys set created_at = now() - ${interval}::interval
    where partner_id = ${tenant.partnerId}`.execute(app.db);

const again = surfaceNames.flatMap((first) => surfaceNames.map((second) => ({ first, second })));

describe.each(again)('a creation on $first that is sent again on $second', ({ first, second }) => {
  const create = (sent: TagFields) =>
    writes[first].create(app.client, sent, { token: tenant.token, language: 'en', idempotencyKey });
  const retry = (sent: TagFields, language = 'en') =>
    writes[second].create(app.client, sent, { token: tenant.token, language, idempotencyKey });

  test('is answered as the first time and writes nothing', async () => {
    const created = await create(fields);
    expect(created).toMatchObject({ codes: ['done'], tag: fields, replayed: false });
    const before = await companyRows(app.db, tenant.companyId);
    expect(before.tags).toHaveLength(1);
    expect(await retry(fields)).toEqual({ ...created, replayed: true });
    expect(await retry(fields)).toEqual({ ...created, replayed: true });
    expect(await companyRows(app.db, tenant.companyId)).toEqual(before);
    expect(await storedKeys()).toEqual([idempotencyKey]);
  });

  test('is answered in the language of the retry', async () => {
    const { tag } = await create(fields);
    expect(await retry(fields, 'ar')).toMatchObject({ replayed: true, tag: { ...tag, name: fields.name_ar } });
  });

  test('is the same with other white space, other forms of letters, and the items in another order', async () => {
    const created = await create(fields);
    const item_ids = [...fields.item_ids, ...fields.item_ids].reverse();
    const same = { name_en: '  Cafe\u0301 noir ', name_ar: '\tحار جدا', item_ids };
    expect(await retry(same)).toEqual({ ...created, replayed: true });
  });

  test('is the same whether a field is absent or empty', async () => {
    const created = await create({ name_en: 'Spicy', name_ar: null, item_ids: [] });
    expect(await retry({ name_en: 'Spicy' })).toEqual({ ...created, replayed: true });
  });

  test.each<{ field: string; other(): Partial<TagFields> }>([
    { field: 'another English name', other: () => ({ name_en: 'Café noir.' }) },
    { field: 'another Arabic name', other: () => ({ name_ar: 'حار' }) },
    { field: 'no Arabic name', other: () => ({ name_ar: null }) },
    { field: 'an item more', other: () => ({ item_ids: tenant.products.slice(0, 3) }) },
    { field: 'no items', other: () => ({ item_ids: [] }) },
    { field: 'a name that is refused', other: () => ({ name_en: 'ab' }) },
  ])('with $field is refused, and nothing is written', async ({ other }) => {
    const created = await create(fields);
    const before = await companyRows(app.db, tenant.companyId);
    expect(await retry({ ...fields, ...other() })).toEqual({ codes: ['idempotency_key_reused'], replayed: false });
    expect(await companyRows(app.db, tenant.companyId)).toEqual(before);
    expect(await retry(fields)).toEqual({ ...created, replayed: true });
  });

  test('is answered as the first time also when the tag has changed since, and when it is gone', async () => {
    const created = await create(fields);
    const { id = 0 } = created.tag ?? {};
    await writes.REST.update(app.client, id, { name_en: 'Changed', name_ar: null, item_ids: [] }, tenant);
    expect(await retry(fields)).toEqual({ ...created, replayed: true });
    await app.client.graphql(DeleteProductTagDocument, { id }, tenant);
    expect(await retry(fields)).toEqual({ ...created, replayed: true });
    expect(await countTags()).toBe(0);
  });

  test('is answered as the first time also when its items could not be tagged any more', async () => {
    const created = await create(fields);
    await sql`delete from items where company_id = ${tenant.companyId}`.execute(app.db);
    expect(await retry(fields)).toEqual({ ...created, replayed: true });
  });

  test('is answered as the first time for 24 hours, and then done again', async () => {
    const created = await create(fields);
    await setAge('23 hours 59 minutes');
    expect(await retry(fields)).toEqual({ ...created, replayed: true });
    await setAge('24 hours');
    const second = await retry(fields);
    expect(second).toMatchObject({ codes: ['done'], tag: fields, replayed: false });
    expect(second.tag?.id).not.toBe(created.tag?.id);
    expect(await retry(fields)).toEqual({ ...second, replayed: true });
    expect(await countTags()).toBe(2);
  });

  test('is another one under a key that has expired', async () => {
    await create(fields);
    await setAge('25 hours');
    expect(await retry({ name_en: 'Another' })).toMatchObject({ tag: { name_en: 'Another' }, replayed: false });
    expect((await retry(fields)).codes).toEqual(['idempotency_key_reused']);
  });

  test("is not another partner's, of the same company or of another", async () => {
    const colleague = { name: `Colleague of ${tenant.partnerName}`, defaultCompanyId: tenant.companyId };
    await app.db.insertInto('partners').values(colleague).execute();
    const issued = await issueToken(app.db, colleague.name, null);
    const { token: colleagueToken } = issued as { token: string };
    const stranger = await createTenant(app.db);

    const created = await create(fields);
    const theirs = await writes[second].create(app.client, { name_en: 'Theirs' }, { ...stranger, idempotencyKey });
    expect(theirs).toMatchObject({ codes: ['done'], replayed: false });
    const options = { token: colleagueToken, idempotencyKey };
    const colleagues = await writes[second].create(app.client, fields, options);
    expect(colleagues).toMatchObject({ codes: ['done'], replayed: false });
    expect(colleagues.tag?.id).not.toBe(created.tag?.id);
    expect(await retry(fields)).toEqual({ ...created, replayed: true });
  });

  test("is another company's when the partner acts for another one by then", async () => {
    const { companyId } = await createTenant(app.db);
    const sent = { name_en: 'Spicy' };
    const created = await create(sent);
    const actFor = (id: number) =>
      app.db.updateTable('partners').set({ defaultCompanyId: id }).where('id', '=', tenant.partnerId).execute();
    await actFor(companyId);
    expect(await retry(sent)).toMatchObject({ codes: ['done'], replayed: false });
    await actFor(tenant.companyId);
    expect(await retry(sent)).toEqual({ ...created, replayed: true });
  });

  test('after a refusal is free to be corrected under the same key', async () => {
    expect((await create({ ...fields, name_en: 'ab' })).codes).toEqual(['invalid_length']);
    expect((await create({ ...fields, item_ids: [tenant.modifier] })).codes).toEqual(['item_not_product']);
    expect(await storedKeys()).toEqual([]);
    expect(await retry(fields)).toMatchObject({ codes: ['done'], tag: fields, replayed: false });
  });
});

describe.each(surfaceNames)('a creation on %s', (surface) => {
  test('without a key is done each time', async () => {
    for (const _time of [1, 2]) {
      expect(await writes[surface].create(app.client, fields, tenant)).toMatchObject({ replayed: false });
    }
    expect(await countTags()).toBe(2);
    expect(await storedKeys()).toEqual([]);
  });

  test.each([
    { means: 'k', keys: ['k', '"k"'] },
    { means: 'a "b" \\c', keys: ['a "b" \\c', '"a \\"b\\" \\\\c"'] },
    { means: '!~', keys: ['!~', '"!~"'] },
    { means: 'x'.repeat(255), keys: ['x'.repeat(255), `"${'x'.repeat(255)}"`] },
  ])('takes a key as it is or quoted: $means', async ({ means, keys }) => {
    for (const [index, key] of keys.entries()) {
      const outcome = await writes[surface].create(app.client, fields, { ...tenant, idempotencyKey: key });
      expect(outcome).toMatchObject({ codes: ['done'], replayed: index > 0 });
    }
    expect(await storedKeys()).toEqual([means]);
  });

  test('makes another tag for another key', async () => {
    for (const key of ['a', 'A', 'a ?', 'b']) {
      const outcome = await writes[surface].create(app.client, fields, { ...tenant, idempotencyKey: key });
      expect(outcome.replayed).toBe(false);
    }
    expect(await countTags()).toBe(4);
  });

  test('is of as many items again as the first time', async () => {
    const large = await createTenant(app.db, { products: 1_000 });
    const sent = { name_en: 'Everything', item_ids: large.products };
    const options = { token: large.token, idempotencyKey };
    const created = await writes[surface].create(app.client, sent, options);
    expect(created.tag?.item_ids).toEqual(large.products);
    expect(await writes[surface].create(app.client, sent, options)).toEqual({ ...created, replayed: true });
  });
});

describe('on REST', () => {
  const post = (body: unknown, options: { key?: string; language?: string; token?: string | undefined } = {}) =>
    app.client.rest('POST', '/product_tags', {
      token: 'token' in options ? options.token : tenant.token,
      ...(options.language !== undefined && { language: options.language }),
      headers: { 'Idempotency-Key': options.key ?? idempotencyKey },
      body,
    });

  test('a retry is 201 with the same body, Location and ETag, and says that it is one', async () => {
    const created = await post(fields);
    const retried = await post(fields);
    expect(created.headers.get('idempotency-replayed')).toBeNull();
    expect(retried.headers.get('idempotency-replayed')).toBe('true');
    expect(retried.status).toBe(201);
    expect(JSON.stringify(retried.body)).toBe(JSON.stringify(created.body));
    expect(Object.keys(retried.body)).toEqual(['id', 'name_en', 'name_ar', 'name', 'item_ids']);
    expect(retried.headers.get('location')).toBe(created.headers.get('location'));
    expect(versionIn(retried.headers)).toBe(versionIn(created.headers));
  });

  test('the encoding of the body and its wrapping make no difference', async () => {
    const form = new URLSearchParams([
      ['product_tag[name_en]', fields.name_en],
      ['product_tag[name_ar]', fields.name_ar ?? ''],
      ...fields.item_ids.map((id): [string, string] => ['product_tag[item_ids][]', String(id)]),
    ]);
    const { body } = await post(fields);
    for (const same of [form, { product_tag: fields }, { ...fields, id: 5 }]) {
      const retried = await post(same);
      expect(retried).toMatchObject({ status: 201, body });
      expect(retried.headers.get('idempotency-replayed')).toBe('true');
    }
  });

  test.each(['en', 'ar'])(
    'a key that was of another request is a 422 problem about the header, in %s',
    async (language) => {
      await post(fields);
      const { status, headers, body } = await post({ name_en: 'Another' }, { language });
      expect(status).toBe(422);
      expect(headers.get('content-type')).toMatch(/^application\/problem\+json/);
      expect(body).toMatchObject({ status: 422, code: 'idempotency_key_reused' });
      expect(body.errors).toEqual({ 'Idempotency-Key': [expect.any(String)] });
      expect(/\p{Script=Arabic}/u.test(body.errors['Idempotency-Key'][0])).toBe(language === 'ar');
    },
  );

  describe.each(['en', 'ar'])('in %s', (language) => {
    test.each([
      '',
      '""',
      'x'.repeat(256),
      `"${'x'.repeat(256)}"`,
      'caf\u00e9',
      'a\tb',
      '"open',
      '"a"b"',
      '"a\\b"',
      '"a";v=1',
    ])('the key %j is a 400 problem about the header', async (key) => {
      const { status, body } = await post(fields, { key, language });
      expect(status).toBe(400);
      expect(body).toMatchObject({ status: 400, code: 'invalid_parameter' });
      expect(body.errors).toEqual({ 'Idempotency-Key': [expect.stringContaining('255')] });
      expect(/\p{Script=Arabic}/u.test(body.detail)).toBe(language === 'ar');
      expect(await countTags()).toBe(0);
    });
  });

  test('a caller without a token is told so first', async () => {
    const answers = [await post(fields, { key: '', token: undefined }), await post(fields, { token: undefined })];
    expect(answers.map(({ status }) => status)).toEqual([401, 401]);
  });

  test('a PUT has no use for a key', async () => {
    const { body } = await post(fields);
    for (const name_en of ['Once', 'Twice']) {
      const options = { token: tenant.token, headers: { 'Idempotency-Key': idempotencyKey }, body: { name_en } };
      const updated = await app.client.rest('PUT', `/product_tags/${body.id}`, options);
      expect(updated).toMatchObject({ status: 200, body: { name_en } });
      expect(updated.headers.get('idempotency-replayed')).toBeNull();
    }
  });
});

describe('on GraphQL', () => {
  const outcome = '{ productTag { id nameEn itemIds items { nodes { id } } } userErrors { code field message } }';
  const mutate = (query: string, headers: Record<string, string> = {}) =>
    app.client.graphql(`mutation { ${query} }`, {}, { token: tenant.token, headers });
  const header = { 'Idempotency-Key': idempotencyKey };

  test('the header stands in for the argument', async () => {
    const create = `tag: createProductTag(input: { nameEn: "Spicy" }) ${outcome}`;
    const created = await mutate(create, header);
    const retried = await mutate(create, header);
    expect(retried.body).toEqual(created.body);
    expect(retried.headers.get('idempotency-replayed')).toBe('true');
    expect(await countTags()).toBe(1);
  });

  test('an argument counts more than the header, unless it is null', async () => {
    const create = (argument: string) =>
      `createProductTag(input: { nameEn: "Spicy" }, idempotencyKey: ${argument}) ${outcome}`;
    await mutate(create('"own"'), header);
    expect(await storedKeys()).toEqual(['own']);
    await mutate(create('null'), header);
    expect((await storedKeys()).toSorted()).toEqual([idempotencyKey, 'own'].toSorted());
  });

  test('several creations of a request have a key each by argument, and share the header', async () => {
    const several = (first: string, second: string) => `
      first: createProductTag(input: { nameEn: "First" } ${first}) ${outcome}
      second: createProductTag(input: { nameEn: "Second" } ${second}) ${outcome}`;
    const each = several('idempotencyKey: "1"', 'idempotencyKey: "2"');
    const created = await mutate(each);
    expect(created.body.data).toMatchObject({
      first: { productTag: { nameEn: 'First' } },
      second: { productTag: { nameEn: 'Second' } },
    });
    expect((await mutate(each)).body).toEqual(created.body);
    expect(await countTags()).toBe(2);

    const { body } = await mutate(several('', ''), header);
    expect(body.data.first).toMatchObject({ productTag: { nameEn: 'First' }, userErrors: [] });
    expect(body.data.second).toEqual({
      productTag: null,
      userErrors: [{ code: 'IDEMPOTENCY_KEY_REUSED', field: ['idempotencyKey'], message: expect.any(String) }],
    });
  });

  test('a retry lists the items as they are now', async () => {
    const [first = 0, second = 0] = tenant.products;
    const create = `tag: createProductTag(input: { nameEn: "Spicy", itemIds: [${first}] }) ${outcome}`;
    const created = await mutate(create, header);
    const { id } = created.body.data.tag.productTag;
    await writes.GraphQL.update(app.client, id, { name_en: 'Changed', item_ids: [second] }, tenant);
    const retried = await mutate(create, header);
    expect(retried.body.data.tag.productTag).toEqual({
      id,
      nameEn: 'Spicy',
      itemIds: [first],
      items: { nodes: [{ id: second }] },
    });
  });

  test.each([
    { where: 'idempotencyKey', argument: ', idempotencyKey: ""', headers: {} },
    { where: 'idempotencyKey', argument: ', idempotencyKey: "حار"', headers: {} },
    { where: 'idempotencyKey', argument: ', idempotencyKey: "a\\nb"', headers: {} },
    { where: 'Idempotency-Key', argument: '', headers: { 'Idempotency-Key': 'x'.repeat(256) } },
  ])('a key that is none is BAD_USER_INPUT about $where', async ({ where, argument, headers }) => {
    const { body } = await mutate(`createProductTag(input: { nameEn: "Spicy" } ${argument}) ${outcome}`, headers);
    expect(body.data).toBeNull();
    expect(body.errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
    expect(body.errors?.[0]?.message).toMatch(new RegExp(`^${where} must be 1 to 255 printable`));
    expect(await countTags()).toBe(0);
  });
});

test('a partner that is removed takes its keys along', async () => {
  await writes.REST.create(app.client, fields, { ...tenant, idempotencyKey });
  expect(await storedKeys()).toEqual([idempotencyKey]);
  await app.db.deleteFrom('partners').where('id', '=', tenant.partnerId).execute();
  expect(await storedKeys()).toEqual([]);
});
