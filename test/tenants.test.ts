import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { sharedApp } from './support/app.ts';
import type { Answer } from './support/client.ts';
import { companyRows, mutations, surfaces } from './support/product-tag.ts';
import { createTenant, insertItems, type Tenant } from './support/tenant.ts';

// As long as the ids of the rows here, so that answers differ by nothing else.
const firstId = 700_001;
const unknownId = 987_654;

const app = await sharedApp();
for (const table of ['companies', 'partners', 'items', 'product_tags']) {
  await sql`alter table ${sql.table(table)} alter column id restart with ${sql.lit(firstId)}`.execute(app.db);
}
const own = await createTenant(app.db);
const other = await createTenant(app.db);
// Behind the other's items, so that the two companies' ids interleave.
own.products.push(...(await insertItems(app.db, own.companyId, 'product', 2)));
const ownTag = await surfaces.REST.create(app.client, { name_en: 'Own tag', item_ids: own.products }, own);
const otherTag = await surfaces.REST.create(app.client, { name_en: 'Their tag', item_ids: other.products }, other);

const mutation = (call: string) => `mutation ($id: Int!) { ${call} }`;
const outcome = '{ productTag { id nameEn itemIds } userErrors { code field message itemIds } }';

type Headers = Record<string, string>;
type Send = (id: number, headers: Headers) => Promise<Answer<unknown>>;

const rest = (method: string, path: string, body: object, headers: Headers) =>
  app.client.rest(method, path, { token: own.token, body, headers });
const put = (path: string, body: object, headers: Headers) => rest('PUT', path, body, headers);
const graphql =
  (query: string): Send =>
  (id, headers) =>
    app.client.graphql(query, { id }, { token: own.token, headers });
const theirProduct = other.products[0] as number;
const ownPath = `/product_tags/${ownTag.id}`;
const tag = (...item_ids: unknown[]) => ({ name_en: 'Taken over', item_ids });

/** What takes an id, and which id of the other company it gets. */
const attempts: [where: string, id: number, send: Send][] = [
  ['the path of PUT', otherTag.id, (id, headers) => put(`/product_tags/${id}`, tag(), headers)],
  ['item_ids of POST', theirProduct, (id, headers) => rest('POST', '/product_tags', tag(id), headers)],
  ['item_ids of PUT', theirProduct, (id, headers) => put(ownPath, tag(own.products[0], id), headers)],
  ['item_ids of PUT, a modifier', other.modifier, (id, headers) => put(ownPath, tag(id), headers)],
  [
    'itemIds of createProductTag',
    theirProduct,
    graphql(mutation(`createProductTag(input: { nameEn: "Taken over", itemIds: [$id] }) ${outcome}`)),
  ],
  [
    'itemIds of updateProductTag',
    other.modifierGroup,
    graphql(mutation(`updateProductTag(id: ${ownTag.id}, input: { nameEn: "Taken over", itemIds: [$id] }) ${outcome}`)),
  ],
  [
    'id of updateProductTag',
    otherTag.id,
    graphql(mutation(`updateProductTag(id: $id, input: { nameEn: "Taken over", itemIds: [] }) ${outcome}`)),
  ],
  ['id of deleteProductTag', otherTag.id, graphql(mutations.delete)],
  [
    'id of viewer.item',
    theirProduct,
    graphql('query ($id: Int!) { viewer { item(id: $id) { id nameEn tags { id items { nodes { id } } } } } }'),
  ],
];

// All that reaches the caller; the request id is the caller's own, the same for both.
async function answerOf(send: Send, id: number): Promise<string> {
  const { status, headers, body } = await send(id, { 'X-Request-Id': 'tenants-test' });
  const told = [...headers].filter(([name]) => !['date', 'etag', 'ratelimit'].includes(name));
  return JSON.stringify([status, told, body]).replaceAll(String(id), 'ID');
}

describe("another company's id", () => {
  test.each(attempts)('in %s is answered byte for byte as one that does not exist', async (_where, id, send) => {
    const rows = () => Promise.all([own, other].map(({ companyId }) => companyRows(app.db, companyId)));
    const before = await rows();
    expect(await answerOf(send, id)).toBe(await answerOf(send, unknownId));
    expect(await rows()).toEqual(before);
  });

  test('is still good for its own company', async () => {
    const fields = { name_en: 'Their tag', item_ids: [theirProduct] };
    expect(await surfaces.REST.update(app.client, otherTag.id, fields, other)).toMatchObject(fields);
    await surfaces.GraphQL.update(app.client, otherTag.id, { ...fields, item_ids: other.products }, other);
  });
});

test('the viewer shows each partner its own company, branches and items, with its own tags', async () => {
  const city = await app.db.selectFrom('cities').select('id').executeTakeFirstOrThrow();
  const branch = { companyId: other.companyId, nameEn: 'Theirs', nameAr: 'لهم', addressLine: null, cityId: city.id };
  await app.db.insertInto('branches').values(branch).execute();
  const query = `{ viewer { partner { id name } company { id branches { nameEn } }
    items(first: 20) { nodes { id tags { id itemIds items { nodes { id } } } } } } }`;
  for (const [tenant, { id }, branches] of [
    [own, ownTag, []],
    [other, otherTag, [{ nameEn: 'Theirs' }]],
  ] as const) {
    const { products } = tenant;
    const ids = [...products, tenant.modifierGroup, tenant.modifier].toSorted((a, b) => a - b);
    const tags = [{ id, itemIds: products, items: { nodes: products.map((each) => ({ id: each })) } }];
    expect((await app.client.graphql(query, {}, tenant)).body.data.viewer).toEqual({
      partner: { id: tenant.partnerId, name: tenant.partnerName },
      company: { id: tenant.companyId, branches },
      items: { nodes: ids.map((each) => ({ id: each, tags: products.includes(each) ? tags : [] })) },
    });
  }
});

test("the viewer's items go on behind another company's cursor with its own", async () => {
  const items = async (argument: string, tenant: Tenant) =>
    (await app.client.graphql(`{ viewer { items(${argument}) { nodes { id } pageInfo { endCursor } } } }`, {}, tenant))
      .body.data.viewer.items;
  const { endCursor } = (await items('first: 3', other)).pageInfo;
  expect((await items(`after: "${endCursor}"`, own)).nodes).toEqual(own.products.slice(-2).map((id) => ({ id })));
});
