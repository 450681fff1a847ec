import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { startApp, use } from '../support/test-app.ts';

const app = use(await startApp());

test('a page of a written tag skips items deleted since, and has the correct hasNextPage', async () => {
  const tenant = await app.createTenant({ products: 5 });
  const [first = 0, second = 0, third = 0, fourth = 0, fifth = 0] = tenant.products;
  // Deletes two items at the end of the write, before its response is made.
  await sql`create function delete_items() returns trigger language plpgsql as $$
    begin delete from items where id in (${sql.lit(second)}, ${sql.lit(third)}); return null; end $$`.execute(app.db);
  await sql`create constraint trigger delete_items after insert on product_taggings deferrable initially deferred
    for each row execute function delete_items()`.execute(app.db);
  const mutation = `mutation ($itemIds: [Int!]) { createProductTag(input: { nameEn: "Tag", itemIds: $itemIds }) {
    productTag { short: items(first: 2) { ...page } long: items(first: 3) { ...page } } } }
    fragment page on ItemConnection { nodes { id } pageInfo { hasNextPage } }`;
  const { body } = await app.client.graphql(mutation, { itemIds: tenant.products }, tenant);
  const page = (ids: number[], hasNextPage: boolean) => ({
    nodes: ids.map((id) => ({ id })),
    pageInfo: { hasNextPage },
  });
  expect(body.data.createProductTag.productTag).toEqual({
    short: page([first, fourth], true),
    long: page([first, fourth, fifth], false),
  });
});
