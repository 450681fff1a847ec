import { beforeEach, describe, expect, test } from 'vitest';
import { sharedApp } from './support/app.ts';
import { companyRows, surfaces } from './support/product-tag.ts';
import { createTenant, type Tenant } from './support/tenant.ts';

const maxItems = 10_000;

let tenant: Tenant;
const app = await sharedApp();
const many = await createTenant(app.db, { products: maxItems });
beforeEach(async () => {
  tenant = await createTenant(app.db);
});

async function linkedItems(tagId: number): Promise<number[]> {
  const query = app.db.selectFrom('productTaggings').select('itemId').where('productTagId', '=', tagId);
  return (await query.execute()).map((row) => row.itemId).toSorted((a, b) => a - b);
}

describe('ProductTag.items', () => {
  const read = async (fields: string) => {
    const { body } = await app.client.graphql(`{ viewer { items { nodes { tags { ${fields} } } } } }`, {}, tenant);
    expect(body.errors).toBeUndefined();
    return body.data.viewer.items.nodes.flatMap(({ tags }: { tags: object[] }) => tags);
  };

  test('is paged by id, in one statement for all tags and arguments', async () => {
    const { products } = tenant;
    await surfaces.REST.create(app.client, { name_en: 'All', item_ids: products }, tenant);
    await surfaces.REST.create(app.client, { name_en: 'Last', item_ids: products.slice(-1) }, tenant);
    app.statements.splice(0);
    const page = 'nodes { id } edges { cursor node { id } } pageInfo { hasNextPage endCursor }';
    const [first] = await read(`all: items { nodes { id } } items(first: 2) { ${page} }`);
    expect(app.statements.filter((sql) => sql.includes('lateral'))).toHaveLength(1);
    expect(first.all.nodes).toEqual(products.map((id) => ({ id })));
    expect(first.items.nodes).toEqual(products.slice(0, 2).map((id) => ({ id })));
    expect(first.items.edges.map(({ node }: { node: object }) => node)).toEqual(first.items.nodes);
    const { endCursor: after } = first.items.pageInfo;
    expect(first.items.pageInfo).toEqual({ hasNextPage: true, endCursor: first.items.edges[1].cursor });

    const tags = await read(`nameEn items(first: 20, after: "${after}") { ${page} }`);
    const rest = { All: products.slice(2), Last: products.slice(-1) } as Record<string, number[]>;
    for (const { nameEn, items } of tags) {
      expect(items.nodes).toEqual(rest[nameEn]?.map((id) => ({ id })));
      expect(items.pageInfo).toEqual({ hasNextPage: false, endCursor: items.edges.at(-1).cursor });
    }
    const last = tags.at(-1).items.pageInfo.endCursor;
    for (const { items } of await read(`items(first: 1, after: "${last}") { ${page} }`)) {
      expect(items).toEqual({ nodes: [], edges: [], pageInfo: { hasNextPage: false, endCursor: null } });
    }
  });

  test.each(['first: 0', 'first: 101', 'first: -1', 'after: "?"'])('(%s) is rejected', async (argument) => {
    await surfaces.REST.create(app.client, { name_en: 'All', item_ids: tenant.products }, tenant);
    const query = `{ viewer { items { nodes { tags { items(${argument}) { nodes { id } } } } } } }`;
    const { body } = await app.client.graphql(query, {}, tenant);
    expect(body.errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
  });
});

describe.each(Object.keys(surfaces) as (keyof typeof surfaces)[])('item_ids on %s', (name) => {
  const surface = surfaces[name];

  // Positions among the tenant's products.
  test.each([
    { change: 'assigns the new', before: [0], after: [0, 1, 2] },
    { change: 'unassigns the absent', before: [0, 1, 2], after: [1] },
    { change: 'exchanges all', before: [0, 1], after: [2, 3] },
    { change: 'unlinks all', before: [0, 1], after: [] },
    { change: 'links the first', before: [], after: [4] },
  ])('an update $change: from $before to exactly $after', async ({ before, after }) => {
    const at = (positions: number[]) => positions.map((position) => tenant.products[position] as number);
    const created = await surface.create(app.client, { name_en: 'Spicy', item_ids: at(before) }, tenant);
    expect(created.item_ids).toEqual(at(before));
    expect(await linkedItems(created.id)).toEqual(at(before));

    const updated = await surface.update(app.client, created.id, { name_en: 'Spicy', item_ids: at(after) }, tenant);
    expect(updated.item_ids).toEqual(at(after));
    expect(await linkedItems(created.id)).toEqual(at(after));
  });

  test('ids come back sorted, and a repeated id counts once', async () => {
    const [first = 0, second = 0, third = 0] = tenant.products;
    const item_ids = [third, first, third, second, first];
    const created = await surface.create(app.client, { name_en: 'Spicy', item_ids }, tenant);
    expect(created.item_ids).toEqual([first, second, third]);
    const updated = await surface.update(
      app.client,
      created.id,
      { name_en: 'Spicy', item_ids: [third, third] },
      tenant,
    );
    expect(updated.item_ids).toEqual([third]);
    expect(await linkedItems(created.id)).toEqual([third]);
  });

  test('an update without item_ids leaves the links as they are and tells them', async () => {
    const item_ids = tenant.products.slice(0, 3);
    const { id } = await surface.create(app.client, { name_en: 'Spicy', item_ids }, tenant);
    const before = await companyRows(app.db, tenant.companyId);
    expect(await surface.update(app.client, id, { name_en: 'Hot stuff' }, tenant)).toMatchObject({ item_ids });
    expect((await companyRows(app.db, tenant.companyId)).taggings).toEqual(before.taggings);
  });

  test('an item already assigned and sent again keeps its very row', async () => {
    const [kept = 0, dropped = 0, added = 0] = tenant.products;
    const { id } = await surface.create(app.client, { name_en: 'Spicy', item_ids: [kept, dropped] }, tenant);
    const [keptRow] = (await companyRows(app.db, tenant.companyId)).taggings;
    await surface.update(app.client, id, { name_en: 'Spicy', item_ids: [added, kept] }, tenant);
    const { taggings } = await companyRows(app.db, tenant.companyId);
    expect(taggings).toEqual([keptRow, expect.objectContaining({ itemId: added })]);
  });

  test('one item carries many tags, and a change of one tag leaves the others', async () => {
    const fields = { name_en: 'Spicy', item_ids: tenant.products };
    const first = await surface.create(app.client, fields, tenant);
    const second = await surface.create(app.client, fields, tenant);
    expect(second.id).not.toBe(first.id);
    await surface.update(app.client, first.id, { name_en: 'Spicy', item_ids: [] }, tenant);
    expect(await linkedItems(second.id)).toEqual(tenant.products);
  });

  test('a tag takes 10,000 items at once, repeated ones not counted', async () => {
    const item_ids = [...many.products, ...many.products.slice(0, 10)];
    const { id, item_ids: created } = await surface.create(app.client, { name_en: 'Everything', item_ids }, many);
    expect(created).toEqual(many.products);
    expect(await linkedItems(id)).toEqual(many.products);
  });
});
