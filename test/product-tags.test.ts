import { beforeEach, describe, expect, test } from 'vitest';
import { DeleteProductTagDocument, ViewerItemDocument } from './documents.generated.ts';
import { sharedApp } from './support/app.ts';
import { companyRows, surfaces } from './support/product-tag.ts';
import { createTenant, type Tenant } from './support/tenant.ts';

let tenant: Tenant;
let token: string;
const app = await sharedApp();
beforeEach(async () => {
  tenant = await createTenant(app.db);
  token = tenant.token;
});

describe.each(Object.keys(surfaces) as (keyof typeof surfaces)[])('a tag written on %s', (on) => {
  const surface = surfaces[on];
  const bothNames = { name_en: 'Spicy', name_ar: 'حار جدا' };

  test.each([
    { language: 'en', fields: bothNames, name: bothNames.name_en },
    { language: 'ar', fields: bothNames, name: bothNames.name_ar },
    { language: 'en', fields: { name_en: 'Spicy' }, name: 'Spicy' },
    { language: 'ar', fields: { name_en: 'Spicy' }, name: null },
    { language: 'ar', fields: { name_en: 'Spicy', name_ar: null }, name: null },
  ])('is named $name in $language when it was created with $fields', async ({ language, fields, name }) => {
    const created = await surface.create(app.client, fields, { token, language });
    const answer = { name_en: 'Spicy', name_ar: fields.name_ar ?? null, name, item_ids: [] };
    expect(created).toEqual({ id: created.id, ...answer });
    expect(await surface.update(app.client, created.id, { name_en: 'Spicy' }, { token, language })).toEqual(created);
  });

  test("belongs to the partner's default company", async () => {
    const { id } = await surface.create(app.client, { name_en: 'Spicy' }, { token });
    const row = await app.db.selectFrom('productTags').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    expect(row).toEqual({ id, companyId: tenant.companyId, nameEn: 'Spicy', nameAr: null });
  });

  test('keeps its Arabic name when an update has none, and loses it to null', async () => {
    const { id } = await surface.create(app.client, bothNames, { token });
    const renamed = await surface.update(app.client, id, { name_en: 'Hot' }, { token });
    expect(renamed).toMatchObject({ name_en: 'Hot', name_ar: bothNames.name_ar });
    const unset = await surface.update(app.client, id, { name_en: 'Hot', name_ar: null }, { token });
    expect(unset).toMatchObject({ name_en: 'Hot', name_ar: null });
  });

  test('is read through its items as it was written', async () => {
    const [first = 0, second = 0] = tenant.products;
    const tag = await surface.create(app.client, { ...bothNames, item_ids: [second, first] }, { token });
    const { body } = await app.client.graphql(ViewerItemDocument, { id: first }, { token, language: 'ar' });
    const { name_en: nameEn, name_ar: nameAr } = bothNames;
    const items = { nodes: [{ id: first }, { id: second }] };
    expect(body.data?.viewer.item?.tags).toEqual([
      { id: tag.id, nameEn, nameAr, name: nameAr, itemIds: [first, second], items },
    ]);
  });
});

describe('REST', () => {
  const keys = ['id', 'name_en', 'name_ar', 'name', 'item_ids'];

  test('creation is 201 with the bare tag, and Location is the path that updates it', async () => {
    const created = await app.client.rest('POST', '/product_tags', { token, body: { name_en: 'Spicy' } });
    expect(created.status).toBe(201);
    expect(Object.keys(created.body)).toEqual(keys);
    const location = created.headers.get('location') ?? '';
    expect(location).toBe(`/partner_portal/v1/product_tags/${created.body.id}`);

    const body = JSON.stringify({ name_en: 'Hot stuff' });
    const headers = { 'Content-Type': 'application/json' };
    const updated = await app.client.fetch<Record<string, unknown>>('PUT', location, { token, headers, body });
    expect(updated.status).toBe(200);
    expect(Object.keys(updated.body)).toEqual(keys);
    expect(updated.body).toEqual({ ...created.body, name_en: 'Hot stuff', name: 'Hot stuff' });
  });

  test('an answer about a tag says its language and is not for caches', async () => {
    const { headers } = await app.client.rest('POST', '/product_tags', {
      token,
      language: 'ar-SA',
      body: { name_en: 'Spicy' },
    });
    expect(headers.get('content-language')).toBe('ar');
    expect(headers.get('vary')).toContain('Accept-Language');
    expect(headers.get('cache-control')).toContain('no-store');
  });
});

describe('GraphQL', () => {
  test('name(locale:) overrides the language of the request', async () => {
    const mutation = `mutation { createProductTag(input: { nameEn: "Spicy", nameAr: "حار جدا" }) {
      productTag { en: name(locale: EN) ar: name(locale: AR) own: name }
    } }`;
    const { body } = await app.client.graphql(mutation, {}, { token, language: 'ar' });
    expect(body.data.createProductTag.productTag).toEqual({ en: 'Spicy', ar: 'حار جدا', own: 'حار جدا' });
  });

  test('deleting a tag removes its links and nothing else', async () => {
    const fields = { name_en: 'Spicy', item_ids: tenant.products };
    const { id } = await surfaces.REST.create(app.client, fields, { token });
    const other = await surfaces.REST.create(app.client, fields, { token });
    const before = await companyRows(app.db, tenant.companyId);

    const { body } = await app.client.graphql(DeleteProductTagDocument, { id }, { token });
    expect(body.data?.deleteProductTag).toEqual({ deletedProductTagId: id, userErrors: [] });
    const after = await companyRows(app.db, tenant.companyId);
    expect(after.tags).toEqual([expect.objectContaining({ id: other.id })]);
    expect(after.taggings).toEqual(before.taggings.slice(tenant.products.length));
    expect(after.items).toEqual(before.items);
  });

  test('mutations of one request run in order, and each sees what those before it wrote', async () => {
    const [itemId = 0] = tenant.products;
    const { id } = await surfaces.REST.create(app.client, { name_en: 'First', item_ids: [itemId] }, { token });
    const mutation = `mutation ($id: Int!, $itemIds: [Int!]) {
      rename: updateProductTag(id: $id, input: { nameEn: "Renamed" }) { ...Outcome }
      create: createProductTag(input: { nameEn: "Second", itemIds: $itemIds }) { ...Outcome }
      delete: deleteProductTag(id: $id) { deletedProductTagId }
      again: updateProductTag(id: $id, input: { nameEn: "Too late" }) { ...Outcome userErrors { code } }
      last: createProductTag(input: { nameEn: "Third", itemIds: $itemIds }) { ...Outcome }
    }
    fragment Outcome on ProductTagPayload { productTag { items { nodes { id tags { nameEn itemIds } } } } }`;
    const { body } = await app.client.graphql(mutation, { id, itemIds: [itemId] }, { token });
    const tagged = (...names: string[]) => ({
      productTag: {
        items: { nodes: [{ id: itemId, tags: names.map((nameEn) => ({ nameEn, itemIds: [itemId] })) }] },
      },
    });
    expect(body.data).toEqual({
      rename: tagged('Renamed'),
      create: tagged('Renamed', 'Second'),
      delete: { deletedProductTagId: id },
      again: { productTag: null, userErrors: [{ code: 'PRODUCT_TAG_NOT_FOUND' }] },
      last: tagged('Second', 'Third'),
    });
  });
});
