import { describe, expect, test } from 'vitest';
import { companyRows, deleteTag, mutations, surfaces, type TagFields, toInput } from '../support/product-tag.ts';
import { sharedApp } from '../support/test-app.ts';

const unknownId = 2_000_000_000;

const app = await sharedApp();
const other = await app.createTenant();
// Shared by all tests, because none of them may change anything.
const own = await app.createTenant();
const before = { name_en: 'Before', item_ids: own.products.slice(0, 2) };
const tag = await surfaces.REST.create(app.client, before, own);

const v1ToInput = { name_en: 'nameEn', name_ar: 'nameAr', item_ids: 'itemIds' };

async function expectRejected(
  fields: TagFields,
  field: keyof TagFields,
  code: string,
  itemIds: number[] | null = null,
) {
  const before = await companyRows(app.db, own.companyId);
  const input = toInput(fields);
  let message = '';
  const paths = { POST: '/product_tags', PUT: `/product_tags/${tag.id}` };
  for (const [method, path] of Object.entries(paths)) {
    const { status, body } = await app.client.rest(method, path, { ...own, body: fields });
    expect({ status, code: body.code }).toEqual({ status: 422, code });
    expect(body.errors).toEqual({ [field]: [expect.any(String)] });
    [message] = body.errors[field];
    for (const id of itemIds ?? []) expect(message).toContain(String(id));
  }
  const userErrors = [{ code: code.toUpperCase(), field: ['input', v1ToInput[field]], message, itemIds }];
  for (const verb of ['create', 'update'] as const) {
    const { status, body } = await app.client.graphql(mutations[verb], { id: tag.id, input }, own);
    expect(status).toBe(200);
    const payload = { productTag: null, ...(verb === 'create' && { replayed: false }), userErrors };
    expect(body).toEqual({ data: { [`${verb}ProductTag`]: payload } });
  }
  expect(await companyRows(app.db, own.companyId)).toEqual(before);
  return message;
}

describe.each(['name_en', 'name_ar'] as const)('a %s is rejected', (field) => {
  test.each([
    ['of white space', '     ', 'invalid_length'],
    ['of 2 characters after trimming', '  ab  ', 'invalid_length'],
    ['of 2 letters between invisible marks', '\u2067ab\u2069\u200E\uFEFF', 'invalid_length'],
    ['of invisible marks', '\u200F\u202A\u202C\u2066\u2069', 'invalid_length'],
    ['with an embedding inside', 'a\u202Ebc', 'invalid_characters'],
    ['of 2 emoji', '🌶'.repeat(2), 'invalid_length'],
    ['of 2 letters, one of them decomposed', 'e\u0301a', 'invalid_length'],
    ['of 51 characters', 'x'.repeat(51), 'invalid_length'],
    ['of 51 emoji', '🌶'.repeat(51), 'invalid_length'],
    ['of 51 decomposed letters', 'e\u0301'.repeat(51), 'invalid_length'],
    ['of 128 KB of combining marks', '\u0345\u0316'.repeat(32_000), 'invalid_length'],
    ['that begins with a NUL', '\u0000abc', 'invalid_characters'],
    ['with a line break', 'a\nbc', 'invalid_characters'],
    ['with an escape', 'a\u001b[31mbc', 'invalid_characters'],
    ['with a C1 control', 'a\u0085bc', 'invalid_characters'],
    ['of Hangul fillers', '\u3164'.repeat(3), 'invalid_length'],
    ['of a letter before invisible characters', 'a\u3164\u034F\u{E0001}\uFFF9', 'invalid_length'],
    ['of empty braille patterns', '\u2800'.repeat(3), 'invalid_characters'],
    ['with half a surrogate pair', 'a\ud83cbc', 'invalid_characters'],
  ])('%s', async (_rule, sent, code) => {
    const message = await expectRejected({ name_en: 'Spicy', [field]: sent }, field, code);
    if (code === 'invalid_length') expect(message).toMatch(/\b3\b.*\b50\b/);
  });
});

// In addition to all products of the company, which are valid.
test.each<[what: string, code: string, items: () => number[]]>([
  ['items that do not exist', 'item_not_found', () => [unknownId - 1, unknownId]],
  ['the ids 0 and -1', 'item_not_found', () => [-1, 0]],
  ["another company's product", 'item_not_found', () => [other.products[0] as number]],
  ["another company's modifier", 'item_not_found', () => [other.modifier]],
  ['a modifier', 'item_not_product', () => [own.modifier]],
  ['a modifier group', 'item_not_product', () => [own.modifierGroup]],
])('%s: %s, with the ids', async (_what, code, items) => {
  const item_ids = [...own.products, ...items().toReversed(), ...items()];
  await expectRejected({ name_en: 'After', item_ids }, 'item_ids', code, items());
});

test('10,001 items: too_many_items', async () => {
  const item_ids = Array.from({ length: 10_001 }, (_, index) => index + 1);
  await expectRejected({ name_en: 'After', item_ids }, 'item_ids', 'too_many_items');
});

test.each(['en', 'ar'])('a write with several violations gets all errors on both APIs, in %s', async (language) => {
  const [theirs = 0] = other.products;
  const missing = [theirs, unknownId];
  const notProducts = [own.modifierGroup, own.modifier].toSorted((a, b) => a - b);
  const options = { token: own.token, language };
  const item_ids = [own.modifier, unknownId, ...own.products, own.modifierGroup, theirs];
  const fields = { name_en: 'ab', name_ar: 'a\u0000b', item_ids };
  const { status, body } = await app.client.rest('PUT', `/product_tags/${tag.id}`, { ...options, body: fields });
  expect({ status, code: body.code }).toEqual({ status: 422, code: 'validation_failed' });
  expect(Object.keys(body.errors)).toEqual(['name_en', 'name_ar', 'item_ids']);
  const messages: string[] = Object.values<string[]>(body.errors).flat();
  for (const id of missing) expect(messages[2]).toContain(String(id));
  for (const id of notProducts) expect(messages[3]).toContain(String(id));
  const script = language === 'ar' ? /^[^A-Za-z]*\p{Script=Arabic}[^A-Za-z]*$/u : /^[^\p{Script=Arabic}]+$/u;
  for (const message of messages) expect(message).toMatch(script);

  const inGraphQL = await app.client.graphql(mutations.update, { id: tag.id, input: toInput(fields) }, options);
  expect(inGraphQL.body.data.updateProductTag.userErrors).toEqual([
    { code: 'INVALID_LENGTH', field: ['input', 'nameEn'], message: messages[0], itemIds: null },
    { code: 'INVALID_CHARACTERS', field: ['input', 'nameAr'], message: messages[1], itemIds: null },
    { code: 'ITEM_NOT_FOUND', field: ['input', 'itemIds'], message: messages[2], itemIds: missing },
    { code: 'ITEM_NOT_PRODUCT', field: ['input', 'itemIds'], message: messages[3], itemIds: notProducts },
  ]);
});

test('an unknown or deleted tag is the only user error of an update or deletion', async () => {
  const deleted = await surfaces.REST.create(app.client, before, own);
  await deleteTag(app.client, deleted.id, own);
  const input = { nameEn: 'ab', itemIds: [own.modifier] };
  const userErrors = [{ code: 'PRODUCT_TAG_NOT_FOUND', field: ['id'], message: expect.any(String), itemIds: null }];
  for (const id of [unknownId, deleted.id]) {
    const update = await app.client.graphql(mutations.update, { id, input }, own);
    const remove = await deleteTag(app.client, id, own);
    expect(update.body.data.updateProductTag).toEqual({ productTag: null, userErrors });
    expect(remove.body.data.deleteProductTag).toEqual({ deletedProductTagId: null, userErrors });
  }
});
