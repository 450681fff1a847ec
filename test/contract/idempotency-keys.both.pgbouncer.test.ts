import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { issueToken } from '../../src/domain/partner/tokens/issue-token.ts';
import { companyRows, deleteTag, surfaceNames, type TagFields, writes } from '../support/product-tag.ts';
import { languages } from '../support/reference.ts';
import { createTenant, type Tenant } from '../support/tenant.ts';
import { sharedApp } from '../support/test-app.ts';

const idempotencyKey = 'order 66/a';
const { client, db } = await sharedApp();

let tenant: Tenant;
let fields: TagFields & { item_ids: number[] };
beforeEach(async () => {
  tenant = await createTenant(db);
  fields = { name_en: 'Café noir', name_ar: 'حار جدا', item_ids: tenant.products.slice(0, 2) };
});

const rows = () => companyRows(db, tenant.companyId);
const countTags = async () => (await rows()).tags.length;
const storedKeys = async () => {
  const keys = db.selectFrom('idempotencyKeys').select('key').where('partnerId', '=', tenant.partnerId).orderBy('key');
  return (await keys.execute()).map((row) => row.key);
};
const setAge = (interval: string) =>
  sql`update idempotency_keys set created_at = now() - ${interval}::interval
    where partner_id = ${tenant.partnerId}`.execute(db);

const again = [
  { first: 'REST', second: 'GraphQL' },
  { first: 'GraphQL', second: 'REST' },
] as const;

describe.each(again)('a creation on $first, retried on $second', ({ first, second }) => {
  const create = (sent: TagFields) =>
    writes[first].create(client, sent, { token: tenant.token, language: 'en', idempotencyKey });
  const retry = (sent: TagFields, language = 'en') =>
    writes[second].create(client, sent, { token: tenant.token, language, idempotencyKey });

  test('returns the first response in the language of the retry, and writes nothing', async () => {
    const created = await create(fields);
    expect(created).toMatchObject({ codes: ['done'], tag: fields, replayed: false });
    const before = await rows();
    expect(before.tags).toHaveLength(1);
    expect(await retry(fields)).toEqual({ ...created, replayed: true });
    const tag = { ...created.tag, name: fields.name_ar };
    expect(await retry(fields, 'ar')).toEqual({ ...created, tag, replayed: true });
    const item_ids = [...fields.item_ids, ...fields.item_ids].reverse();
    const same = { name_en: '  Cafe\u0301 noir ', name_ar: '\tحار جدا', item_ids };
    expect(await retry(same)).toEqual({ ...created, replayed: true });
    expect(await rows()).toEqual(before);
    expect(await storedKeys()).toEqual([idempotencyKey]);
  });

  test('may omit empty fields', async () => {
    const created = await create({ name_en: 'Spicy', name_ar: null, item_ids: [] });
    expect(await retry({ name_en: 'Spicy' })).toEqual({ ...created, replayed: true });
  });

  test('is rejected with other content, and writes nothing', async () => {
    const created = await create(fields);
    const before = await rows();
    const items = [tenant.products.slice(0, 3), []].map((item_ids) => ({ item_ids }));
    const names = [{ name_en: 'Café noir.' }, { name_ar: 'حار' }, { name_ar: null }, { name_en: 'ab' }];
    for (const other of [...items, ...names]) {
      const reused = { codes: ['idempotency_key_reused'], replayed: false };
      expect(await retry({ ...fields, ...other }), JSON.stringify(other)).toEqual(reused);
    }
    expect(await rows()).toEqual(before);
    expect(await retry(fields)).toEqual({ ...created, replayed: true });
  });

  test('returns the first response after the tag or its items were changed or deleted', async () => {
    const created = await create(fields);
    const { id = 0 } = created.tag ?? {};
    await writes.REST.update(client, id, { name_en: 'Changed', name_ar: null, item_ids: [] }, tenant);
    expect(await retry(fields)).toEqual({ ...created, replayed: true });
    await deleteTag(client, id, tenant);
    await sql`delete from items where company_id = ${tenant.companyId}`.execute(db);
    expect(await retry(fields)).toEqual({ ...created, replayed: true });
    expect(await countTags()).toBe(0);
  });

  test('returns the first response for 24 hours, and creates a tag afterwards', async () => {
    const created = await create(fields);
    await setAge('23 hours 59 minutes');
    expect(await retry(fields)).toEqual({ ...created, replayed: true });
    await setAge('24 hours');
    const second = await retry(fields);
    expect(second).toMatchObject({ codes: ['done'], tag: fields, replayed: false });
    expect(second.tag?.id).not.toBe(created.tag?.id);
    expect(await retry(fields)).toEqual({ ...second, replayed: true });
    await setAge('25 hours');
    expect(await retry({ name_en: 'Another' })).toMatchObject({ tag: { name_en: 'Another' }, replayed: false });
    expect((await retry(fields)).codes).toEqual(['idempotency_key_reused']);
    expect(await countTags()).toBe(3);
  });

  test('does not match the key of another partner', async () => {
    const colleague = { name: `Colleague of ${tenant.partnerName}`, defaultCompanyId: tenant.companyId };
    await db.insertInto('partners').values(colleague).execute();
    const colleagueToken = (await issueToken(db, colleague.name, { days: null })).token;
    const { token } = await createTenant(db);

    const created = await create(fields);
    for (const [sent, theirs] of [[{ name_en: 'Theirs' }, token] as const, [fields, colleagueToken] as const]) {
      const done = await writes[second].create(client, sent, { token: theirs, idempotencyKey });
      expect(done).toMatchObject({ codes: ['done'], replayed: false });
      expect(done.tag?.id).not.toBe(created.tag?.id);
    }
    expect(await retry(fields)).toEqual({ ...created, replayed: true });
  });

  test('does not match after the partner has changed its company', async () => {
    const { companyId } = await createTenant(db);
    const sent = { name_en: 'Spicy' };
    const created = await create(sent);
    const actFor = (id: number) =>
      db.updateTable('partners').set({ defaultCompanyId: id }).where('id', '=', tenant.partnerId).execute();
    // It takes effect within a second.
    await actFor(companyId);
    await expect.poll(() => retry(sent)).toMatchObject({ codes: ['done'], replayed: false });
    await actFor(tenant.companyId);
    await expect.poll(() => retry(sent)).toEqual({ ...created, replayed: true });
  });

  test('can be corrected with the same key after a rejection', async () => {
    expect((await create({ ...fields, name_en: 'ab' })).codes).toEqual(['invalid_length']);
    expect((await create({ ...fields, item_ids: [tenant.modifier] })).codes).toEqual(['item_not_product']);
    expect(await storedKeys()).toEqual([]);
    expect(await retry(fields)).toMatchObject({ codes: ['done'], tag: fields, replayed: false });
  });
});

describe.each(surfaceNames)('a creation on %s', (surface) => {
  const { create } = writes[surface];

  test('is executed each time without a key or with another key', async () => {
    for (const key of [undefined, undefined, 'a', 'A', 'a ?', 'b']) {
      expect(await create(client, fields, { ...tenant, idempotencyKey: key })).toMatchObject({ replayed: false });
    }
    expect(await countTags()).toBe(6);
    expect(await storedKeys()).toHaveLength(4);
  });
});

describe('on REST', () => {
  const post = (body: unknown, language = 'en', key = idempotencyKey) =>
    client.rest('POST', '/product_tags', { ...tenant, language, headers: { 'Idempotency-Key': key }, body });

  test('a retry is 201 with the same body, Location and ETag, for any encoding of the request', async () => {
    const created = await post(fields);
    const form = new URLSearchParams([
      ['product_tag[name_en]', fields.name_en],
      ['product_tag[name_ar]', fields.name_ar ?? ''],
      ...fields.item_ids.map((id): [string, string] => ['product_tag[item_ids][]', String(id)]),
    ]);
    for (const same of [fields, form, { product_tag: fields }, { ...fields, id: 5 }]) {
      const retried = await post(same);
      expect(retried.status).toBe(201);
      expect(JSON.stringify(retried.body)).toBe(JSON.stringify(created.body));
      expect(retried.headers.get('idempotency-replayed')).toBe('true');
      for (const name of ['location', 'etag']) expect(retried.headers.get(name)).toBe(created.headers.get(name));
    }
  });

  const plainAndQuoted = [
    ['k', '"k"'],
    ['a "b" \\c', '"a \\"b\\" \\\\c"'],
    ['x'.repeat(255), `"${'x'.repeat(255)}"`],
  ] as const;
  test.each(plainAndQuoted)('a key may be quoted: %s', async (plain, quoted) => {
    for (const key of [plain, quoted]) {
      const { status, headers } = await post(fields, 'en', key);
      expect([status, headers.get('idempotency-replayed')]).toEqual([201, key === quoted ? 'true' : null]);
    }
    expect(await storedKeys()).toEqual([plain]);
  });

  const longKey = 'x'.repeat(256);
  const malformed = ['', '""', longKey, `"${longKey}"`, 'caf\u00e9', 'a\tb', '"open', '"a"b"', '"a\\b"', '"a";v=1'];
  test.each(malformed)('the key %j is rejected with 400', async (key) => {
    for (const language of ['en', 'ar']) {
      const { status, body } = await post(fields, language, key);
      expect({ status, code: body.code }).toEqual({ status: 400, code: 'invalid_parameter' });
      expect(body.errors).toEqual({ 'Idempotency-Key': [expect.stringContaining('255')] });
      expect(/\p{Script=Arabic}/u.test(body.detail)).toBe(language === 'ar');
    }
    expect(await countTags()).toBe(0);
  });

  test('a PUT ignores the key', async () => {
    const { id } = (await post(fields)).body;
    for (const name_en of ['Once', 'Twice']) {
      const options = { token: tenant.token, headers: { 'Idempotency-Key': idempotencyKey } };
      const updated = await writes.REST.update(client, id, { name_en }, options);
      expect(updated).toMatchObject({ tag: { name_en }, replayed: false });
    }
  });
});

describe('on GraphQL', () => {
  const outcome = '{ productTag { id nameEn itemIds items { nodes { id } } } userErrors { code field message } }';
  const mutate = (query: string, headers: Record<string, string> = {}, language = 'en') =>
    client.graphql(`mutation { ${query} }`, {}, { token: tenant.token, headers, language });
  const argument = `idempotencyKey: ${JSON.stringify(idempotencyKey)}`;

  test('the header is ignored', async () => {
    const create = `createProductTag(input: { nameEn: "Spicy" }) ${outcome}`;
    for (let count = 1; count <= 2; count += 1) {
      const { body, headers } = await mutate(create, { 'Idempotency-Key': idempotencyKey });
      expect(body.data.createProductTag.userErrors).toEqual([]);
      expect(headers.get('idempotency-replayed')).toBeNull();
      expect(await countTags()).toBe(count);
    }
    expect(await storedKeys()).toEqual([]);
  });

  test('a key of a different request is a document error, and later mutations do not run', async () => {
    const create = (name: string, more = '') => `createProductTag(input: { nameEn: "${name}" } ${more}) ${outcome}`;
    await mutate(create('Spicy', argument));
    for (const language of languages) {
      const { status, body } = await mutate(
        `reused: ${create('Other', argument)} last: ${create('Last')}`,
        {},
        language,
      );
      expect({ status, data: body.data }).toEqual({ status: 422, data: null });
      const [reused, skipped] = body.errors ?? [];
      expect(reused).toMatchObject({ path: ['reused'], extensions: { code: 'IDEMPOTENCY_KEY_REUSED' } });
      expect(/\p{Script=Arabic}/u.test(reused?.message ?? '')).toBe(language === 'ar');
      expect(skipped).toMatchObject({ path: ['last'], extensions: { code: 'MUTATION_SKIPPED' } });
    }
    expect(await countTags()).toBe(1);
  });

  test('several creations of a document have their own keys, which must differ', async () => {
    const several = (first: string, second: string, condition = '') => `
      first: createProductTag(input: { nameEn: "First" } ${first}) ${outcome}
      second: createProductTag(input: { nameEn: "Second" } ${second}) ${condition} ${outcome}`;
    const each = several('idempotencyKey: "1"', 'idempotencyKey: "2"');
    const created = await mutate(each);
    expect(created.body.data).toMatchObject({ second: { productTag: { nameEn: 'Second' } } });
    expect((await mutate(each)).body).toEqual(created.body);
    expect(await countTags()).toBe(2);

    expect((await mutate(several('', 'idempotencyKey: "3"'))).body.errors).toBeUndefined();
    expect((await mutate(several(argument, argument, '@skip(if: true)'))).body.errors).toBeUndefined();
    expect(await countTags()).toBe(5);
  });

  test('rejects two creations with the same key before execution', async () => {
    const create = `createProductTag(input: { nameEn: "Same" } ${argument}) ${outcome}`;
    for (const language of languages) {
      const mutation = `mutation { first: ${create} ...Second } fragment Second on Mutation { second: ${create} }`;
      const { body } = await client.graphql(mutation, {}, { token: tenant.token, language });
      expect(body.data).toBeUndefined();
      const message = expect.stringContaining('idempotencyKey');
      expect(body.errors).toMatchObject([{ message, extensions: { code: 'BAD_USER_INPUT' } }]);
    }
    expect(await countTags()).toBe(0);
    expect(await storedKeys()).toEqual([]);
  });

  test('a retry lists and counts the current items', async () => {
    const [first = 0, ...others] = tenant.products;
    const selection = '{ productTag { id nameEn itemIds itemCount items { totalCount nodes { id } } } }';
    const create = `tag: createProductTag(input: { nameEn: "Spicy", itemIds: [${first}] } ${argument}) ${selection}`;
    const { id } = (await mutate(create)).body.data.tag.productTag;
    const retry = async () => (await mutate(create)).body.data.tag.productTag;
    await writes.GraphQL.update(client, id, { name_en: 'Changed', item_ids: others }, tenant);
    const items = { totalCount: others.length, nodes: others.map((each) => ({ id: each })) };
    expect(await retry()).toEqual({ id, nameEn: 'Spicy', itemIds: [first], itemCount: others.length, items });
    await mutate(`deleteProductTag(id: ${id}) { deletedProductTagId }`);
    expect(await retry()).toMatchObject({ id, itemCount: 0, items: { totalCount: 0, nodes: [] } });
  });
});

test('deleting a partner deletes its keys', async () => {
  await writes.REST.create(client, fields, { ...tenant, idempotencyKey });
  expect(await storedKeys()).toEqual([idempotencyKey]);
  await db.deleteFrom('partners').where('id', '=', tenant.partnerId).execute();
  expect(await storedKeys()).toEqual([]);
});
