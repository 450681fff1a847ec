import { beforeEach, describe, expect, test } from 'vitest';
import { CreateProductTagDocument, DeleteProductTagDocument, UpdateProductTagDocument } from './documents.generated.ts';
import { sharedApp } from './support/app.ts';
import { companyRows, surfaces, type Tag, type TagFields, toInput } from './support/product-tag.ts';
import { createTenant, type Tenant } from './support/tenant.ts';

/** An id that no row has. */
const unknownId = 2_000_000_000;

let own: Tenant;
let tag: Tag;
const app = await sharedApp();
const other = await createTenant(app.db);
beforeEach(async () => {
  own = await createTenant(app.db);
  tag = await surfaces.REST.create(app.client, { name_en: 'Before', item_ids: own.products.slice(0, 2) }, own);
});

interface Refused {
  what: string;
  code: string;
  field: 'name_en' | 'name_ar' | 'item_ids';
  /** What is wrong, beside a good name and good items. */
  wrong(): Partial<TagFields>;
  /** The items that the answer names. */
  named?(): number[];
}

const withItems = (...ids: number[]) => ({ item_ids: [...own.products, ...ids] });

const refused: Refused[] = [
  { what: 'a short English name', code: 'invalid_length', field: 'name_en', wrong: () => ({ name_en: 'ab' }) },
  { what: 'a long Arabic name', code: 'invalid_length', field: 'name_ar', wrong: () => ({ name_ar: 'ح'.repeat(51) }) },
  { what: 'a line break', code: 'invalid_characters', field: 'name_en', wrong: () => ({ name_en: 'a\nbc' }) },
  {
    what: 'items that do not exist',
    code: 'item_not_found',
    field: 'item_ids',
    wrong: () => withItems(unknownId, unknownId - 1, unknownId),
    named: () => [unknownId - 1, unknownId],
  },
  {
    what: 'the ids 0 and -1',
    code: 'item_not_found',
    field: 'item_ids',
    wrong: () => withItems(0, -1),
    named: () => [-1, 0],
  },
  {
    what: "another company's product",
    code: 'item_not_found',
    field: 'item_ids',
    wrong: () => withItems(other.products[0] as number),
    named: () => [other.products[0] as number],
  },
  {
    what: "another company's modifier",
    code: 'item_not_found',
    field: 'item_ids',
    wrong: () => withItems(other.modifier),
    named: () => [other.modifier],
  },
  {
    what: 'a modifier',
    code: 'item_not_product',
    field: 'item_ids',
    wrong: () => withItems(own.modifier),
    named: () => [own.modifier],
  },
  {
    what: 'a modifier group',
    code: 'item_not_product',
    field: 'item_ids',
    wrong: () => withItems(own.modifierGroup),
    named: () => [own.modifierGroup],
  },
  {
    what: '10,001 items',
    code: 'too_many_items',
    field: 'item_ids',
    wrong: () => ({ item_ids: Array.from({ length: 10_001 }, (_, index) => index + 1) }),
  },
];

const v1ToInput = { name_en: 'nameEn', name_ar: 'nameAr', item_ids: 'itemIds' };

describe.each(refused)('$what: $code', ({ code, field, wrong, named }) => {
  const fields = (): TagFields => ({ name_en: 'After', ...withItems(), ...wrong() });

  test.each(['POST', 'PUT'])('REST %s is 422 about the field, and nothing is written', async (method) => {
    const before = await companyRows(app.db, own.companyId);
    const path = method === 'POST' ? '/product_tags' : `/product_tags/${tag.id}`;
    const { status, body } = await app.client.rest(method, path, { token: own.token, body: fields() });
    expect(status).toBe(422);
    expect(body.code).toBe(code);
    expect(body.errors).toEqual({ [field]: [expect.any(String)] });
    for (const id of named?.() ?? []) expect(body.errors[field][0]).toContain(String(id));
    expect(await companyRows(app.db, own.companyId)).toEqual(before);
  });

  test.each(['create', 'update'])(
    'GraphQL %s is a user error about the field, and nothing is written',
    async (verb) => {
      const before = await companyRows(app.db, own.companyId);
      const input = toInput(fields());
      const { status, body } =
        verb === 'create'
          ? await app.client.graphql(CreateProductTagDocument, { input }, own)
          : await app.client.graphql(UpdateProductTagDocument, { id: tag.id, input }, own);
      expect(status).toBe(200);
      expect(body.errors).toBeUndefined();
      const userErrors = [
        {
          code: code.toUpperCase(),
          field: ['input', v1ToInput[field]],
          message: expect.any(String),
          itemIds: named?.() ?? null,
        },
      ];
      expect(body.data).toEqual({ [`${verb}ProductTag`]: { productTag: null, userErrors } });
      expect(await companyRows(app.db, own.companyId)).toEqual(before);
    },
  );
});

describe('a write that breaks several rules', () => {
  const fields = (): TagFields => ({
    name_en: 'ab',
    name_ar: 'a\u0000b',
    item_ids: [own.modifier, unknownId, own.products[0] as number, own.modifierGroup, other.products[0] as number],
  });
  const missing = () => [other.products[0] as number, unknownId];
  const notProducts = () => [own.modifierGroup, own.modifier].toSorted((a, b) => a - b);

  test('is told every one of them on GraphQL', async () => {
    const { body } = await app.client.graphql(UpdateProductTagDocument, { id: tag.id, input: toInput(fields()) }, own);
    const reasons = body.data?.updateProductTag.userErrors.map(({ message, ...reason }) => reason);
    expect(reasons).toEqual([
      { code: 'INVALID_LENGTH', field: ['input', 'nameEn'], itemIds: null },
      { code: 'INVALID_CHARACTERS', field: ['input', 'nameAr'], itemIds: null },
      { code: 'ITEM_NOT_FOUND', field: ['input', 'itemIds'], itemIds: missing() },
      { code: 'ITEM_NOT_PRODUCT', field: ['input', 'itemIds'], itemIds: notProducts() },
    ]);
  });

  test.each(['en', 'ar'])('is told every one of them on REST, in %s', async (language) => {
    const { status, headers, body } = await app.client.rest('PUT', `/product_tags/${tag.id}`, {
      token: own.token,
      language,
      body: fields(),
    });
    expect(status).toBe(422);
    expect(headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(headers.get('content-language')).toBe(language);
    expect(body).toMatchObject({ status: 422, code: 'validation_failed', request_id: headers.get('x-request-id') });
    expect(Object.keys(body.errors)).toEqual(['name_en', 'name_ar', 'item_ids']);
    const [notFound, notProduct] = body.errors.item_ids;
    for (const id of missing()) expect(notFound).toContain(String(id));
    for (const id of notProducts()) expect(notProduct).toContain(String(id));

    const { body: inGraphQL } = await app.client.graphql(
      UpdateProductTagDocument,
      { id: tag.id, input: toInput(fields()) },
      { token: own.token, language },
    );
    const messages: string[] = Object.values<string[]>(body.errors).flat();
    expect(inGraphQL.data?.updateProductTag.userErrors.map(({ message }) => message)).toEqual(messages);
    const script = language === 'ar' ? /^[^A-Za-z]*\p{Script=Arabic}[^A-Za-z]*$/u : /^[^\p{Script=Arabic}]+$/u;
    for (const message of messages) expect(message).toMatch(script);
  });
});

describe('a tag that does not exist', () => {
  test.each(['en', 'ar'])('is 404 to PUT, in %s, whatever else is wrong with the request', async (language) => {
    const options = { token: own.token, language, body: { name_en: 'ab', item_ids: [own.modifier] } };
    const { status, body } = await app.client.rest('PUT', `/product_tags/${unknownId}`, options);
    expect(status).toBe(404);
    expect(body).toMatchObject({ status: 404, code: 'product_tag_not_found' });
    expect(/\p{Script=Arabic}/u.test(body.detail)).toBe(language === 'ar');
  });

  test('is 404 to PUT also when an item id exceeds 32 bits', async () => {
    const options = { token: own.token, body: { name_en: 'Late', item_ids: [2 ** 31] } };
    expect((await app.client.rest('PUT', `/product_tags/${unknownId}`, options)).status).toBe(404);
  });

  test('is the one user error of an update and of a deletion', async () => {
    const input = { nameEn: 'ab', itemIds: [own.modifier] };
    const update = await app.client.graphql(UpdateProductTagDocument, { id: unknownId, input }, own);
    const remove = await app.client.graphql(DeleteProductTagDocument, { id: unknownId }, own);
    const userErrors = [{ code: 'PRODUCT_TAG_NOT_FOUND', field: ['id'], message: expect.any(String), itemIds: null }];
    expect(update.body.data?.updateProductTag).toEqual({ productTag: null, userErrors });
    expect(remove.body.data?.deleteProductTag).toEqual({ deletedProductTagId: null, userErrors });
  });

  test('is what a deleted tag is', async () => {
    await app.client.graphql(DeleteProductTagDocument, { id: tag.id }, own);
    const again = await app.client.graphql(DeleteProductTagDocument, { id: tag.id }, own);
    expect(again.body.data?.deleteProductTag.userErrors[0]?.code).toBe('PRODUCT_TAG_NOT_FOUND');
    const put = await app.client.rest('PUT', `/product_tags/${tag.id}`, {
      token: own.token,
      body: { name_en: 'Late' },
    });
    expect(put.status).toBe(404);
  });
});
