import { describe, expect, test } from 'vitest';
import { insertItems } from '../support/tenant.ts';
import { sharedApp } from '../support/test-app.ts';

const app = await sharedApp();
const tenant = await app.createTenant({ products: 6 });
const [a = 0, b = 0, c = 0, d = 0, e = 0] = tenant.products;

const payload = `{ productTag { id version itemCount } changedItems { id nameEn tags { nodes { id } } }
  current { id nameEn version itemCount itemIds items { nodes { id } } } userErrors { code itemIds } }`;
const mutations = {
  create: `mutation ($itemIds: [Int!], $key: String) {
    result: createProductTag(input: { nameEn: "Spicy", itemIds: $itemIds }, idempotencyKey: $key) ${payload} }`,
  rename: `mutation ($id: Int!, $name: String!, $ifMatch: String) {
    result: updateProductTag(id: $id, input: { nameEn: $name }, ifMatch: $ifMatch) ${payload} }`,
  set: `mutation ($id: Int!, $itemIds: [Int!], $ifMatch: String) {
    result: updateProductTag(id: $id, input: { itemIds: $itemIds }, ifMatch: $ifMatch) ${payload} }`,
  add: `mutation ($id: Int!, $itemIds: [Int!]!, $ifMatch: String) {
    result: addProductTagItems(id: $id, itemIds: $itemIds, ifMatch: $ifMatch) ${payload} }`,
  remove: `mutation ($id: Int!, $itemIds: [Int!]!, $ifMatch: String) {
    result: removeProductTagItems(id: $id, itemIds: $itemIds, ifMatch: $ifMatch) ${payload} }`,
  delete: `mutation ($id: Int!, $ifMatch: String) { result: deleteProductTag(id: $id, ifMatch: $ifMatch) ${payload} }`,
};

async function run(mutation: keyof typeof mutations, variables: object) {
  // Deletions and updates with `itemIds` cost 1,000 times what is selected of an item.
  const text = ['set', 'delete'].includes(mutation)
    ? mutations[mutation].replace('changedItems { id nameEn tags { nodes { id } } }', 'changedItems { id nameEn }')
    : mutations[mutation];
  const { body } = await app.client.graphql(text, variables, tenant);
  expect(body.errors).toBeUndefined();
  return body.data.result;
}

const idsOf = (items: { id: number }[] | null) => items?.map(({ id }) => id);

async function create(itemIds: number[]) {
  const { productTag } = await run('create', { itemIds });
  return productTag as { id: number; version: string };
}

describe('changedItems', () => {
  test('are the items that a mutation added or removed, by id and as they are after it', async () => {
    const created = await run('create', { itemIds: [c, a, a, b] });
    const { id } = created.productTag;
    expect(created.changedItems).toMatchObject([
      { id: a, nameEn: 'product 0', tags: { nodes: [{ id }] } },
      { id: b },
      { id: c, tags: { nodes: [{ id }] } },
    ]);
    const steps: [mutation: 'rename' | 'set' | 'add' | 'remove', variables: object, changed: number[]][] = [
      ['rename', { name: 'Renamed' }, []],
      ['add', { itemIds: [d, a] }, [d]],
      ['remove', { itemIds: [d, e] }, [d]],
      ['set', { itemIds: [e, a, b] }, [c, e]],
      ['set', { itemIds: [a, b, e] }, []],
      ['add', { itemIds: [] }, []],
      ['set', { itemIds: [] }, [a, b, e]],
    ];
    for (const [mutation, variables, changed] of steps) {
      const { changedItems, current } = await run(mutation, { id, ...variables });
      expect(idsOf(changedItems), mutation).toEqual(changed);
      expect(current).toBeNull();
      const shown = changed.includes(d) && mutation === 'add' ? [{ id }] : [];
      if (mutation === 'add' || mutation === 'remove')
        for (const { tags } of changedItems) expect(tags.nodes).toEqual(shown);
    }
  });

  test('of a deletion are all items that the tag had', async () => {
    const { id } = await create([b, a]);
    expect(idsOf((await run('delete', { id })).changedItems)).toEqual([a, b]);
  });

  test('of a repeated creation are those of the first response', async () => {
    const variables = { itemIds: [a, b], key: 'changed items' };
    await run('create', variables);
    expect(idsOf((await run('create', variables)).changedItems)).toEqual([a, b]);
  });

  test('are null when rejected, and rejected mutations say why', async () => {
    const { id } = await create([a]);
    const rejected = await run('add', { id, itemIds: [0] });
    expect(rejected).toMatchObject({
      changedItems: null,
      current: null,
      userErrors: [{ code: 'ITEM_NOT_FOUND', itemIds: [0] }],
    });
    expect(await run('remove', { id: 0, itemIds: [a] })).toMatchObject({ changedItems: null, current: null });
  });

  test('are at most 1,000, and null beyond', async () => {
    const many = await insertItems(app.db, tenant.companyId, 'product', 1_001);
    const short = '{ productTag { itemCount } changedItems { id } userErrors { code } }';
    const send = async (mutation: string, itemIds: number[]) =>
      (await app.client.graphql(`mutation ($itemIds: [Int!]!) { result: ${mutation} ${short} }`, { itemIds }, tenant))
        .body.data.result;
    const { id } = await create([]);
    const add = `addProductTagItems(id: ${id}, itemIds: $itemIds)`;
    const remove = `removeProductTagItems(id: ${id}, itemIds: $itemIds)`;
    expect(await send(add, many)).toEqual({ productTag: { itemCount: 1_001 }, changedItems: null, userErrors: [] });
    expect((await send(remove, many.slice(1))).changedItems).toHaveLength(1_000);
    expect((await send(add, many)).changedItems).toHaveLength(1_000);
    const set = `updateProductTag(id: ${id}, input: { itemIds: $itemIds })`;
    expect(await send(set, [])).toEqual({ productTag: { itemCount: 0 }, changedItems: null, userErrors: [] });
    expect(await send('createProductTag(input: { nameEn: "Large", itemIds: $itemIds })', many)).toMatchObject({
      productTag: { itemCount: 1_001 },
      changedItems: null,
    });
  });
});

test('after VERSION_MISMATCH, `current` is the tag with its items and the version to use next', async () => {
  const { id, version } = await create([a, b]);
  const { productTag } = await run('rename', { id, name: 'Theirs' });
  const current = {
    id,
    nameEn: 'Theirs',
    version: productTag.version,
    itemCount: 2,
    itemIds: [a, b],
    items: { nodes: [{ id: a }, { id: b }] },
  };
  const userErrors = [{ code: 'VERSION_MISMATCH', itemIds: null }];
  for (const [mutation, variables] of Object.entries({
    rename: { name: 'Mine' },
    set: { itemIds: [] },
    add: { itemIds: [c] },
    remove: { itemIds: [a] },
    delete: {},
  })) {
    const rejected = await run(mutation as keyof typeof mutations, { id, ifMatch: version, ...variables });
    expect(rejected, mutation).toEqual({ productTag: null, changedItems: null, current, userErrors });
  }
  const retried = await run('add', { id, itemIds: [c], ifMatch: current.version });
  expect(retried).toMatchObject({ productTag: { itemCount: 3 }, current: null, userErrors: [] });
});
