import { expect, test } from 'vitest';
import { copyTemplate, openDatabase, use } from '../support/app.ts';
import { Client } from '../support/client.ts';
import { startService } from '../support/process.ts';
import { createTenant, insertItems } from '../support/tenant.ts';

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
const service = use(await startService(database.env));
const client = new Client(service.url);

test(`${writers} writers of one tag with ${items} items leave the reads of another partner alone`, async () => {
  const write = (path: string, method: 'POST' | 'PUT', item_ids: number[]) =>
    client.rest(method, path, { token: writer.token, body: { name_en: 'Contended', item_ids } });
  const { id } = (await write('/product_tags', 'POST', [])).body;
  let isOver = false;
  const writing = Promise.all(
    Array.from({ length: writers }, (_, index) => {
      const start = index % 2 === 0 ? 0 : items;
      return write(`/product_tags/${id}`, 'PUT', products.slice(start, start + items));
    }),
  ).finally(() => {
    isOver = true;
  });
  const reads: number[] = [];
  while (!isOver) {
    const { status } = await client.graphql('{ viewer { items { nodes { tags { id } } } } }', {}, reader);
    reads.push(status);
  }
  expect(reads.length).toBeGreaterThan(1);
  expect(new Set(reads)).toEqual(new Set([200]));
  // Some are done in turn; those whose deadline passes first fail, for this partner alone.
  const writes = await writing;
  expect(writes.filter(({ status }) => status === 200)).not.toEqual([]);
  for (const { status, headers } of writes) {
    if (status !== 200) expect([status, headers.get('retry-after')]).toEqual([503, expect.any(String)]);
  }
});
