import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Database } from '../../src/domain/tables.ts';
import { listWaitingBackends, untilWaiting } from '../support/locks.ts';
import { createAdmin, spawnAdmin } from '../support/process.ts';
import { createRandom } from '../support/random.ts';
import { createTenant } from '../support/tenant.ts';
import { copyTemplate, startApp, use, useFolder } from '../support/test-app.ts';

const database = use(await copyTemplate());
const app = use(await startApp(database.env));
const folder = await useFolder();
const { run, print } = createAdmin(database.env);
const random = createRandom();

async function toFileFormat(name: string, lines: string[]): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, `${lines.join('\n')}\n`);
  return file;
}

/** A transaction without the timeouts of requests. An import that waits for it in vain ends with it. */
function inSession<Result>(work: (transaction: Database) => Promise<Result>): Promise<Result> {
  return app.db.transaction().execute(async (transaction) => {
    for (const timeout of ['statement_timeout', 'lock_timeout'])
      await sql`set local ${sql.id(timeout)} = 0`.execute(transaction);
    await sql`set local idle_in_transaction_session_timeout = '60s'`.execute(transaction);
    return work(transaction);
  });
}

const itemHeading = 'id,item_type,name_en,name_ar';

test('imports of items and writes of tags do not block each other', async () => {
  const { companyId, products, token } = await createTenant(app.db);
  const [first = 0, second = 0, third = 0] = products;
  const body = { name_en: 'Spicy', item_ids: [first] };
  const tag = (await app.client.rest('POST', '/product_tags', { token, body })).body.id;
  const rows = [first, second].map((id) => `${id},product,Renamed,اسم`);
  const file = await toFileFormat('renamed.csv', [itemHeading, ...rows]);
  await inSession(async (writer) => {
    // The import has begun when it waits for an item.
    const importing = await inSession(async (holder) => {
      await sql`select from items where id = ${second} for update`.execute(holder);
      const started = run('import', 'items', file, '--company', String(companyId));
      await untilWaiting(app.db);
      const update = { token, body: { name_en: 'Mild', item_ids: [third] } };
      expect((await app.client.rest('PUT', `/product_tags/${tag}`, update)).status).toBe(200);
      await sql`select from product_tags where id = ${tag} for no key update`.execute(writer);
      return { started };
    });
    await sql`select from items where id = ${first} for key share`.execute(writer);
    expect((await importing.started).stdout).toBe('2 rows: 0 added, 2 changed\n');
  });
});

test('an import of tags locks tags in id order, like partner writes', async () => {
  const { companyId, token } = await createTenant(app.db);
  const create = async () =>
    (await app.client.rest('POST', '/product_tags', { token, body: { name_en: 'Spicy' } })).body.id as number;
  const [first, second] = [await create(), await create()];
  const file = await toFileFormat('tags.csv', ['id,name_en', `${second},Renamed`, `${first},Renamed`]);
  const importing = await inSession(async (writer) => {
    await sql`select from product_tags where id = ${first} for no key update`.execute(writer);
    const started = run('import', 'tags', file, '--company', String(companyId));
    await untilWaiting(app.db);
    await sql`select from product_tags where id = ${second} for no key update nowait`.execute(writer);
    return { started };
  });
  expect((await importing.started).stdout).toBe('2 rows: 0 added, 2 changed\n');
});

test('an import waits for another one, which Ctrl-C cancels', async () => {
  const [one, two] = [await createTenant(app.db), await createTenant(app.db)];
  const held = await toFileFormat('held.csv', [itemHeading, `${one.products[0]},product,Renamed,اسم`]);
  const file = await toFileFormat('own.csv', [itemHeading, ',product,Tea,شاي']);
  const { stdout } = await inSession(async (holder) => {
    await sql`select from items where id = ${one.products[0]} for update`.execute(holder);
    await using first = spawnAdmin(database.env, ['import', 'items', held, '--company', String(one.companyId)]);
    await untilWaiting(app.db);
    const second = run('import', 'items', file, '--company', String(two.companyId));
    await expect.poll(() => listWaitingBackends(app.db)).toHaveLength(2);
    await first.end('SIGINT');
    return second;
  });
  expect(stdout).toBe('1 row: 1 added, 0 changed\n');
});

async function countDeadlocks(): Promise<number> {
  const { rows } = await sql<{ deadlocks: number }>`select deadlocks::integer from pg_stat_database
    where datname = current_database()`.execute(app.db);
  return rows[0]?.deadlocks as number;
}

test('20 imports and 4 concurrent writers succeed without a deadlock', async () => {
  const before = await countDeadlocks();
  const { companyId, products, token } = await createTenant(app.db, { products: 40 });
  const company = ['--company', String(companyId)];
  const tags: number[] = [];
  for (let index = 0; index < 10; index += 1) {
    const body = { name_en: `Tag ${index}`, item_ids: products.slice(index, index + 20) };
    tags.push((await app.client.rest('POST', '/product_tags', { token, body })).body.id);
  }
  const choose = <Value>(values: readonly Value[]) => values.filter(() => random() < 0.5);
  const shuffle = <Value>(values: readonly Value[]) => values.toSorted(() => random() - 0.5);
  let isImporting = true;
  const writers = Array.from({ length: 4 }, async () => {
    while (isImporting) {
      const [tag = 0] = shuffle(tags);
      const body = { name_en: `Tag ${random()}`, item_ids: choose(products) };
      // A writer that waits for 3 s gets 409.
      expect([200, 409]).toContain((await app.client.rest('PUT', `/product_tags/${tag}`, { token, body })).status);
    }
  });
  try {
    for (let round = 0; round < 10; round += 1) {
      const items = shuffle(products).map((id) => `${id},product,Dish ${round},طبق`);
      const file = await toFileFormat('items.csv', [itemHeading, ...items]);
      await print('import', 'items', file, ...company);
      const links = shuffle(tags).map((id) => `${id},Tag ${round},${choose(products).join(';')}`);
      await print('import', 'tags', await toFileFormat('tags.csv', ['id,name_en,item_ids', ...links]), ...company);
    }
  } finally {
    isImporting = false;
    await Promise.all(writers);
  }
  expect(await countDeadlocks()).toBe(before);
});
