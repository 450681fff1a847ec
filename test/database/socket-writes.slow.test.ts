import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { startService } from '../support/process.ts';
import { createTenant } from '../support/tenant.ts';
import { copyTemplate, openDatabase, use } from '../support/test-app.ts';

const database = use(await copyTemplate());
const { db } = use(await openDatabase(database.env));
const tenant = await createTenant(db, { products: 12 });
const service = use(await startService({ ...database.env, RATE_LIMIT: 'off', LOG_LEVEL: 'silent' }));
const { client } = service;

const { body: tag } = await client.rest('POST', '/product_tags', { ...tenant, body: { name_en: 'One' } });
const page = '{ items(first: 50) { nodes { id name tags { nodes { id } } } } }';

// Each write to a socket wakes the process behind it, so statements that are sent in one step share one. Linux counts them.
test.each<[what: string, max: number, atATime: number, send: (time: number) => Promise<{ status: number }>]>([
  ['16 pages of items with their tags at a time', 4, 16, () => client.graphql(page, {}, tenant)],
  [
    'a PUT',
    6,
    1,
    (time) => {
      const body = { name_en: 'Two', item_ids: tenant.products.slice(time % 2) };
      return client.rest('PUT', `/product_tags/${tag.id}`, { ...tenant, body });
    },
  ],
])('%s: fewer than %i socket writes each, including the response', async (_what, max, atATime, send) => {
  const rounds = 40;
  const repeat = async () => {
    for (let round = 0; round < rounds; round += 1) {
      const sent = await Promise.all(Array.from({ length: atATime }, () => send(round)));
      expect(sent.map(({ status }) => status)).toEqual(Array(atATime).fill(200));
    }
  };
  // Connects, and prepares statements.
  await repeat();
  const before = await countWrites();
  await repeat();
  const writes = ((await countWrites()) - before) / rounds / atATime;
  console.log(`${writes.toFixed(1)} writes`);
  expect(writes).toBeLessThan(max);
});

async function countWrites(): Promise<number> {
  const counts = await readFile(`/proc/${service.pid}/io`, 'utf8');
  return Number(/^syscw: (\d+)$/m.exec(counts)?.[1]);
}
