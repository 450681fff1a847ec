import { beforeEach, expect, test } from 'vitest';
import { holdTable, listWaitingBackends } from '../support/locks.ts';
import { surfaces, type Tag, writes } from '../support/product-tag.ts';
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
  ['in a list', () => 'productTags(first: 1) { nodes { version itemIds } edges { node { version } } }'],
])('a tag read %s and then of an item has one version, and items that are not older', async (_how, read) => {
  // Reading the item waits until the tag has changed.
  const ofItem = `item(id: ${tenant.products[1]}) { tags(first: 1) { nodes { version itemIds } edges { node { version } } } }`;
  const before = await versionNow();
  const { reading } = await holdTable(db, 'items', async () => {
    const reading = client.graphql(`{ ${read(tag.id)} ${ofItem} }`, {}, tenant);
    await expect.poll(() => listWaitingBackends(db)).toHaveLength(1);
    await unlink();
    return { reading };
  });
  const { body } = await reading;
  expect(body.errors).toBeUndefined();
  const versions = [...JSON.stringify(body.data).matchAll(/"version":"(.+?)"/g)].map(([, version]) => version);
  expect(versions.length).toBeGreaterThan(2);
  expect(new Set(versions)).toEqual(new Set([before]));
  const { codes } = await writes.GraphQL.update(
    client,
    tag.id,
    { name_en: 'Lost' },
    { ...tenant, ifMatch: `"${before}"` },
  );
  expect(codes).toEqual(['version_mismatch']);
});

test('an item that is read by id and then in a list of a tag has one name', async () => {
  const [id = 0] = tenant.products;
  // Reading the items of the tag waits until the item has changed.
  const { reading } = await holdTable(db, 'product_taggings', async () => {
    const document = `{ item(id: ${id}) { nameEn } productTag(id: ${tag.id}) { items(first: 1) { nodes { nameEn } } } }`;
    const reading = client.graphql(document, {}, tenant);
    await expect.poll(() => listWaitingBackends(db)).toHaveLength(1);
    await db.updateTable('items').set({ nameEn: 'Renamed' }).where('id', '=', id).execute();
    return { reading };
  });
  const { item, productTag } = (await reading).body.data;
  expect(item.nameEn).not.toBe('Renamed');
  expect(productTag.items.nodes).toEqual([item]);
});

test('a mutation shows its new version, also where its payload shows the tag again', async () => {
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

test.each(['REST', 'GraphQL'] as const)(
  'an update on %s reads the items that it returns before others can change them',
  async (surface) => {
    const { updating } = await holdTable(db, 'product_taggings', async () => {
      const updating = writes[surface].update(client, tag.id, { name_en: 'Renamed' }, tenant);
      await expect.poll(() => listWaitingBackends(db)).toHaveLength(1);
      const { nameEn } = await db
        .selectFrom('productTags')
        .select('nameEn')
        .where('id', '=', tag.id)
        .executeTakeFirstOrThrow();
      expect(nameEn).toBe('Spicy');
      return { updating };
    });
    expect(await updating).toMatchObject({ codes: ['done'], tag: { name_en: 'Renamed', item_ids: tenant.products } });
  },
);
