import { beforeEach, expect, test } from 'vitest';
import { Loaders } from '../../src/domain/lists/loaders.ts';
import type { Caller } from '../../src/domain/partner/tokens/tokens.ts';
import { listWaitingBackends, lockTable } from '../support/locks.ts';
import { linkedItems, surfaces, type Tag } from '../support/product-tag.ts';
import type { Tenant } from '../support/tenant.ts';
import { startApp, use } from '../support/test-app.ts';

const { client, createTenant, db } = use(await startApp());
let tenant: Tenant;
let tag: Tag;
beforeEach(async () => {
  tenant = await createTenant();
  tag = await surfaces.REST.create(client, { name_en: 'Spicy', item_ids: tenant.products }, tenant);
});

const versionNow = async () => {
  const query = db.selectFrom('productTags').select('version').where('id', '=', tag.id);
  return (await query.executeTakeFirstOrThrow()).version;
};
const unlink = () =>
  db
    .deleteFrom('productTaggings')
    .where('itemId', '=', tenant.products[0] as number)
    .execute();

test.each([
  ['by id', (id: number) => `productTag(id: ${id}) { version itemIds }`],
  ['in a list', () => 'productTags(first: 1) { nodes { version itemIds } }'],
])('the items of a tag read %s and then of an item are not older than its version', async (_how, read) => {
  // Reading the item waits until the tag has changed.
  const ofItem = `item(id: ${tenant.products[1]}) { tags(first: 1) { nodes { version itemIds } } }`;
  const { reading } = await lockTable(db, 'items', async () => {
    const reading = client.graphql(`{ ${read(tag.id)} ${ofItem} }`, {}, tenant);
    await expect.poll(() => listWaitingBackends(db)).toHaveLength(1);
    await unlink();
    return { reading };
  });
  const { body } = await reading;
  expect(body.errors).toBeUndefined();
  const found = JSON.stringify(body.data).matchAll(/\{"version":"(.+?)","itemIds":(\[.*?\])\}/g);
  const shown = [...found].map(([, version = '', ids = '']) => ({ version, ids: JSON.parse(ids) }));
  expect(shown).toHaveLength(2);
  for (const { version, ids } of shown)
    if (version === (await versionNow())) expect(ids).toEqual(tenant.products.slice(1));
});

test('a mutation returns the new version wherever its payload has the tag', async () => {
  const payload = '{ productTag { version items(first: 1) { nodes { tags { nodes { version } } } } } }';
  const rename = (alias: string) =>
    `${alias}: updateProductTag(id: ${tag.id}, input: { nameEn: "${alias} name" }) ${payload}`;
  const { body } = await client.graphql(`mutation { ${rename('first')} ${rename('second')} }`, {}, tenant);
  const versions = ['first', 'second'].map((alias) => {
    const { version, items } = body.data[alias].productTag;
    expect(items.nodes).toEqual([{ tags: { nodes: [{ version }] } }]);
    return version;
  });
  expect([versions[1], new Set(versions).size]).toEqual([await versionNow(), 2]);
});

test('the item_ids of a PUT are not older than its ETag', async () => {
  const [kept, ...others] = tenant.products as [number, ...number[]];
  for (let round = 0; round < 20; round += 1) {
    await surfaces.REST.update(client, tag.id, { name_en: 'Spicy', item_ids: tenant.products }, tenant);
    const remove =
      'mutation ($id: Int!, $itemIds: [Int!]!) { removeProductTagItems(id: $id, itemIds: $itemIds) { userErrors { code } } }';
    const [renamed] = await Promise.all([
      client.rest('PUT', `/product_tags/${tag.id}`, { ...tenant, body: { name_en: `Round ${round}` } }),
      client.graphql(remove, { id: tag.id, itemIds: others }, tenant),
    ]);
    if (renamed.headers.get('etag') === `"${await versionNow()}"`) expect(renamed.body.item_ids).toEqual([kept]);
    expect(await linkedItems(db, tag.id)).toEqual([kept]);
  }
});

test('equal keys are read once per step', async () => {
  const read: (readonly number[])[] = [];
  const loader = new Loaders(db, async () => ({ companyId: tenant.companyId }) as Caller).of(
    async (_db, { keys }: { keys: readonly number[] }) => {
      read.push(keys);
      return keys.map((key) => 10 * key);
    },
  );
  expect(await Promise.all([1, 2, 1].map((key) => loader.load(key)))).toEqual([10, 20, 10]);
  expect(await loader.load(1)).toBe(10);
  expect(read).toEqual([[1, 2], [1]]);
});
