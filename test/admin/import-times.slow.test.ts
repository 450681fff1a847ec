import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { untilWaiting } from '../support/locks.ts';
import { adminOf } from '../support/process.ts';
import { copyTemplate, startApp, use, useFolder } from '../support/test-app.ts';

const database = use(await copyTemplate());
const app = use(await startApp(database.env));
const { print } = adminOf(database.env);

interface Row {
  id: number;
  createdAt: Date;
  updatedAt: Date;
}

async function timesOf(table: 'items' | 'productTags', companyId: number) {
  const { rows } = await sql<Row>`select id, created_at, updated_at from ${sql.table(table)}
    where company_id = ${companyId} order by id`.execute(app.db);
  return new Map(rows.map(({ id, ...times }) => [id, times]));
}

/** Imports a file; it has written its first row when it waits for this item. Returns when the item was released. */
async function importHeld(noun: string, file: string, item: number) {
  const { started, released } = await app.db.transaction().execute(async (transaction) => {
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(transaction);
    await sql`select id from items where id = ${item} for update`.execute(transaction);
    const started = print(noun, 'import', file, '--update');
    await untilWaiting(app.db);
    const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(transaction);
    return { started, released: rows[0]?.now.getTime() };
  });
  return { output: await started, released: Number(released) };
}

test('an import gives the rows that it changes the time of its end, and leaves the others', async () => {
  const tenant = await app.createTenant();
  const { companyId, products, token } = tenant;
  const [a = 0, b = 0, c = 0, d = 0] = products;
  const create = async (itemIds: number[]) =>
    (await app.client.rest('POST', '/product_tags', { token, body: { name_en: 'Spicy', item_ids: itemIds } })).body.id;
  const tags: number[] = [await create([a]), await create([b]), await create([])];
  const folder = await useFolder();
  const header = 'id,company_id,item_type,name_en,name_ar';
  const lines = [
    `${a},${companyId},product,Changed,صنف`,
    `${b},${companyId},product,product 1,صنف 1`,
    `,${companyId},product,Added,صنف`,
    `${c},${companyId},product,Changed last,صنف`,
  ];
  await writeFile(join(folder, 'items.csv'), [header, ...lines, ''].join('\n'));
  const before = await timesOf('items', companyId);
  const ofItems = await importHeld('item', join(folder, 'items.csv'), c);
  expect(ofItems.output).toContain('1 added, 2 changed, 1 unchanged');
  const after = await timesOf('items', companyId);
  const added = [...after.keys()].find((id) => !before.has(id)) as number;
  for (const id of [a, c, added]) expect(after.get(id)?.updatedAt.getTime()).toBeGreaterThanOrEqual(ofItems.released);
  for (const id of [b, d]) expect(after.get(id)).toEqual(before.get(id));
  expect(after.get(a)?.createdAt).toEqual(before.get(a)?.createdAt);

  // Tags change with their names and items.
  const tagsBefore = await timesOf('productTags', companyId);
  const [first = 0, second = 0, third = 0] = tags;
  const rows = [
    `${first},${companyId},Renamed,,${a}`,
    `${second},${companyId},Spicy,,${b}`,
    `${third},${companyId},Spicy,,${d}`,
  ];
  await writeFile(join(folder, 'tags.csv'), ['id,company_id,name_en,name_ar,item_ids', ...rows, ''].join('\n'));
  const ofTags = await importHeld('tag', join(folder, 'tags.csv'), d);
  expect(ofTags.output).toContain('0 added, 2 changed, 1 unchanged');
  const tagsAfter = await timesOf('productTags', companyId);
  for (const id of [first, third])
    expect(tagsAfter.get(id)?.updatedAt.getTime()).toBeGreaterThanOrEqual(ofTags.released);
  expect(tagsAfter.get(second)).toEqual(tagsBefore.get(second));
  expect(await timesOf('items', companyId)).toEqual(after);
});
