import { expect, test } from 'vitest';
import { startService } from '../support/process.ts';
import { createTenant } from '../support/tenant.ts';
import { copyTemplate, openDatabase, use } from '../support/test-app.ts';

const database = use(await copyTemplate());
const { db } = use(await openDatabase(database.env));
const tenant = await createTenant(db, { products: 10_000 });
const { client } = use(await startService(database.env));

const search = (index: number) => client.graphql(`{ items(search: "${index}") { nodes { id } } }`, {}, tenant);

test('a page of a company with 10,000 items takes at most a second during 32 searches', async () => {
  await search(0);
  const searches = Array.from({ length: 32 }, (_, index) => search(index));
  const start = performance.now();
  const page = await client.graphql('{ items(first: 5) { nodes { id } } }', {}, tenant);
  const ms = performance.now() - start;
  for (const { body } of [page, ...(await Promise.all(searches))]) expect(body.errors).toBeUndefined();
  expect(ms).toBeLessThan(1_000);
});
