import { expect, test } from 'vitest';
import { startService } from '../support/process.ts';
import { createTenant, insertItems } from '../support/tenant.ts';
import { copyTemplate, openDatabase, use } from '../support/test-app.ts';

const writers = 30;
const items = 10_000;

const database = use(await copyTemplate());
const { db } = use(await openDatabase(database.env));
const writer = await createTenant(db);
const reader = await createTenant(db, { products: 20 });
const products: number[] = [];
for (let batch = 0; batch < 4; batch += 1) {
  products.push(...(await insertItems(db, writer.companyId, 'product', items / 2)));
}
const { client } = use(await startService(database.env));

async function read(): Promise<number> {
  const start = performance.now();
  const { status } = await client.graphql('{ viewer { items { nodes { tags { nodes { id } } } } } }', {}, reader);
  expect(status).toBe(200);
  return performance.now() - start;
}

const percentile95 = (durations: number[]) =>
  Math.round(durations.toSorted((a, b) => a - b)[Math.floor(0.95 * durations.length)] ?? 0);

test(`${writers} writers of one tag with ${items} items leave the reads of another partner alone`, async () => {
  const write = (path: string, method: 'POST' | 'PUT', item_ids: number[]) =>
    client.rest(method, path, { token: writer.token, body: { name_en: 'Contended', item_ids } });
  const { id } = (await write('/product_tags', 'POST', [])).body;
  const unloaded: number[] = [];
  for (let round = 0; round < 40; round += 1) unloaded.push(await read());
  let open = writers;
  const writing = Array.from({ length: writers }, (_, index) => {
    const start = index % 2 === 0 ? 0 : items;
    return write(`/product_tags/${id}`, 'PUT', products.slice(start, start + items)).finally(() => {
      open -= 1;
    });
  });
  const loaded: number[] = [];
  while (open > 0) loaded.push(await read());
  // Some succeed in turn; those whose deadline passes fail, only for this partner.
  const writes = await Promise.all(writing);
  expect(writes.filter(({ status }) => status === 200)).not.toEqual([]);
  for (const { status, headers } of writes) {
    if (status !== 200) expect([status, headers.get('retry-after')]).toEqual([503, expect.any(String)]);
  }
  const [under, without] = [loaded, unloaded].map(percentile95);
  console.log(`p95 of ${loaded.length} reads: ${under} ms, without the writers ${without} ms`);
});
