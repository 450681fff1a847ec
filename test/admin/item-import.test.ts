import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adminOf, expectRefusal, spawnAdmin } from '../support/process.ts';
import { copyTemplate, startApp, use, useFolder } from '../support/test-app.ts';

const database = use(await copyTemplate());
const folder = await useFolder();
const { run, print } = adminOf(database.env);

const heading = 'item_type,name_en,name_ar';
const product = 'product,Tea,شاي';

function createCompany(): Promise<string> {
  return print('company', 'create', '--name-en', 'Importer', '--name-ar', 'مستورد', '--city', 'saruh');
}

/** Imports a file with this content. */
async function importCsv(company: string, content: string | Buffer, ...options: string[]) {
  const file = join(folder, 'items.csv');
  await writeFile(file, content);
  return run('item', 'import', file, '--company', company, ...options);
}

/** A company's items as lines of CSV without the heading, optionally with ids. */
async function itemsOf(company: string, { ids = false } = {}): Promise<string[]> {
  const lines = (await print('item', 'export', '--company', company)).split('\n').slice(1);
  return ids ? lines : lines.map((line) => line.replace(/^\d+,/, ''));
}

test('a file as spreadsheets write it is imported in its order', async () => {
  const company = await createCompany();
  const file =
    '\uFEFFname_ar,ITEM_TYPE,name_en,,\r\n"طبق ""خاص""",product,"Grilled, spicy",,,\r\n\r\n,,\r\n' +
    ' الحجم ,modifier_group,Size';
  expect(await importCsv(company, file)).toEqual({
    code: 0,
    stderr: '',
    stdout: '2 added, 0 changed, 0 unchanged\n',
  });
  expect(await itemsOf(company)).toEqual(['product,"Grilled, spicy","طبق ""خاص"""', 'modifier_group,Size,الحجم']);
});

test('what item export prints, changed, is imported with --update, also from standard input', async () => {
  const company = await createCompany();
  await importCsv(company, `${heading}\n${product}\nproduct,Coffee,قهوة`);
  const csv = await print('item', 'export', '--company', company);
  expectRefusal(await importCsv(company, csv), /^line 2, id: \d+ is an item already; --update/);

  const changed = `${csv.replace('Coffee', 'Arabic coffee')}\n,modifier,Sugar,سكر\n`;
  const args = ['item', 'import', '-', '--company', company, '--update'];
  for (const [options, stdout, names] of [
    [
      ['--dry-run'],
      'Nothing was written. It would be:\n1 added, 1 changed, 1 unchanged\n',
      [product, 'product,Coffee,قهوة'],
    ],
    [[], '1 added, 1 changed, 1 unchanged\n', [product, 'product,Arabic coffee,قهوة', 'modifier,Sugar,سكر']],
  ] as const) {
    const child = spawnAdmin(database.env, [...args, ...options], changed);
    expect(await child.exited).toBe(0);
    expect(child.stdout).toBe(stdout);
    expect(await itemsOf(company)).toEqual(names);
  }
});

test('imported ids are stored, and the database assigns higher ones afterwards', async () => {
  const company = await createCompany();
  await importCsv(company, `id,${heading}\n,product,Later,لاحق\n700000,product,Chosen,مختار`);
  expect(await itemsOf(company, { ids: true })).toEqual(['700000,product,Chosen,مختار', '700001,product,Later,لاحق']);
  await importCsv(company, `${heading}\nproduct,Next,تالي`);
  expect((await itemsOf(company, { ids: true })).at(-1)).toBe('700002,product,Next,تالي');
  await using app = await startApp(database.env);
  const inserted = await app.db
    .insertInto('items')
    .values({ companyId: Number(company), itemType: 'product', nameEn: 'Own', nameAr: 'خاص' })
    .returning('id')
    .executeTakeFirstOrThrow();
  expect(inserted.id).toBeGreaterThan(700_002);
});

describe('a file with mistakes is rejected with the line of each, and nothing is imported', () => {
  let before: string[];
  beforeAll(async () => {
    before = await itemsOf('1', { ids: true });
  });
  afterAll(async () => expect(await itemsOf('1', { ids: true })).toEqual(before));

  test.each([
    [
      'a value',
      `${heading}\nproduct,a,ا\ndish,,ب\x07`,
      ['line 3, item_type: must be product', 'line 3, name_en: is required', 'line 3, name_ar: must have visible'],
    ],
    ['a length', `${heading}\nproduct,${'x'.repeat(256)},ا`, ['line 2, name_en: must have 1 to 255 characters']],
    [
      'after line breaks within quotes',
      `${heading}\r\nproduct,"a\r\n\r\nb",ا\r\n\r\ndish,b,ب`,
      ['line 2, name_en: must have', 'line 6, item_type: must be'],
    ],
    [
      'an id',
      `id,${heading}\nx,${product}\n0,${product}\n2147483647,${product}`,
      ['line 2, id: must be a whole number', 'line 3, id: must be', 'line 4, id: must be'],
    ],
    [
      'too few cells',
      `${heading}\nproduct,a\n${product},x`,
      ['line 2: the row has 2 cells, the heading 3', 'line 3: the row has 4'],
    ],
    ['a quote that nothing closes', `${heading}\n${product}\nproduct,"a,ا\n${product}\n`, ['line 3: a quote is not']],
    ['a quote within a cell', `${heading}\nproduct,a "b",ا`, ['line 2: a quote is not closed, or one within a cell']],
    [
      'columns',
      'item_type,name_en,price\nproduct,a,1',
      ['line 1: the column name_ar is missing', 'line 1: unknown column "price"'],
    ],
    ['a column twice', `${heading},name_en\n${product},Tea`, ['line 1: the column name_en is repeated']],
    ['nothing', '', ['line 1: the file is empty']],
    [
      'another encoding',
      Buffer.concat([Buffer.from(`${heading}\nproduct,a,`), Buffer.from([0xc8, 0xc9])]),
      ['line 2, name_ar: is not in UTF-8'],
    ],
    [
      'an id twice',
      `id,${heading}\n900,product,a,ا\n,${product}\n900,product,b,ب`,
      ['line 4, id: 900 is on line 2 already'],
    ],
    [
      "another company's id",
      `id,${heading}\n1,${product}\n12,${product}1`,
      ['line 2, id: 1 is an item already', 'line 3, id: 12 is an item of another company (2)'],
    ],
    [
      'an item that there is',
      `${heading}\n${product}\nproduct,Fattoush,فتوش`,
      ['line 3: is the same as item 4; to add it, give it an id'],
    ],
  ])('%s', async (_name, file, mistakes) => {
    const refused = await importCsv('1', file);
    expectRefusal(refused, /\nNothing was changed\. .*\n$/);
    const told = refused.stderr.split('\n').slice(0, -2);
    expect(told).toEqual(mistakes.map((start) => expect.stringContaining(start)));
  });

  test('the first 20 of many are listed, in order', async () => {
    const rows = Array.from({ length: 30 }, (_, index) => (index % 2 ? 'product,,شاي' : `dish,Tea ${index},شاي`));
    const { stderr } = await importCsv('1', [heading, ...rows].join('\n'));
    const lines = stderr.split('\n').filter((line) => line.startsWith('line '));
    expect(lines.map((line) => Number(/\d+/.exec(line)))).toEqual(Array.from({ length: 20 }, (_, index) => index + 2));
    expect(stderr).toContain('\nand 10 more\n');
  });

  test('an unknown company or a missing file', async () => {
    expectRefusal(await importCsv('999', heading), /^There is no company 999\./);
    expectRefusal(await run('item', 'import', join(folder, 'none.csv'), '--company', '1'), /none\.csv .*: ENOENT/);
  });
});

test('a tagged product stays a product', async () => {
  const company = await createCompany();
  await importCsv(company, `id,${heading}\n800001,product,Tagged,موسوم\n800002,product,Free,حر`);
  const tags = join(folder, 'tags.csv');
  await writeFile(tags, 'id,name_en,name_ar,item_ids\n800000,Sweet,,800001');
  await print('tag', 'import', tags, '--company', company);

  const file = (first: string) => `id,${heading}\n800001,${first},Tagged,موسوم\n800002,modifier,Free,حر`;
  expectRefusal(
    await importCsv(company, file('modifier'), '--update'),
    /^line 2, item_type: 800001 is tagged, so it stays a product/,
  );
  expect(await importCsv(company, file('product'), '--update')).toMatchObject({ code: 0 });
  expect(await itemsOf(company)).toEqual(['product,Tagged,موسوم', 'modifier,Free,حر']);
});

test('100,000 rows are imported', { timeout: 120_000 }, async () => {
  const company = await createCompany();
  const rows = Array.from({ length: 100_000 }, (_, index) => `product,Dish ${index},طبق ${index}`);
  expect(await importCsv(company, [heading, ...rows].join('\n'))).toMatchObject({ code: 0, stderr: '' });
  expect(await itemsOf(company)).toEqual(rows);
});

test.skipIf(process.platform === 'win32')('Ctrl-C half way leaves nothing', { timeout: 120_000 }, async () => {
  const company = await createCompany();
  const file = join(folder, 'many.csv');
  const rows = Array.from({ length: 200_000 }, (_, index) => `product,Dish ${index},طبق ${index}`);
  await writeFile(file, [heading, ...rows].join('\n'));
  await using app = await startApp(database.env);
  const child = spawnAdmin(database.env, ['item', 'import', file, '--company', company]);
  const isWriting = async () => {
    const { rows } = await sql`select from pg_locks
      where relation = 'items'::regclass and mode = 'RowExclusiveLock'`.execute(app.db);
    return rows.length > 0;
  };
  await expect.poll(isWriting, { timeout: 60_000 }).toBe(true);
  expect(await child.end('SIGINT')).toBeNull();
  await expect.poll(isWriting, { timeout: 60_000 }).toBe(false);
  expect(await itemsOf(company)).toEqual([]);
});
