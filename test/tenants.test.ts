import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { ViewerDocument, ViewerItemsDocument } from './documents.generated.ts';
import { sharedApp } from './support/app.ts';
import type { Answer } from './support/client.ts';
import { companyRows, surfaces } from './support/product-tag.ts';
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

interface Attempt {
  /** What takes an id. */
  where: string;
  /** Which id of the other company. */
  id(): number;
  send(id: number, headers: Record<string, string>): Promise<Answer<unknown>>;
}

const rest = (method: string, path: string, body: unknown, headers: Record<string, string>) =>
  app.client.rest(method, path, { token: own.token, body, headers });
const graphql = (query: string) => (id: number, headers: Record<string, string>) =>
  app.client.graphql(query, { id }, { token: own.token, headers });
const theirTag = () => otherTag.id;
const theirProduct = () => other.products[0] as number;

const attempts: Attempt[] = [
  {
    where: 'the path of PUT',
    id: theirTag,
    send: (id, headers) => rest('PUT', `/product_tags/${id}`, { name_en: 'Taken over', item_ids: [] }, headers),
  },
  {
    where: 'item_ids of POST',
    id: theirProduct,
    send: (id, headers) => rest('POST', '/product_tags', { name_en: 'Taken over', item_ids: [id] }, headers),
  },
  {
    where: 'item_ids of PUT',
    id: theirProduct,
    send: (id, headers) =>
      rest('PUT', `/product_tags/${ownTag.id}`, { name_en: 'Taken over', item_ids: [own.products[0], id] }, headers),
  },
  {
    where: 'item_ids of PUT, a modifier',
    id: () => other.modifier,
    send: (id, headers) =>
      rest('PUT', `/product_tags/${ownTag.id}`, { name_en: 'Taken over', item_ids: [id] }, headers),
  },
  {
    where: 'itemIds of createProductTag',
    id: theirProduct,
    send: graphql(mutation(`createProductTag(input: { nameEn: "Taken over", itemIds: [$id] }) ${outcome}`)),
  },
  {
    where: 'itemIds of updateProductTag',
    id: () => other.modifierGroup,
    send: (id, headers) =>
      graphql(
        mutation(`updateProductTag(id: ${ownTag.id}, input: { nameEn: "Taken over", itemIds: [$id] }) ${outcome}`),
      )(id, headers),
  },
  {
    where: 'id of updateProductTag',
    id: theirTag,
    send: graphql(mutation(`updateProductTag(id: $id, input: { nameEn: "Taken over", itemIds: [] }) ${outcome}`)),
  },
  {
    where: 'id of deleteProductTag',
    id: theirTag,
    send: graphql(mutation('deleteProductTag(id: $id) { deletedProductTagId userErrors { code field message } }')),
  },
  {
    where: 'id of viewer.item',
    id: theirProduct,
    send: graphql('query ($id: Int!) { viewer { item(id: $id) { id nameEn tags { id items { nodes { id } } } } } }'),
  },
];

// All that reaches the caller; the request id is the caller's own, the same for both.
async function answerOf({ send }: Attempt, id: number): Promise<string> {
  const { status, headers, body } = await send(id, { 'X-Request-Id': 'tenants-test' });
  const told = [...headers].filter(([name]) => !['date', 'etag', 'ratelimit'].includes(name));
  return JSON.stringify([status, told, body]).replaceAll(String(id), 'ID');
}

describe("another company's id", () => {
  test.each(attempts)('in $where is answered byte for byte as one that does not exist', async (attempt) => {
    const before = await Promise.all([own, other].map(({ companyId }) => companyRows(app.db, companyId)));
    expect(await answerOf(attempt, attempt.id())).toBe(await answerOf(attempt, unknownId));
    const after = await Promise.all([own, other].map(({ companyId }) => companyRows(app.db, companyId)));
    expect(after).toEqual(before);
  });

  test('is still good for its own company', async () => {
    const fields = { name_en: 'Their tag', item_ids: [theirProduct()] };
    expect(await surfaces.REST.update(app.client, theirTag(), fields, other)).toMatchObject(fields);
    await surfaces.GraphQL.update(app.client, theirTag(), { ...fields, item_ids: other.products }, other);
  });
});

describe('viewer', () => {
  const tenants = () => [
    { tenant: own, tag: ownTag },
    { tenant: other, tag: otherTag },
  ];

  test('shows each partner its own company and items, with its own tags', async () => {
    for (const { tenant, tag } of tenants()) {
      const { body } = await app.client.graphql(ViewerDocument, {}, tenant);
      expect(body.data?.viewer.partner).toEqual({ id: tenant.partnerId, name: tenant.partnerName });
      expect(body.data?.viewer.company.id).toBe(tenant.companyId);

      const query = '{ viewer { items(first: 20) { nodes { id tags { id itemIds items { nodes { id } } } } } } }';
      const { data } = (await app.client.graphql(query, {}, tenant)).body;
      const ids = [...tenant.products, tenant.modifierGroup, tenant.modifier].toSorted((a, b) => a - b);
      const tags = [{ id: tag.id, itemIds: tenant.products, items: { nodes: tenant.products.map((id) => ({ id })) } }];
      const nodes = ids.map((id) => ({ id, tags: tenant.products.includes(id) ? tags : [] }));
      expect(data.viewer.items.nodes).toEqual(nodes);
    }
  });

  test("shows branches of the partner's company only", async () => {
    const city = await app.db.selectFrom('cities').select('id').executeTakeFirstOrThrow();
    const branch = { companyId: other.companyId, nameEn: 'Theirs', nameAr: 'لهم', addressLine: null, cityId: city.id };
    await app.db.insertInto('branches').values(branch).execute();
    const branchesOf = async (tenant: Tenant) =>
      (await app.client.graphql(ViewerDocument, {}, tenant)).body.data?.viewer.company.branches.map(
        (row) => row.nameEn,
      );
    expect(await branchesOf(own)).toEqual([]);
    expect(await branchesOf(other)).toEqual(['Theirs']);
  });

  test("goes on behind another company's cursor with its own items", async () => {
    const { body } = await app.client.graphql(ViewerItemsDocument, { first: 3 }, other);
    const after = body.data?.viewer.items.pageInfo.endCursor;
    const behind = await app.client.graphql(ViewerItemsDocument, { after: after ?? '' }, own);
    const ids = behind.body.data?.viewer.items.nodes.map((item) => item.id);
    expect(ids).toEqual(own.products.slice(-2));
  });
});
