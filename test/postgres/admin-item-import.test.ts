import { execFile } from 'node:child_process';
import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { copyTemplate, startApp, use, useFolder } from '../support/app.ts';
import { expectRefusal, runAdmin, spawnAdmin } from '../support/process.ts';

const database = use(await copyTemplate());
const folder = await useFolder();

const heading = 'item_type,name_en,name_ar';

/** For tests that run the command several times over many rows, in ms. */
const longTimeout = 120_000;

async function createCompany(): Promise<string> {
  const args = ['company', 'create', '--name-en', 'Importer', '--name-ar', 'مستورد', '--city', 'saruh'];
  return (await runAdmin(database.env, ...args)).stdout.trim();
}

/** Runs an import of a file with this content. */
async function importCsv(company: string, content: string | Buffer, ...options: string[]) {
  const file = join(folder, 'items.csv');
  await writeFile(file, content);
  return runAdmin(database.env, 'item', 'import', file, '--company', company, ...options);
}

/** The items of a company as lines of CSV, without the heading and, unless asked for, their ids. */
async function itemsOf(company: string, { ids = false } = {}): Promise<string[]> {
  const { stdout } = await runAdmin(database.env, 'item', 'list', '--company', company, '--csv');
  const lines = stdout.trim().split('\n').slice(1);
  return ids ? lines : lines.map((line) => line.replace(/^\d+,/, ''));
}

test('a file as spreadsheets write it is imported in its order', async () => {
  const company = await createCompany();
  const file =
    '\uFEFFname_ar,ITEM_TYPE,name_en,,\r\n"طبق ""خاص""",product,"Grilled, spicy",,\r\n\r\n,,\r\n الحجم ,modifier_group,Size';
  expect(await importCsv(company, file)).toMatchObject({
    code: 0,
    stderr: '',
    stdout: 'Imported: 2 added, 0 changed, 0 unchanged.\n',
  });
  expect(await itemsOf(company)).toEqual(['product,"Grilled, spicy","طبق ""خاص"""', 'modifier_group,Size,الحجم']);
});

test('what item list --csv prints, changed, is imported with --update, also from standard input', async () => {
  const company = await createCompany();
  await importCsv(company, `${heading}\nproduct,Tea,شاي\nproduct,Coffee,قهوة`);
  const { stdout: csv } = await runAdmin(database.env, 'item', 'list', '--company', company, '--csv');
  expectRefusal(await importCsv(company, csv), /^line 2, id: \d+ is an item already; --update/);

  const changed = `${csv.replace('Coffee', 'Arabic coffee')},modifier,Sugar,سكر\n`;
  const args = ['item', 'import', '-', '--company', company, '--update'];
  const trial = spawnAdmin(database.env, [...args, '--dry-run'], changed);
  expect(await trial.exited).toBe(0);
  expect(trial.stdout).toBe('Nothing was written. It would be: 1 added, 1 changed, 1 unchanged.\n');
  expect(await itemsOf(company)).toEqual(['product,Tea,شاي', 'product,Coffee,قهوة']);

  const run = spawnAdmin(database.env, args, changed);
  expect(await run.exited).toBe(0);
  expect(run.stdout).toBe('Imported: 1 added, 1 changed, 1 unchanged.\n');
  expect(await itemsOf(company)).toEqual(['product,Tea,شاي', 'product,Arabic coffee,قهوة', 'modifier,Sugar,سكر']);
});

test('ids are kept, and those that the database gives afterwards are beyond them', async () => {
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

describe('a file with mistakes is refused with the line of each, and nothing of it is imported', () => {
  const product = 'product,Tea,شاي';
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
      `id,${heading}\nx,${product}\n0,${product}`,
      ['line 2, id: must be a whole number', 'line 3, id: must be'],
    ],
    [
      'too few cells',
      `${heading}\nproduct,a\n${product},x`,
      ['line 2: the row has 2 cells, the heading 3', 'line 3: the row has 4'],
    ],
    [
      'a quote that nothing closes',
      `${heading}\n${product}\nproduct,"a,ا\n${product}\n`,
      ['line 3: a quote is opened here'],
    ],
    ['a quote within a cell', `${heading}\nproduct,a "b",ا`, ['line 2: a quote within a cell']],
    [
      'columns',
      'item_type,name_en,price\nproduct,a,1',
      ['line 1: the column name_ar is missing', 'line 1: unknown column "price"'],
    ],
    ['a column twice', `${heading},name_en\n${product},Tea`, ['line 1: name_en is there twice']],
    [
      'another delimiter',
      `${heading.replaceAll(',', ';')}\n`,
      ["line 1: the cells seem to be separated by ;: --delimiter ';'"],
    ],
    ['a cell beyond the columns', `${heading},,\n${product},,x\n`, ['line 2: the row has 5 cells, the heading 3']],
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
    ['a row twice', `${heading}\n${product}\nproduct,a,ا\n${product}`, ['line 4: is the same as line 2']],
    [
      "another company's id",
      `id,${heading}\n1,${product}\n12,${product}1`,
      ['line 2, id: 1 is an item already', 'line 3, id: 12 is an item of another company (2)'],
    ],
    ['an item that there is', `${heading}\nproduct,Fattoush,فتوش`, ['line 2: is the same as item 4']],
  ])('%s', async (_name, file, mistakes) => {
    const run = await importCsv('1', file);
    expectRefusal(run, /\nNothing was imported\. .*\n$/);
    const told = run.stderr.split('\n').slice(0, -2);
    expect(told).toEqual(mistakes.map((start) => expect.stringContaining(start)));
  });

  test('the first 20 of many are told, in order', async () => {
    const rows = Array.from({ length: 30 }, (_, index) => (index % 2 ? product : `dish,Tea ${index},شاي`));
    const { stderr } = await importCsv('1', [heading, ...rows].join('\n'));
    const lines = stderr.split('\n').filter((line) => line.startsWith('line '));
    expect(lines).toHaveLength(20);
    // Line 3 is the first tea, which the others repeat.
    const expected = [2, ...Array.from({ length: 19 }, (_, index) => index + 4)];
    expect(lines.map((line) => Number(/\d+/.exec(line)))).toEqual(expected);
    expect(stderr).toContain('\nand 9 more\n');
  });

  test('a company, a file or a folder that is none', async () => {
    expectRefusal(await importCsv('999', heading), /^There is no company 999\./);
    const missing = await runAdmin(database.env, 'item', 'import', join(folder, 'none.csv'), '--company', '1');
    expectRefusal(missing, /none\.csv cannot be used: ENOENT/);
    expectRefusal(await runAdmin(database.env, 'item', 'import', folder, '--company', '1'), /it is a folder/);
  });
});

test('rows that repeat others are taken with --allow-repeats', async () => {
  const company = await createCompany();
  const file = `${heading}\nmodifier,Large,كبير\nmodifier,Large,كبير`;
  expect(await importCsv(company, file, '--allow-repeats')).toMatchObject({ code: 0 });
  expect(await itemsOf(company)).toEqual(['modifier,Large,كبير', 'modifier,Large,كبير']);
});

test('a tagged product stays a product', async () => {
  const company = await createCompany();
  await importCsv(company, `id,${heading}\n800001,product,Tagged,موسوم\n800002,product,Free,حر`);
  await using stack = new AsyncDisposableStack();
  const app = stack.use(await startApp(database.env));
  const tag = { companyId: Number(company), nameEn: 'Sweet', nameAr: null };
  const { id } = await app.db.insertInto('productTags').values(tag).returning('id').executeTakeFirstOrThrow();
  await app.db
    .insertInto('productTaggings')
    .values({ companyId: tag.companyId, productTagId: id, itemId: 800_001 })
    .execute();
  await stack.disposeAsync();

  const file = (first: string) => `id,${heading}\n800001,${first},Tagged,موسوم\n800002,modifier,Free,حر`;
  expectRefusal(
    await importCsv(company, file('modifier'), '--update'),
    /^line 2, item_type: 800001 is tagged, so it stays a product/,
  );
  expect(await importCsv(company, file('product'), '--update')).toMatchObject({ code: 0 });
  expect(await itemsOf(company)).toEqual(['product,Tagged,موسوم', 'modifier,Free,حر']);
});

test('100,000 rows are imported', { timeout: longTimeout }, async () => {
  const company = await createCompany();
  const rows = Array.from({ length: 100_000 }, (_, index) => `product,Dish ${index},طبق ${index}`);
  expect(await importCsv(company, [heading, ...rows].join('\n'))).toMatchObject({ code: 0, stderr: '' });
  const items = await itemsOf(company);
  expect(items).toHaveLength(rows.length);
  expect(items).toEqual(rows);
});

test.skipIf(process.platform === 'win32')(
  'Ctrl-C half way leaves nothing, exit code 130',
  { timeout: longTimeout },
  async () => {
    const company = await createCompany();
    const pipe = join(folder, 'pipe');
    await promisify(execFile)('mkfifo', [pipe]);
    const run = spawnAdmin(database.env, ['item', 'import', pipe, '--company', company]);
    await using writer = await open(pipe, 'w');
    // More than a pipe holds: when all is written, most was read.
    const rows = Array.from({ length: 50_000 }, (_, index) => `product,Dish ${index},طبق ${index}`);
    await writer.write([heading, ...rows].join('\n'));
    expect(await run.end('SIGINT')).toBe(130);
    expect(run).toMatchObject({ stdout: '', stderr: 'Interrupted: nothing was changed.\n' });
    expect(await itemsOf(company)).toEqual([]);
  },
);

// The last of all, as no ids are left then.
test('an id that leaves too few for the database to give is refused, and one that leaves few is told', async () => {
  const company = await createCompany();
  const id = `id,${heading}`;
  expectRefusal(await importCsv(company, `${id}\n2147483647,product,Last,أخير`), /^line 2, id: .*2000000000/);
  {
    await using app = await startApp(database.env);
    const item = { id: 2 ** 31 - 2, companyId: Number(company), itemType: 'product' as const };
    await app.db
      .insertInto('items')
      .values({ ...item, nameEn: 'Last', nameAr: 'أخير' })
      .execute();
  }
  expect(await importCsv(company, `${id}\n1900000000,product,Tea,شاي`)).toMatchObject({ code: 0 });
  const two = await importCsv(company, `${heading}\nproduct,Coffee,قهوة\nproduct,Milk,حليب`);
  expectRefusal(two, /^The file needs 2 new ids, and 1 are left\./);
});
