import { expect, test } from 'vitest';
import { holdTags, untilWaiting } from '../support/locks.ts';
import { linkedItems, surfaces } from '../support/product-tag.ts';
import { startApp, use } from '../support/test-app.ts';

const rounds = 40;

const app = use(await startApp());
const tenant = await app.createTenant({ products: 4 });
const { products } = tenant;
const item = (index: number) => products[index % products.length] as number;
const tags: number[] = [];
for (let index = 0; index < 5; index += 1) {
  const { id } = await surfaces.REST.create(app.client, { name_en: `Tag ${index}` }, tenant);
  tags.push(id);
}

// Sets of different sizes, which overlap partly.
const some = <Value>(values: Value[], seed: number) => values.filter((_, index) => (seed * (index + 3)) % 7 < 4);

interface Tag {
  id: number;
  version: string;
  items: { nodes: { id: number }[] };
}

/** The items of each version of a tag that a response has shown. */
const shown = new Map<string, unknown>();

async function set(itemId: number, productTagIds: number[]): Promise<number[]> {
  const mutation = `mutation ($itemId: Int!, $productTagIds: [Int!]!) {
    setItemTags(itemId: $itemId, productTagIds: $productTagIds) {
      item { tags { edges { node { id version items(first: 4) { nodes { id } } } } } } } }`;
  const { body } = await app.client.graphql(mutation, { itemId, productTagIds }, tenant);
  const nodes: Tag[] = body.data.setItemTags.item.tags.edges.map(({ node }: { node: Tag }) => node);
  for (const { id, version, items } of nodes) {
    const known = shown.get(`${id} ${version}`) ?? items.nodes;
    expect(items.nodes, 'of the same version').toEqual(known);
    shown.set(`${id} ${version}`, known);
  }
  return nodes.map(({ id }) => id);
}

async function tagsOf(itemId: number): Promise<number[]> {
  const links = app.db.selectFrom('productTaggings').select('productTagId').where('itemId', '=', itemId);
  return (await links.orderBy('productTagId').execute()).map(({ productTagId }) => productTagId);
}

test('setting the tags of items beside updates of these tags never deadlocks, and leaves one of the sets', async () => {
  app.statements.splice(0);
  for (let round = 0; round < rounds; round += 1) {
    const update = (index: number) => {
      const fields = { name_en: `Round ${round}`, item_ids: some(products, round + index) };
      return surfaces.REST.update(app.client, tags[(round + index) % tags.length] as number, fields, tenant);
    };
    const sets = [1, 2, 3, 4].map((seed) => some(tags, round + seed));
    await Promise.all([...sets.map((wanted, index) => set(item(round + index), wanted)), ...[0, 2, 3].map(update)]);
    // Each payload shows its own write.
    expect(await Promise.all(sets.map((wanted) => set(item(round), wanted)))).toEqual(sets);
    expect(sets, `round ${round}`).toContainEqual(await tagsOf(item(round)));
  }
  // The service would retry a transaction after a deadlock.
  expect(app.statements.filter((statement) => /^rollback/i.test(statement))).toEqual([]);
});

test('a tag that an item gets meanwhile is removed too, whatever its id', async () => {
  const [earlier = 0, held = 0, later = 0] = tags;
  await set(item(0), []);
  const result = await holdTags(app.db, [held], async () => {
    const setting = set(item(0), [held]);
    await untilWaiting(app.db);
    for (const id of [earlier, later]) {
      const item_ids = [...(await linkedItems(app.db, id)), item(0)];
      await surfaces.REST.update(app.client, id, { name_en: 'Meanwhile', item_ids }, tenant);
    }
    return { setting };
  });
  expect(await result.setting).toEqual([held]);
  expect(await tagsOf(item(0))).toEqual([held]);
});
