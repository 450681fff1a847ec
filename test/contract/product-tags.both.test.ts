import { beforeEach, describe, expect, test } from 'vitest';
import {
  companyRows,
  deleteTag,
  linkedItems,
  mutations,
  surfaceNames,
  surfaces,
  type TagFields,
} from '../support/product-tag.ts';
import { createTenant } from '../support/tenant.ts';
import { sharedApp } from '../support/test-app.ts';

const app = await sharedApp();
const { client, db } = app;
const many = await createTenant(db, { products: 10_000 });
const tenant = await createTenant(db);
beforeEach(async () => {
  await db.deleteFrom('productTags').where('companyId', '=', tenant.companyId).execute();
});

const bothNames = { name_en: 'Spicy', name_ar: 'حار جدا' };

describe.each(surfaceNames)('a tag written on %s', (name) => {
  const surface = surfaces[name];

  test.each([
    { language: 'en', fields: bothNames, name: bothNames.name_en },
    { language: 'ar', fields: bothNames, name: bothNames.name_ar },
    { language: 'en', fields: { name_en: 'Spicy' }, name: 'Spicy' },
    { language: 'ar', fields: { name_en: 'Spicy' }, name: null },
    { language: 'ar', fields: { name_en: 'Spicy', name_ar: null }, name: null },
  ])('is named $name in $language when it was created with $fields', async ({ language, fields, name }) => {
    const options = { ...tenant, language };
    const created = await surface.create(client, fields, options);
    const answer = { name_en: 'Spicy', name_ar: fields.name_ar ?? null, name, item_ids: [] };
    expect(created).toEqual({ id: created.id, ...answer });
    expect(await surface.update(client, created.id, { name_en: 'Spicy' }, options)).toEqual(created);
  });

  test('keeps its Arabic name if an update omits it, and clears it with null', async () => {
    const { id } = await surface.create(client, bothNames, tenant);
    const renamed = await surface.update(client, id, { name_en: 'Hot' }, tenant);
    expect(renamed).toMatchObject({ name_en: 'Hot', name_ar: bothNames.name_ar });
    const unset = await surface.update(client, id, { name_en: 'Hot', name_ar: null }, tenant);
    expect(unset).toMatchObject({ name_en: 'Hot', name_ar: null });
  });

  describe.each([
    ['name_en', 'nameEn'],
    ['name_ar', 'nameAr'],
  ] as const)('has a %s', (field, column) => {
    test.each([
      ['of 3 characters', 'Hot', 'Hot'],
      ['of 50 characters', 'x'.repeat(50), 'x'.repeat(50)],
      ['of 3 Arabic letters', 'حار', 'حار'],
      ['of 3 emoji', '🌶'.repeat(3), '🌶'.repeat(3)],
      ['of 50 emoji', '🌶'.repeat(50), '🌶'.repeat(50)],
      ['without white space around it', ' \t\nSpicy food\r\n ', 'Spicy food'],
      ['of 50 characters after trimming', `  ${'x'.repeat(50)}  `, 'x'.repeat(50)],
      ['without invisible marks around it', '\u202B\u2067\uFEFF Spicy\u2069 \u200F\u200B', 'Spicy'],
      ['of 50 characters between such marks', `\u061C${'x'.repeat(50)}\u200E\u2060`, 'x'.repeat(50)],
      ['with the joiner that shapes its last letter', 'سنة ه\u200D', 'سنة ه\u200D'],
      ['with its letters composed', 'Cafe\u0301', 'Caf\u00e9'],
      ['of 50 decomposed letters', 'e\u0301'.repeat(50), '\u00e9'.repeat(50)],
    ])('%s', async (_rule, sent, stored) => {
      const fields = { name_en: 'Spicy', [field]: sent };
      const { id } = await surface.create(client, { name_en: 'Before' }, tenant);
      expect((await surface.create(client, fields, tenant))[field]).toBe(stored);
      expect((await surface.update(client, id, fields, tenant))[field]).toBe(stored);
      const { tags } = await companyRows(db, tenant.companyId);
      expect(tags.map((row) => row[column])).toEqual([stored, stored]);
    });
  });

  test.each([
    { change: 'assigns the new', before: [0], after: [0, 1, 2] },
    { change: 'unassigns the absent', before: [0, 1, 2], after: [1] },
    { change: 'exchanges all', before: [0, 1], after: [2, 3] },
    { change: 'unlinks all', before: [0, 1], after: [] },
    { change: 'links the first', before: [], after: [4] },
    { change: 'sorts ids and counts repeated ones once', before: [2, 0, 2, 1, 0], after: [4, 4, 3] },
  ])('an update $change, from the items $before to $after', async ({ before, after }) => {
    const at = (positions: number[]) => positions.map((position) => tenant.products[position] as number);
    const set = (positions: number[]) => [...new Set(at(positions))].toSorted((a, b) => a - b);
    const created = await surface.create(client, { name_en: 'Spicy', item_ids: at(before) }, tenant);
    expect([created.item_ids, await linkedItems(db, created.id)]).toEqual([set(before), set(before)]);
    const updated = await surface.update(client, created.id, { name_en: 'Spicy', item_ids: at(after) }, tenant);
    expect([updated.item_ids, await linkedItems(db, created.id)]).toEqual([set(after), set(after)]);
  });

  test('an item can have many tags, and a change of one keeps the others', async () => {
    const fields = { name_en: 'Spicy', item_ids: tenant.products };
    const first = await surface.create(client, fields, tenant);
    const second = await surface.create(client, fields, tenant);
    expect(second.id).not.toBe(first.id);
    await surface.update(client, first.id, { name_en: 'Spicy', item_ids: [] }, tenant);
    expect(await linkedItems(db, second.id)).toEqual(tenant.products);
  });

  test('accepts 10,000 distinct items at once', async () => {
    const item_ids = [...many.products, ...many.products.slice(0, 10)];
    const created = await surface.create(client, { name_en: 'Everything', item_ids }, many);
    expect([created.item_ids, await linkedItems(db, created.id)]).toEqual([many.products, many.products]);
  });
});

test('a creation on REST is 201 with the tag and its Location', async () => {
  const { status, headers, body } = await client.rest('POST', '/product_tags', {
    ...tenant,
    body: { name_en: 'Spicy' },
  });
  expect(status).toBe(201);
  expect(Object.keys(body)).toEqual(['id', 'name_en', 'name_ar', 'name', 'item_ids']);
  expect(headers.get('cache-control')).toContain('no-store');
  expect(headers.get('location')).toBe(`/partner_portal/v1/product_tags/${body.id}`);
});

describe('GraphQL', () => {
  const create = (fields: TagFields) => surfaces.REST.create(client, fields, tenant);

  test('name(locale:) overrides the language of the request', async () => {
    const mutation = `mutation { createProductTag(input: { nameEn: "Spicy", nameAr: "حار جدا" }) {
      productTag { en: name(locale: EN) ar: name(locale: AR) own: name }
    } }`;
    const { body } = await client.graphql(mutation, {}, { ...tenant, language: 'ar' });
    expect(body.data.createProductTag.productTag).toEqual({ en: 'Spicy', ar: 'حار جدا', own: 'حار جدا' });
  });

  test('a deletion removes only the tag and its links', async () => {
    const fields = { name_en: 'Spicy', item_ids: tenant.products };
    const [{ id }, other] = [await create(fields), await create(fields)];
    const before = await companyRows(db, tenant.companyId);
    const { body } = await deleteTag(client, id, tenant);
    expect(body.data.deleteProductTag).toEqual({ deletedProductTagId: id, userErrors: [] });
    const after = await companyRows(db, tenant.companyId);
    expect(after.tags).toEqual([expect.objectContaining({ id: other.id })]);
    expect(after.taggings).toEqual(before.taggings.slice(tenant.products.length));
    expect(after.items).toEqual(before.items);
  });

  const first = { name_en: 'First', item_ids: tenant.products.slice(0, 2) };

  test('an update changes only the given fields; an English name of null is rejected', async () => {
    const { id } = await create(first);
    const [item] = first.item_ids;
    const update = async (input: object) => {
      const selection = 'nameEn nameAr itemIds version';
      const mutation = `mutation ($input: UpdateProductTagInput!) { updateProductTag(id: ${id}, input: $input) {
        productTag { ${selection} } userErrors { code field } } }`;
      return (await client.graphql(mutation, { input }, tenant)).body.data.updateProductTag;
    };
    const before = await companyRows(db, tenant.companyId);
    const { productTag, ...rest } = await update({});
    expect(productTag).toMatchObject({ nameEn: 'First', nameAr: null, itemIds: first.item_ids });
    expect(rest).toEqual({ userErrors: [] });
    const userErrors = [{ code: 'INVALID_TYPE', field: ['input', 'nameEn'] }];
    expect(await update({ nameEn: null, itemIds: [] })).toEqual({ productTag: null, userErrors });
    expect(await companyRows(db, tenant.companyId)).toEqual(before);
    for (const [input, expected] of [
      [{ nameAr: 'حار' }, { nameEn: 'First', nameAr: 'حار', itemIds: first.item_ids }],
      [{ itemIds: [item] }, { nameEn: 'First', nameAr: 'حار', itemIds: [item] }],
      [{ nameEn: 'Named' }, { nameEn: 'Named', nameAr: 'حار', itemIds: [item] }],
      [{ nameAr: null }, { nameEn: 'Named', nameAr: null, itemIds: [item] }],
    ]) {
      expect((await update(input as object)).productTag).toMatchObject(expected as object);
    }
  });

  test('a deletion returns the id, and deletes nothing if the version differs', async () => {
    const { id } = await create(first);
    const remove = async (ifMatch: string) => {
      const mutation = `mutation { deleteProductTag(id: ${id}, ifMatch: "${ifMatch}") {
        deletedProductTagId userErrors { code field } } }`;
      return (await client.graphql(mutation, {}, tenant)).body.data.deleteProductTag;
    };
    const before = await companyRows(db, tenant.companyId);
    const userErrors = [{ code: 'VERSION_MISMATCH', field: ['ifMatch'] }];
    expect(await remove('stale')).toEqual({ deletedProductTagId: null, userErrors });
    expect(await companyRows(db, tenant.companyId)).toEqual(before);
    const { version } = before.tags.find((tag) => tag.id === id) as { version: string };
    expect(await remove(version)).toEqual({ deletedProductTagId: id, userErrors: [] });
    expect((await deleteTag(client, id, tenant)).body.data.deleteProductTag.deletedProductTagId).toBeNull();
    const update = { id, input: { nameEn: 'Again' } };
    const { body } = await client.graphql(mutations.update, update, tenant);
    expect(body.data.updateProductTag.userErrors).toMatchObject([{ code: 'PRODUCT_TAG_NOT_FOUND' }]);
  });

  test('mutations of a document run in order, and see earlier writes', async () => {
    const [itemId = 0] = tenant.products;
    const { id } = await create({ name_en: 'First', item_ids: [itemId] });
    const mutation = `mutation ($id: Int!, $itemIds: [Int!]) {
      rename: updateProductTag(id: $id, input: { nameEn: "Renamed" }) { productTag { ...Tag } }
      create: createProductTag(input: { nameEn: "Second", itemIds: $itemIds }) { productTag { ...Tag } }
      delete: deleteProductTag(id: $id) { deletedProductTagId }
      again: updateProductTag(id: $id, input: { nameEn: "Too late" }) { productTag { ...Tag } userErrors { code } }
      last: createProductTag(input: { nameEn: "Third", itemIds: $itemIds }) { productTag { ...Tag } }
    }
    fragment Tag on ProductTag { items(first: 1) { nodes { id tags(first: 2) { nodes { nameEn itemIds } } } } }`;
    const { body } = await client.graphql(mutation, { id, itemIds: [itemId] }, tenant);
    const tagged = (...names: string[]) => {
      const tags = names.map((nameEn) => ({ nameEn, itemIds: [itemId] }));
      return { productTag: { items: { nodes: [{ id: itemId, tags: { nodes: tags } }] } } };
    };
    expect(body.data).toEqual({
      rename: tagged('Renamed'),
      create: tagged('Renamed', 'Second'),
      delete: { deletedProductTagId: id },
      again: { productTag: null, userErrors: [{ code: 'PRODUCT_TAG_NOT_FOUND' }] },
      last: tagged('Second', 'Third'),
    });
  });

  const read = async (fields: string) => {
    const query = `{ items(first: 10) { nodes { tags { nodes { ${fields} } } } } }`;
    const { body } = await client.graphql(query, {}, tenant);
    expect(body.errors).toBeUndefined();
    return body.data.items.nodes.flatMap(({ tags }: { tags: { nodes: object[] } }) => tags.nodes);
  };

  test('ProductTag.items is paginated by id', async () => {
    const { products } = tenant;
    await create({ name_en: 'All', item_ids: products });
    await create({ name_en: 'Last', item_ids: products.slice(-1) });
    const toNodes = (ids: number[]) => ids.map((id) => ({ id }));
    const page = 'nodes { id } pageInfo { hasNextPage endCursor }';
    const [{ all, items }] = await read(`all: items { nodes { id } } items(first: 2) { edges { cursor } ${page} }`);
    expect([all.nodes, items.nodes]).toEqual([toNodes(products), toNodes(products.slice(0, 2))]);
    const { endCursor: after } = items.pageInfo;
    expect([items.pageInfo.hasNextPage, items.edges[1].cursor]).toEqual([true, after]);

    const [rest, last] = (await read(`items(first: 20, after: "${after}") { ${page} }`)).slice(-2);
    const { endCursor } = last.items.pageInfo;
    const pageInfo = { hasNextPage: false, endCursor };
    expect(rest.items).toEqual({ nodes: toNodes(products.slice(2)), pageInfo });
    expect(last.items).toEqual({ nodes: toNodes(products.slice(-1)), pageInfo });
    const [{ items: behind }] = await read(`items(first: 1, after: "${endCursor}") { ${page} }`);
    expect(behind).toEqual({ nodes: [], pageInfo: { hasNextPage: false, endCursor: null } });
  });

  test('ProductTag.items rejects the arguments that Query.items rejects', async () => {
    await create({ name_en: 'All', item_ids: tenant.products });
    for (const argument of ['first: 0', 'first: 101', 'after: "?"']) {
      const query = `{ productTags(first: 1) { nodes { items(${argument}) { nodes { id } } } } }`;
      const { body } = await client.graphql(query, {}, tenant);
      expect(body.errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
    }
  });
});
