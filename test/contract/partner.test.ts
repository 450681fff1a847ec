import { describe, expect, test } from 'vitest';
import { demoCompanies, demoPartner } from '../../src/domain/reference/seed/demo-partners.ts';
import { surfaces } from '../support/product-tag.ts';
import { putDemoToken } from '../support/put-demo-token.ts';
import { byId, formatName, languages } from '../support/reference.ts';
import { sharedApp } from '../support/test-app.ts';

const app = await sharedApp();
const demo = { token: await putDemoToken(app) };
const tenant = await app.createTenant({ products: 118 });
/** The tenant's items, ascending. */
const ids = [...tenant.products, tenant.modifierGroup, tenant.modifier].toSorted((a, b) => a - b);

const addressFields = 'line city { id nameEn countryId } country { nameEn nameAr dialCode shortCode }';
const own = `{ partner { name } company { nameEn nameAr name address { ${addressFields} }
  branches { nodes { id nameEn name address { ${addressFields} } services { code } } } } }`;

test.each(languages)('the partner, its company, branches and addresses in %s', async (language) => {
  const getAddress = async (code: string, line: string | null) => {
    const cities = app.db.selectFrom('cities').select(['id', 'nameEn', 'countryId']).where('code', '=', code);
    const city = await cities.executeTakeFirstOrThrow();
    const countries = app.db.selectFrom('countries').select(['nameEn', 'nameAr', 'dialCode', 'shortCode']);
    return { line, city, country: await countries.where('id', '=', city.countryId).executeTakeFirstOrThrow() };
  };
  const expected = demoCompanies.find(({ partner }) => partner === demoPartner) as (typeof demoCompanies)[number];
  const { company, cityCode, branches } = expected;
  const nodes = branches.map(async ({ nameEn, nameAr, cityCode, addressLine, services }) => ({
    id: expect.any(Number),
    nameEn,
    name: formatName({ nameEn, nameAr }, language),
    address: await getAddress(cityCode, addressLine),
    services: services.map((code) => ({ code })),
  }));
  const { body } = await app.client.graphql(own, {}, { ...demo, language });
  const shown = body.data.company;
  expect(shown.branches.nodes).toEqual(byId(shown.branches.nodes));
  expect(body.data).toEqual({
    partner: { name: demoPartner },
    company: {
      nameEn: company.nameEn,
      nameAr: company.nameAr,
      name: formatName(company, language),
      address: await getAddress(cityCode, company.addressLine),
      branches: { nodes: await Promise.all(nodes) },
    },
  });
});

const items = `query ($first: Int, $after: String, $itemType: ItemType) {
  items(first: $first, after: $after, itemType: $itemType) {
    edges { cursor node { id } } nodes { id itemType nameEn } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`;

describe('items', () => {
  const send = async (variables: object) => (await app.client.graphql(items, variables, tenant)).body;
  const list = async (variables: object) => (await send(variables)).data.items;
  const toIds = (nodes: { id: number }[]) => nodes.map(({ id }) => id);

  test.each([7, 60, 99, 100])('pages of %d contain every item once, by id', async (first) => {
    let after: string | null = null;
    for (let start = 0; start < ids.length; start += first) {
      const { nodes, edges, pageInfo } = await list({ first, after });
      expect(toIds(nodes)).toEqual(ids.slice(start, start + first));
      expect(edges.map(({ node }: { node: { id: number } }) => node.id)).toEqual(toIds(nodes));
      const startCursor = edges[0].cursor;
      after = edges.at(-1).cursor;
      const hasNextPage = start + first < ids.length;
      expect(pageInfo).toEqual({ hasNextPage, hasPreviousPage: start > 0, startCursor, endCursor: after });
    }
    const behind = await list({ first, after });
    expect(behind).toEqual({
      edges: [],
      nodes: [],
      pageInfo: { hasNextPage: false, hasPreviousPage: true, startCursor: null, endCursor: null },
    });
  });

  test('a page has 25 items by default, and every edge its cursor', async () => {
    const { nodes, edges } = await list({});
    expect(nodes).toHaveLength(25);
    expect(toIds((await list({ first: 1, after: edges[0].cursor })).nodes)).toEqual([ids[1]]);
  });

  test.each([
    ['PRODUCT', tenant.products.slice(0, 100)],
    ['MODIFIER_GROUP', [tenant.modifierGroup]],
    ['MODIFIER', [tenant.modifier]],
  ])('itemType %s filters the list', async (itemType, of) => {
    const { nodes } = await list({ first: 100, itemType });
    expect(nodes).toEqual(of.map((id) => expect.objectContaining({ id, itemType })));
  });

  const cursors = [`item:${'0'.repeat(44)}1`, 'item:', 'item:-1', 'item:2147483648', "item:1' or 1=1", 'tag:1'].map(
    (text) => Buffer.from(text).toString('base64url'),
  );
  test.each([
    ...[0, -1, 101, 2 ** 31 - 1].map((first) => ({ first })),
    ...['1', 'not a cursor', ...cursors].map((after) => ({ after })),
  ])('a page of %j is rejected with its argument', async (variables) => {
    const { data, errors } = await send(variables);
    const message = expect.stringContaining(Object.keys(variables).join());
    const locations = [expect.anything()];
    expect(data).toBeUndefined();
    expect(errors).toMatchObject([{ locations, message, extensions: { code: 'BAD_USER_INPUT' } }]);
  });
});

const item = `query ($id: Int!) { item(id: $id) { id itemType nameEn nameAr name
  tags(first: 5) { nodes { id name_en: nameEn name_ar: nameAr name item_ids: itemIds items { nodes { id } } } } } }`;

test.each(languages)('an item in %s has its fields, and its tags by id', async (language) => {
  const [id = 0, sibling = 0] = tenant.products;
  const options = { token: tenant.token, language };
  const first = await surfaces.REST.create(app.client, { name_en: 'Spicy', item_ids: [sibling, id] }, options);
  const fields = { name_en: 'New', name_ar: 'جديد', item_ids: [id] };
  const second = await surfaces.GraphQL.create(app.client, fields, options);
  const row = app.db.selectFrom('items').select(['id', 'nameEn', 'nameAr']).where('id', '=', id);
  const { body } = await app.client.graphql(item, { id }, options);
  const { tags, ...own } = body.data.item;
  const names = await row.executeTakeFirstOrThrow();
  const unknown = await app.client.graphql(item, { id: 0 }, options);
  expect(unknown.body).toEqual({ data: { item: null } });
  expect(own).toEqual({ ...names, itemType: 'PRODUCT', name: formatName(names, language) });
  expect(tags.nodes.slice(-2)).toEqual(
    [first, second].map((tag) => ({ ...tag, items: { nodes: tag.item_ids.map((each) => ({ id: each })) } })),
  );
});

test('finds tags by id and in pages, with and without items', async () => {
  const own = await app.createTenant();
  const create = (name_en: string, item_ids: number[]) => surfaces.REST.create(app.client, { name_en, item_ids }, own);
  const [bare, spicy, mild] = [await create('Bare', []), await create('Spicy', own.products), await create('Mild', [])];
  const query = `query ($id: Int!, $after: String) {
    productTag(id: $id) { id nameEn itemIds }
    productTags(first: 2, after: $after) {
      nodes { id items(first: 1) { nodes { id } } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`;
  const ask = async (id: number, after?: string) => (await app.client.graphql(query, { id, after }, own)).body.data;
  const first = await ask(spicy.id);
  expect(first.productTag).toEqual({ id: spicy.id, nameEn: 'Spicy', itemIds: own.products });
  expect(first.productTags.nodes).toEqual([
    { id: bare.id, items: { nodes: [] } },
    { id: spicy.id, items: { nodes: [{ id: own.products[0] }] } },
  ]);
  const { endCursor } = first.productTags.pageInfo;
  const last = expect.any(String);
  const pageInfo = { hasNextPage: false, hasPreviousPage: true, startCursor: last, endCursor: last };
  expect(await ask(0, endCursor)).toEqual({
    productTag: null,
    productTags: { nodes: [{ id: mild.id, items: { nodes: [] } }], pageInfo },
  });
});
