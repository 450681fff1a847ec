import { type GraphQLInputType, type GraphQLObjectType, getNamedType, isInputObjectType, isObjectType } from 'graphql';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Answer } from '../support/client.ts';
import { companyRows, mutations, surfaces } from '../support/product-tag.ts';
import { readDescription, resolve } from '../support/rest-contract.ts';
import { isReference, schema } from '../support/schema.ts';
import { insertItems, type Tenant } from '../support/tenant.ts';
import { sharedApp } from '../support/test-app.ts';

// As long as the ids of these rows, so that responses differ in nothing else.
const firstId = 700_001;
const unknownId = 987_654;

const app = await sharedApp();
for (const table of ['companies', 'partners', 'items', 'product_tags']) {
  await sql`alter table ${sql.table(table)} alter column id restart with ${sql.lit(firstId)}`.execute(app.db);
}
const own = await app.createTenant();
const other = await app.createTenant();
// Created after the other's items, so that the ids of both companies interleave.
own.products.push(...(await insertItems(app.db, own.companyId, 'product', 2)));
const ownTag = await surfaces.REST.create(app.client, { name_en: 'Own tag', item_ids: own.products }, own);
const otherTag = await surfaces.REST.create(app.client, { name_en: 'Their tag', item_ids: other.products }, other);

type Send = (id: number, headers: Record<string, string>) => Promise<Answer<unknown>>;

const rest =
  (method: string, path: string, ...items: number[]): Send =>
  (id, headers) => {
    const body = { name_en: 'Taken over', item_ids: path.includes('ID') ? [] : [...items, id] };
    return app.client.rest(method, path.replace('ID', String(id)), { token: own.token, body, headers });
  };
const graphql =
  (query: string): Send =>
  (id, headers) =>
    app.client.graphql(query, { id }, { token: own.token, headers });
const query = (field: string) => graphql(`query ($id: Int!) { ${field} }`);
const mutation = (call: string) =>
  graphql(`mutation ($id: Int!) {
    ${call} { productTag { id nameEn itemIds } userErrors { code field message itemIds } } }`);
const input = 'input: { nameEn: "Taken over", itemIds: [$id] }';
const theirProduct = other.products[0] as number;
const ownPath = `/product_tags/${ownTag.id}`;

/** Inputs that take an id, and the other company's id for each. */
const attempts: [where: string, id: number, send: Send][] = [
  ['id of PUT /product_tags/{id}', otherTag.id, rest('PUT', '/product_tags/ID')],
  ['id of PATCH /product_tags/{id}', otherTag.id, rest('PATCH', '/product_tags/ID')],
  ['item_ids of POST /product_tags', theirProduct, rest('POST', '/product_tags')],
  ['item_ids of PUT /product_tags/{id}', theirProduct, rest('PUT', ownPath, ...own.products)],
  ['item_ids of PATCH /product_tags/{id}', other.modifier, rest('PATCH', ownPath)],
  ['itemIds of createProductTag', theirProduct, mutation(`createProductTag(${input})`)],
  ['itemIds of updateProductTag', other.modifierGroup, mutation(`updateProductTag(id: ${ownTag.id}, ${input})`)],
  ['id of updateProductTag', otherTag.id, mutation('updateProductTag(id: $id, input: { nameEn: "Taken over" })')],
  ['itemIds of addProductTagItems', theirProduct, mutation(`addProductTagItems(id: ${ownTag.id}, itemIds: [$id])`)],
  ['id of addProductTagItems', otherTag.id, mutation('addProductTagItems(id: $id, itemIds: [])')],
  [
    'itemIds of removeProductTagItems',
    theirProduct,
    mutation(`removeProductTagItems(id: ${ownTag.id}, itemIds: [$id])`),
  ],
  ['id of removeProductTagItems', otherTag.id, mutation(`removeProductTagItems(id: $id, itemIds: [${theirProduct}])`)],
  ['id of deleteProductTag', otherTag.id, graphql(mutations.delete)],
  ['id of item', theirProduct, query('item(id: $id) { id tags { nodes { id } } }')],
  ['ids of itemsByIds', theirProduct, query('itemsByIds(ids: [$id]) { nameEn tags { totalCount } }')],
  ['productTagIds of items', otherTag.id, query('items(productTagIds: [$id]) { totalCount nodes { nameEn } }')],
  ['ids of productTagsByIds', otherTag.id, query('productTagsByIds(ids: [$id]) { nameEn itemIds }')],
  [
    'exceptProductTagIds of items',
    otherTag.id,
    query('items(exceptProductTagIds: [$id]) { totalCount nodes { nameEn } }'),
  ],
  ['id of hasProductTag', otherTag.id, query('items { nodes { hasProductTag(id: $id) } }')],
  ['id of productTag', otherTag.id, query('productTag(id: $id) { id itemIds }')],
];

// Everything that the caller receives; the request id is the caller's, the same for both.
async function sendAndNormalize(send: Send, id: number): Promise<string> {
  const { status, headers, body } = await send(id, { 'X-Request-Id': 'tenants-test' });
  const visible = [...headers].filter(([name]) => !['date', 'etag', 'ratelimit'].includes(name));
  return JSON.stringify([status, visible, body]).replaceAll(String(id), 'ID');
}

test.each(attempts)("another company's id in %s gets the same response as an unknown id", async (_where, id, send) => {
  const rows = () => Promise.all([own, other].map(({ companyId }) => companyRows(app.db, companyId)));
  const before = await rows();
  expect(await sendAndNormalize(send, id)).toBe(await sendAndNormalize(send, unknownId));
  expect(await rows()).toEqual(before);
});

test('covers every id argument of every operation', () => {
  const isId = (name: string) => /^(?:.*_)?ids?$|Ids?$/.test(name);
  const namesIn = (type: GraphQLInputType, name: string): string[] => {
    const named = getNamedType(type);
    return isInputObjectType(named) ? Object.keys(named.getFields()) : [name];
  };
  const types = Object.values(schema.getTypeMap()).filter((type) => isObjectType(type) && !/^__/.test(type.name));
  const fields = types.flatMap((type) => Object.values((type as GraphQLObjectType).getFields()));
  const inGraphQL = fields.flatMap((field) =>
    isReference(field)
      ? []
      : field.args.flatMap(({ type, name }) => namesIn(type, name).map((each) => [each, field.name] as const)),
  );
  const document = readDescription();
  const inREST = Object.entries<object>(document.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) => {
      const isOpen = operation.security !== undefined;
      const names = (operation.parameters ?? [])
        .map((each: object) => resolve(each, document))
        .flatMap((each: { in: string; name: string }) => (each.in === 'header' ? [] : [each.name]));
      if (operation.requestBody) names.push('item_ids');
      return isOpen ? [] : names.map((name: string) => [name, `${method.toUpperCase()} ${path}`] as const);
    }),
  );
  const taken = [...inGraphQL, ...inREST].filter(([name]) => isId(name)).map((each) => each.join(' of '));
  const tried = attempts.map(([where]) => where);
  expect(taken.toSorted(), "Add an attempt with another company's id to `attempts`").toEqual(tried.toSorted());
});

test('a partner sees only its own company, branches, items and tags', async () => {
  const city = await app.db.selectFrom('cities').select('id').executeTakeFirstOrThrow();
  const branch = { companyId: other.companyId, nameEn: 'Theirs', nameAr: 'لهم', addressLine: null, cityId: city.id };
  await app.db.insertInto('branches').values(branch).execute();
  const document = `{ partner { id name } company { id branches { nodes { nameEn } } }
    items(first: 9) { nodes { id tags(first: 1) { nodes { id itemIds items { nodes { id } } } } } } }`;
  for (const [tenant, { id }, branches] of [
    [own, ownTag, []],
    [other, otherTag, [{ nameEn: 'Theirs' }]],
  ] as const) {
    const { products } = tenant;
    const ids = [...products, tenant.modifierGroup, tenant.modifier].toSorted((a, b) => a - b);
    const tags = [{ id, itemIds: products, items: { nodes: products.map((each) => ({ id: each })) } }];
    expect((await app.client.graphql(document, {}, tenant)).body.data).toEqual({
      partner: { id: tenant.partnerId, name: tenant.partnerName },
      company: { id: tenant.companyId, branches: { nodes: branches } },
      items: { nodes: ids.map((each) => ({ id: each, tags: { nodes: products.includes(each) ? tags : [] } })) },
    });
  }
});

test("another company's cursor leads only to own items", async () => {
  const items = async (argument: string, tenant: Tenant) => {
    const query = `{ items(${argument}) { nodes { id } pageInfo { endCursor } } }`;
    return (await app.client.graphql(query, {}, tenant)).body.data.items;
  };
  const { endCursor } = (await items('first: 3', other)).pageInfo;
  expect((await items(`after: "${endCursor}"`, own)).nodes).toEqual(own.products.slice(-2).map((id) => ({ id })));
});
