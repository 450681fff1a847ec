import { beforeEach, describe, expect, test } from 'vitest';
import { companyRows, deleteTag, linkedItems, surfaces } from '../support/product-tag.ts';
import type { Tenant } from '../support/tenant.ts';
import { sharedApp } from '../support/test-app.ts';

const unknownId = 2_000_000_000;

const app = await sharedApp();
const other = await app.createTenant();
const theirs = await surfaces.REST.create(app.client, { name_en: 'Theirs' }, other);
let own: Tenant;
let item: number;
let tags: number[];
beforeEach(async () => {
  own = await app.createTenant();
  [item = 0] = own.products;
  tags = [];
  for (const name_en of ['First', 'Second', 'Third']) {
    tags.push((await surfaces.REST.create(app.client, { name_en, item_ids: own.products.slice(0, 2) }, own)).id);
  }
});

const document = `mutation ($itemId: Int!, $productTagIds: [Int!]!) { setItemTags(itemId: $itemId, productTagIds: $productTagIds) {
  item { id tags { totalCount nodes { id version itemCount } } } userErrors { code field message itemIds productTagIds } } }`;

const set = async (productTagIds: number[], itemId = item, language = 'en') =>
  (await app.client.graphql(document, { itemId, productTagIds }, { token: own.token, language })).body;

const rows = () => companyRows(app.db, own.companyId);

describe('the tags of an item', () => {
  test('are set exactly, and only those that change get another version', async () => {
    const [first = 0, second = 0, third = 0] = tags;
    const versions = async () => new Map((await rows()).tags.map((tag) => [tag.id, tag.version]));
    const linked = () => Promise.all(tags.map((tag) => linkedItems(app.db, tag)));
    const [, neighbour = 0, bare = 0] = own.products;
    const before = await versions();
    const { item: shown, userErrors } = (await set([third, first, third])).data.setItemTags;
    const after = await versions();
    const tag = (id: number) => ({ id, version: after.get(id), itemCount: 2 });
    expect(shown).toEqual({ id: item, tags: { totalCount: 2, nodes: [tag(first), tag(third)] } });
    expect(userErrors).toEqual([]);
    expect(tags.map((id) => before.get(id) === after.get(id))).toEqual([true, false, true]);
    expect(await linked()).toEqual([[item, neighbour], [neighbour], [item, neighbour]]);
    await set([second], bare);
    expect(await linked()).toEqual([
      [item, neighbour],
      [neighbour, bare],
      [item, neighbour],
    ]);
    await set([]);
    expect(await linked()).toEqual([[neighbour], [neighbour, bare], [neighbour]]);
  });

  test('that it has already write nothing', async () => {
    const before = await rows();
    expect((await set(tags)).data.setItemTags.item.tags.totalCount).toBe(3);
    expect(await rows()).toEqual(before);
  });

  test('are not changed by a rejected mutation, which names everything that is wrong with it', async () => {
    const [first = 0, second = 0, third = 0] = tags;
    await deleteTag(app.client, third, own);
    const error = (code: string, field: string, ids: { itemIds?: number[]; productTagIds?: number[] }) => {
      return { code, field: [field], message: expect.any(String), itemIds: null, productTagIds: null, ...ids };
    };
    const missing = [third, theirs.id, unknownId].toSorted((a, b) => a - b);
    const rejected = [error('PRODUCT_TAG_NOT_FOUND', 'productTagIds', { productTagIds: missing })];
    const before = await rows();
    const wanted = [unknownId, second, theirs.id, first, third, unknownId];
    for (const [itemId, errors] of [
      [item, rejected],
      [own.modifier, [error('ITEM_NOT_PRODUCT', 'itemId', { itemIds: [own.modifier] }), ...rejected]],
      [other.products[0], [error('ITEM_NOT_FOUND', 'itemId', { itemIds: [other.products[0] as number] }), ...rejected]],
      [unknownId, [error('ITEM_NOT_FOUND', 'itemId', { itemIds: [unknownId] }), ...rejected]],
    ] as const) {
      const { setItemTags } = (await set(wanted, itemId)).data;
      expect(setItemTags).toEqual({ item: null, userErrors: errors });
      for (const id of missing) expect(setItemTags.userErrors.at(-1).message).toContain(String(id));
    }
    const [{ message }] = (await set([unknownId], item, 'ar')).data.setItemTags.userErrors;
    expect(message).toMatch(/^[\p{Script=Arabic}\p{Mn} ]+: 2000000000\./u);
    expect((await set([], own.modifier)).data.setItemTags.userErrors).toMatchObject([{ code: 'ITEM_NOT_PRODUCT' }]);
    expect(await rows()).toEqual(before);
  });

  test('are at most 100, which is checked before anything runs', async () => {
    const before = await rows();
    const ids = Array.from({ length: 101 }, (_, index) => index + unknownId);
    const { data, errors } = await set(ids);
    expect([data, errors]).toMatchObject([undefined, [{ extensions: { code: 'BAD_USER_INPUT' } }]]);
    const { userErrors } = (await set(ids.slice(1))).data.setItemTags;
    expect(userErrors).toMatchObject([{ code: 'PRODUCT_TAG_NOT_FOUND', productTagIds: ids.slice(1) }]);
    expect(await rows()).toEqual(before);
  });
});
