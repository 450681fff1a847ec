import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createMigrator } from '../../src/platform/database/migrate.ts';
import { untilWaiting } from '../support/locks.ts';
import { createAdmin, expectFailure } from '../support/process.ts';
import { copyTemplate, openDatabase, use, useFolder } from '../support/test-app.ts';

const folder = await useFolder();
const database = use(await copyTemplate());
const { db } = use(await openDatabase(database.env));
const { run } = createAdmin(database.env);

/** Rows of the demo's second company with ids of rows of its first one. */
const copies = [
  `insert into items (id, company_id, item_type, name_en, name_ar) select id, 2, item_type, name_en, name_ar from items where company_id = 1`,
  `insert into product_tags (id, company_id, name_en) select id, 2, name_en from product_tags where company_id = 1`,
  `insert into branches (id, company_id, name_en, name_ar, city_id) select id, 2, name_en, name_ar, city_id from branches where company_id = 1`,
];

test.each(copies)("the database rejects the id of another company's row: %s", async (copy) => {
  await expect(sql.raw(copy).execute(db)).rejects.toMatchObject({ code: '23P01' });
});

test.each([
  ['items', 'items', 'item_type,name_en,name_ar', 'product,Tea,شاي'],
  ['tags', 'product_tags', 'name_en', 'Created'],
  ['branches', 'branches', 'name_en,name_ar,city_id', 'A,ا,535'],
])(
  'an import fails with its line if another company concurrently creates the id: %s',
  async (list, table, columns, values) => {
    const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence(${table}, 'id'))::integer + 1 as id`.execute(db);
    const id = rows[0]?.id as number;
    const file = join(folder, `${table}.csv`);
    await writeFile(file, `id,company_id,${columns}\n${id},2,${values}\n`);
    const { importing } = await db.transaction().execute(async (transaction) => {
      const created = values.replaceAll(',', "', '");
      await sql.raw(`insert into ${table} (company_id, ${columns}) values (1, '${created}')`).execute(transaction);
      const importing = run('import', list, file);
      await untilWaiting(db);
      return { importing };
    });
    expectFailure(await importing, new RegExp(`^line 2, id: ${id} is of company 1\nNo changes were made`));
    const found = await sql`select company_id from ${sql.table(table)} where id = ${id}`.execute(db);
    expect(found.rows).toEqual([{ companyId: 1 }]);
  },
);

test('an import updates a row that the same company creates concurrently', async () => {
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('product_tags', 'id'))::integer + 1 as id`.execute(db);
  const id = rows[0]?.id as number;
  const file = join(folder, 'own.csv');
  await writeFile(file, `id,company_id,name_en\n${id},1,Imported\n`);
  const { importing } = await db.transaction().execute(async (transaction) => {
    await sql`insert into product_tags (company_id, name_en) values (1, 'Created')`.execute(transaction);
    const importing = run('import', 'tags', file);
    await untilWaiting(db);
    return { importing };
  });
  expect((await importing).stdout).toBe('1 row: 0 added, 1 changed\n');
});

test('a rejected import does not change the next id', async () => {
  const last = async () =>
    (await sql<{ id: number }>`select last_value::integer as id from items_id_seq`.execute(db)).rows;
  const before = await last();
  const file = join(folder, 'rejected.csv');
  await writeFile(file, 'id,company_id,item_type,name_en,name_ar\n2000000000,999999,product,Tea,شاي\n');
  expectFailure(await run('import', 'items', file), /companies has no id 999999/);
  expect(await last()).toEqual(before);
});

test('migrate rejects and names equal ids of several companies', async () => {
  await using old = await copyTemplate();
  await using opened = await openDatabase(old.env);
  await (await createMigrator(opened.db)).migrateTo('20261126090000_search_punctuation');
  for (const copy of copies) await sql.raw(copy).execute(opened.db);
  const admin = createAdmin(old.env);
  const rejected = await admin.run('migrate');
  expectFailure(rejected, /rejected the command: rows of several companies have the same id: /);
  expect(rejected.stderr).toContain('items 1 (companies 1, 2)');
  expect(rejected.stderr).toContain('product_tags 1 (companies 1, 2)');
  expect(rejected.stderr).toContain('branches 1 (companies 1, 2)');
  for (const table of ['items', 'product_tags', 'branches'])
    await sql`delete from ${sql.table(table)} where company_id = 2`.execute(opened.db);
  expect(await admin.print('migrate')).toContain('20261126090100_ids_of_one_company');
});
