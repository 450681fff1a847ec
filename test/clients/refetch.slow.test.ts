import { expect, test } from 'vitest';
import { startApp, use } from '../support/test-app.ts';

type Open = (
  url: string,
  headers: object,
  text: string,
) => { rows(): unknown; mutate(text: string, variables: object): Promise<unknown> };

// The clients have their own package, which `npm run test:all` installs.
const { clients }: { clients: Record<string, Open> } = await import(new URL('./refetch.js', import.meta.url).href);

const app = use(await startApp({ RATE_LIMIT: 'off' }));

test.each(Object.entries(clients))('%s refetches a list after each mutation', async (_name, open) => {
  const tenant = await app.createTenant();
  const text = 'query { items(tagged: true) { nodes { id tags { nodes { id nameEn } } } } }';
  const screen = open(`${app.url}/graphql`, { Authorization: `Bearer ${tenant.token}` }, text);
  const expectRight = async () => {
    const { nodes } = (await app.client.graphql(text, {}, tenant)).body.data.items;
    const shown = () =>
      JSON.parse(JSON.stringify(screen.rows() ?? null, (key, each) => (key === '__typename' ? undefined : each)));
    await expect.poll(shown).toEqual(nodes);
    return nodes;
  };
  const outcome = '{ productTag { id } userErrors { code } }';
  expect(await expectRight()).toEqual([]);
  await screen.mutate(
    `mutation ($ids: [Int!]) { createProductTag(input: { nameEn: "One", itemIds: $ids }) ${outcome} }`,
    {
      ids: tenant.products.slice(0, 1),
    },
  );
  const [{ tags }] = await expectRight();
  const { id } = tags.nodes[0];
  await screen.mutate(`mutation ($id: Int!) { updateProductTag(id: $id, input: { nameEn: "Two" }) ${outcome} }`, {
    id,
  });
  await expectRight();
  await screen.mutate(`mutation ($id: Int!, $ids: [Int!]!) { addProductTagItems(id: $id, itemIds: $ids) ${outcome} }`, {
    id,
    ids: tenant.products.slice(1, 2),
  });
  expect(await expectRight()).toHaveLength(2);
  await screen.mutate(`mutation ($id: Int!) { deleteProductTag(id: $id) { deletedProductTagId } }`, { id });
  expect(await expectRight()).toEqual([]);
});
