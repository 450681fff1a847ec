import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../support/documents.ts';
import { startApp, use, useFolder } from '../support/test-app.ts';

// biome-ignore lint/suspicious/noExplicitAny: the client and its data have no types here
type Any = any;

const { compile, openScreen }: Any = await import(new URL('./relay.js', import.meta.url).href);

const app = use(await startApp());

const documents = {
  ScreenTagsQuery: `query ScreenTagsQuery($first: Int = 2, $after: String) {
    productTags(first: $first, after: $after) @connection(key: "Screen_productTags") { edges { node { id nameEn } } } }`,
  ScreenOthersQuery: `query ScreenOthersQuery($id: Int!) {
    item(id: $id) { id nameEn tags(first: 5) @connection(key: "Item_tags") { edges { node { id nameEn } } } }
    items(first: 5) @connection(key: "Screen_items") { edges { node { id nameEn } } }
    productTag(id: $id) { id items(first: 5) @connection(key: "Tag_items") { edges { node { id nameEn } } } }
    company { id branches(first: 5) @connection(key: "Company_branches") { edges { node { id } } } } }`,
  ScreenRenameMutation: `mutation ScreenRenameMutation($id: Int!, $name: String!) {
    updateProductTag(id: $id, input: { nameEn: $name }) { productTag { id nameEn } userErrors { code } } }`,
};

test('Relay compiles every list with @connection, paginates, and normalizes by integer ids', async () => {
  const requests = await compile(await useFolder(), await readFile(join(root, 'schema.graphql'), 'utf8'), documents);
  const tenant = await app.createTenant();
  const [first = 0] = tenant.products;
  // A tag with the id of an item.
  const ids = [first, first + 1, first + 2, first + 3, first + 4];
  const { companyId } = tenant;
  await app.db
    .insertInto('productTags')
    .values(ids.map((id) => ({ id, companyId, nameEn: `Tag ${id}`, nameAr: null })))
    .execute();
  await app.db.insertInto('productTaggings').values({ companyId, productTagId: first, itemId: first }).execute();

  let sent = 0;
  const counting: typeof fetch = (...request) => {
    sent += 1;
    return fetch(...request);
  };
  const screen = openScreen(`${app.url}/graphql`, { Authorization: `Bearer ${tenant.token}` }, counting);
  const start = { first: 2, after: null };
  const names = () =>
    screen.read(requests.ScreenTagsQuery, start).productTags.edges.map(({ node }: Any) => `${node.id} ${node.nameEn}`);
  await screen.load(requests.ScreenTagsQuery, start);
  for (const _page of [2, 3]) {
    const { endCursor } = screen.read(requests.ScreenTagsQuery, start).productTags.pageInfo;
    await screen.load(requests.ScreenTagsQuery, { first: 2, after: endCursor });
  }
  expect(names()).toEqual(ids.map((id) => `${id} Tag ${id}`));

  await screen.load(requests.ScreenOthersQuery, { id: first });
  const others = () => screen.read(requests.ScreenOthersQuery, { id: first });
  expect(others().item).toMatchObject({
    id: first,
    nameEn: 'product 0',
    tags: { edges: [{ node: { id: first, nameEn: `Tag ${first}` } }] },
  });
  expect(others().productTag.items.edges).toMatchObject([{ node: { id: first, nameEn: 'product 0' } }]);

  sent = 0;
  await screen.mutate(requests.ScreenRenameMutation, { id: first, name: 'Renamed' });
  expect(names()[0]).toBe(`${first} Renamed`);
  expect(others().item).toMatchObject({ nameEn: 'product 0', tags: { edges: [{ node: { nameEn: 'Renamed' } }] } });
  expect(sent).toBe(1);
});
