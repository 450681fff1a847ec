import { beforeEach, expect, test } from 'vitest';
import { companyRows, linkedItems, surfaces, type Tag } from '../support/product-tag.ts';
import { insertItems, type Tenant } from '../support/tenant.ts';
import { sharedApp } from '../support/test-app.ts';

const unknownId = 2_000_000_000;
const maxItems = 10_000;

const app = await sharedApp();
let tenant: Tenant;
let tag: Tag;
beforeEach(async () => {
  tenant = await app.createTenant();
  tag = await surfaces.REST.create(app.client, { name_en: 'Spicy', item_ids: tenant.products.slice(0, 2) }, tenant);
});

type Action = 'add' | 'remove';
type Change = { id?: number; ifMatch?: string };

async function change(action: Action, itemIds: number[], { id = tag.id, ifMatch }: Change = {}) {
  const mutation = `mutation ($id: Int!, $itemIds: [Int!]!, $ifMatch: String) {
    outcome: ${action}ProductTagItems(id: $id, itemIds: $itemIds, ifMatch: $ifMatch) {
      productTag { nameEn version items(first: 100) { nodes { id } } } userErrors { code field itemIds } } }`;
  const { body } = await app.client.graphql(mutation, { id, itemIds, ifMatch }, tenant);
  expect(body.errors).toBeUndefined();
  const { productTag, userErrors } = body.data.outcome;
  const items = productTag?.items.nodes.map((item: { id: number }) => item.id);
  return { items, version: productTag?.version, userErrors };
}

const rows = () => companyRows(app.db, tenant.companyId);

async function expectRejected(outcome: Promise<{ userErrors: unknown }>, ...userErrors: object[]): Promise<void> {
  const before = await rows();
  expect((await outcome).userErrors).toEqual(userErrors.map((error) => ({ itemIds: null, ...error })));
  expect(await rows()).toEqual(before);
}

test('adds and removes items of a tag, with a new version each time', async () => {
  const { products } = tenant;
  const added = await change('add', [products[3], products[1], products[3]] as number[]);
  expect(added.items).toEqual([0, 1, 3].map((index) => products[index]));
  const removed = await change('remove', [products[0], products[3], products[0]] as number[]);
  expect(removed.items).toEqual([products[1]]);
  expect(removed.version).not.toBe(added.version);
});

test('an addition or removal without effect writes nothing, and unknown items can be removed', async () => {
  const { products, modifier } = tenant;
  const before = await rows();
  const same = await change('add', products.slice(0, 2));
  expect(await change('add', [])).toEqual(same);
  expect(await change('remove', [products[4] as number, modifier, unknownId])).toEqual(same);
  expect(same).toMatchObject({ items: products.slice(0, 2), userErrors: [] });
  expect(await rows()).toEqual(before);
});

test('rejects all items that cannot be tagged, with the argument', async () => {
  const itemIds = [tenant.products[2] as number, tenant.modifier, unknownId];
  await expectRejected(
    change('add', itemIds),
    { code: 'ITEM_NOT_FOUND', field: ['itemIds'], itemIds: [unknownId] },
    { code: 'ITEM_NOT_PRODUCT', field: ['itemIds'], itemIds: [tenant.modifier] },
  );
});

test.each<Action>(['add', 'remove'])('%s checks the tag, then its version, then the items', async (action) => {
  const tooMany = Array.from({ length: maxItems + 1 }, (_, index) => index);
  const versionMismatch = { code: 'VERSION_MISMATCH', field: ['ifMatch'] };
  const stale = { ifMatch: 'stale' };
  const notFound = { code: 'PRODUCT_TAG_NOT_FOUND', field: ['id'] };
  await expectRejected(change(action, tooMany, { id: unknownId, ...stale }), notFound);
  await expectRejected(change(action, tooMany, stale), versionMismatch);
  await expectRejected(change(action, tooMany), { code: 'TOO_MANY_ITEMS', field: ['itemIds'] });
  const { version } = await change('add', []);
  expect(await change(action, tenant.products.slice(0, 1), { ifMatch: version })).toMatchObject({ userErrors: [] });
});

test('a tag has at most 10,000 items', async () => {
  const items = await insertItems(app.db, tenant.companyId, 'product', maxItems - 1);
  expect((await change('add', items.slice(1))).userErrors).toEqual([]);
  expect(await linkedItems(app.db, tag.id)).toHaveLength(maxItems);
  await expectRejected(change('add', items.slice(0, 1)), { code: 'TOO_MANY_ITEMS', field: ['itemIds'] });
  expect((await change('add', items.slice(1))).userErrors).toEqual([]);
});

test('concurrent editors do not overwrite each other', async () => {
  const { products } = tenant;
  const [kept, first, second, third] = products.slice(1) as [number, number, number, number];
  for (let round = 0; round < 30; round += 1) {
    await change('add', [first]);
    await change('remove', [second, third]);
    const outcomes = await Promise.all([
      change('add', [second]),
      change('remove', [first]),
      change('add', [third]),
      surfaces.GraphQL.update(app.client, tag.id, { name_en: `Round ${round}` }, tenant),
    ]);
    for (const { userErrors = [] } of outcomes as { userErrors?: unknown[] }[]) expect(userErrors).toEqual([]);
    expect(await linkedItems(app.db, tag.id)).toEqual([products[0], kept, second, third]);
  }
});
