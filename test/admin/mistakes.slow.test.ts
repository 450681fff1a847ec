import { readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminOf, expectRefusal, runAdminProcess } from '../support/process.ts';
import { copyTemplate, use, useFolder } from '../support/test-app.ts';

const database = use(await copyTemplate());
const folder = await useFolder();
const { run, print } = adminOf(database.env);

/** Everything that imports write, as files. */
async function exportAll(): Promise<string[]> {
  const exported = await useFolder();
  for (const words of [[], ['reference']]) await print(...words, 'export', exported);
  return Promise.all((await readdir(exported)).map((name) => readFile(join(exported, name), 'utf8')));
}

let before: string[];
beforeAll(async () => {
  before = await exportAll();
});
afterAll(async () => expect(await exportAll()).toEqual(before));

/** Imports a file with this content; the last word of the command is its name. */
async function importFile(command: string | string[], content: string | Buffer) {
  const words = typeof command === 'string' ? command.split(' ') : [...command];
  const file = join(folder, words.pop() as string);
  await writeFile(file, content);
  return run(...words, file);
}

/** A line of a file, and the beginnings of its mistakes. */
type Line = [line: string, ...mistakes: string[]];

const items = 'item import --company 1 items.csv';
const heading = 'item_type,name_en,name_ar';

test.each<[command: string, lines: Line[]]>([
  [
    items,
    [
      [`id,${heading}`],
      ['x,product,Tea,شاي', 'id: must be a whole number'],
      ['0,product,Tea,شاي', 'id: must be'],
      ['2147483647,product,Tea,شاي', 'id: must be'],
      [',dish,,ب\x07', 'item_type: must be product', 'name_en: is required', 'name_ar: must have visible'],
      [`,product,${'x'.repeat(256)},ا`, 'name_en: must have 1 to 255 characters'],
      [',product,Tea', 'the row has 3 cells, the heading 4'],
      [',product,Tea,شاي,x', 'the row has 5 cells, the heading 4'],
      [',product,"a\r\n\r\nb",ا', 'name_en: must have visible'],
      [''],
      ['900,product,a,ا'],
      ['900,product,b,ب', 'id: 900 is on line 13 already'],
      ['1,product,Tea,شاي', 'id: 1 is an item already; --update'],
      ['12,product,Tea,شاي', 'id: 12 is an item of another company (2)'],
      [',product,Fattoush,فتوش', 'is the same as item 4; to add it, give it an id'],
    ],
  ],
  [items, [[heading], ['product,Tea,شاي'], ['product,"a,ا', 'a quote is not closed'], ['product,Tea,شاي']]],
  [items, [[heading], ['product,a "b",ا', 'a quote is not closed, or one within a cell']]],
  [items, [['item_type,name_en,price', 'the column name_ar is missing', 'unknown column "price"'], ['product,a,1']]],
  [items, [[`${heading},name_en`, 'the column name_en is repeated'], ['product,Tea,شاي,Tea']]],
  [items, [['', 'the file is empty']]],
  [items, [['sep=;', 'the file is empty']]],
  [
    items,
    [
      ['sep=;'],
      [`id;${heading.replaceAll(',', ';')}`],
      [';product;Tea;شاي'],
      [';PRODUCT;Tea;شاي', 'is the same as line 3; to add it, give it an id'],
      [';modifier;Tea;شاي'],
      ['x;product;Tea;شاي', 'id: must be a whole number'],
    ],
  ],
  [
    'item import --company 1 items.ndjson',
    [
      ['{"item_type":"product","name_en":5,"name_ar":true}', 'name_en: must be text', 'name_ar: must be text'],
      [
        '{"id":true,"item_type":1,"name_en":"A","name_ar":"ا"}',
        'id: must be a whole number',
        'item_type: must be text',
      ],
      [
        '{"id":"9x","item_type":"product","name_en":["A"],"name_ar":"ا"}',
        'id: must be a whole',
        'name_en: must be text',
      ],
    ],
  ],
  [
    'item import --company 1 --update items.csv',
    [
      [`id,${heading}`],
      ['2,modifier,Lamb,لحم'],
      ['1,modifier,Kabsa,كبسة', 'item_type: 1 is tagged, so it stays a product'],
    ],
  ],
  [
    'tag import --company 1 tags.ndjson',
    [
      ['{"id":1000,"name_en":"ab","item_ids":[1]}', 'name_en: must have 3 to 50'],
      ['{"id":1001,"name_en":"Name","item_ids":[1,999999999,12]}', 'item_ids: not items of the company: 12, 999999999'],
      ['{"id":1001,"name_en":"Name","item_ids":[10]}', 'id: 1001 is on line 2 already', 'item_ids: not products: 10'],
      ['{"id":5,"name_en":"Name","item_ids":["x"]}', 'item_ids: must be a whole number'],
      ['{"id":1,"name_en":"Name","item_ids":[1]}', 'id: 1 is a tag already; --update changes existing rows'],
    ],
  ],
  [
    'company import companies.csv',
    [
      ['id,name_en,name_ar,city_id'],
      ['1,A,ا,535', 'id: 1 is a company already'],
      ['900,B,ب,999999', 'city_id: there is no city 999999'],
    ],
  ],
  [
    'branch import branches.csv',
    [
      ['id,company_id,name_en,name_ar,city_id,service_ids'],
      ['900,999999,A,ا,535,1;99', 'company_id: there is no company 999999', 'service_ids: there is no service 99'],
      ['901,1,A,ا,535,'],
      ['901,1,A,ا,535,', 'id: 901 is on line 3 already'],
    ],
  ],
  [
    'partner import partners.csv',
    [
      ['id,name,default_company_id'],
      ['900,Demo Partner,1', 'name: Demo Partner is taken: id 1 has it'],
      ['901,New,1'],
      ['902,New,1', 'name: New is taken: id 901 has it'],
      ['903,Other,999999', 'default_company_id: there is no company 999999'],
    ],
  ],
  [
    'token import tokens.csv',
    [
      ['partner_id,token,expires_at'],
      ['1,0123456789abcdef,2027-02-30', 'expires_at: must be a date'],
      ['999999,0123456789abcdef,', 'partner_id: there is no partner 999999'],
    ],
  ],
  // Files with mistakes may contain tokens, which are not shown.
  [
    'token import tokens.csv',
    [['secret-0123456789,1', 'the column partner_id is missing', 'unknown column 1', 'unknown column 2']],
  ],
  ['token import tokens.ndjson', [['{"partner_id":1,"token":"secret-0123456789"', 'is not a JSON object']]],
  [
    'reference import cities.csv',
    [
      ['id,code,country_id,name_en,name_ar'],
      ['1,new,5,New,جديد', 'country_id: there is no country 5'],
      ['90000,saruh,682,A,ا', 'code: saruh is taken: id'],
      ['90001,b,682,B,ب'],
      ['90002,b,682,B,ب', 'code: b is taken: id 90001'],
      ['90003,b c,682,B,ب', 'code: must be'],
      ['90004,c,682,C,', 'name_ar: is required'],
    ],
  ],
  ['reference import timezones.csv', [['id,name'], ['1,Asia/Atlantis', 'name: must be an IANA time zone']]],
  ['reference import timezones.ndjson', [[''], ['{"id":1}', 'the column name is missing']]],
  [
    'reference import brand_types.json',
    [
      ['{"id":1,"name_en":"A","name_ar":"{ا"}'],
      ['{"id":"x","name_en":{},"name_ar":"ا"}', 'id: must be a whole number', 'name_en: must be text'],
      ['x', 'is not a JSON object'],
      ['{"id":2,', 'is not a JSON object'],
    ],
  ],
  ['reference import brand_types.json', [['[{"id":1,"name_en":"A","name_ar":"ا"}]', 'the file is a JSON array']]],
])('%s reports each mistake with its line, and imports nothing (file %#)', async (command, lines) => {
  let start = 1;
  const expected: unknown[] = [];
  for (const [line, ...mistakes] of lines) {
    expected.push(...mistakes.map((mistake) => [String(start), expect.stringContaining(mistake)]));
    start += line.split('\n').length;
  }
  const content = lines.map(([line]) => line).join('\r\n');
  const all = join(folder, 'all mistakes.csv');
  const words = command.split(' ');
  const rejected = await importFile([...words.slice(0, 2), '--mistakes', all, ...words.slice(2)], content);
  expectRefusal(rejected, /\nNothing was changed\. .*\n$/);
  const written = await readFile(all, 'utf8');
  const [heading = [], ...rows] = parse(written) as string[][];
  expect(heading).toEqual(['line', 'id', 'column', 'value', 'mistake']);
  const found = rows.map(([line, , column, , mistake]) => [line, column ? `${column}: ${mistake}` : mistake]);
  const byLine = (a: unknown[], b: unknown[]) => Number(a[0]) - Number(b[0]);
  expect(found.toSorted(byLine)).toEqual(expected);
  expect(rejected.stderr + written).not.toContain('secret');
});

test.each<[what: string, content: Buffer, says: RegExp]>([
  ['a file', Buffer.from(heading, 'utf16le'), /^the file is not in UTF-8.* \(1 row\)\n {2}line 1\n/],
  [
    'a cell',
    Buffer.concat([Buffer.from(`${heading}\nproduct,a,`), Buffer.from([0xc8, 0xc9])]),
    /^name_ar: is not in UTF-8.* \(1 row\)\n {2}line 2/,
  ],
])('%s in another encoding is rejected', async (_what, content, says) => {
  expectRefusal(await importFile(items, content), says);
});

test('many mistakes are printed by kind, with the first five rows of each', async () => {
  const rows = Array.from({ length: 30_000 }, (_, index) =>
    index % 3 ? `${70_000 + index},product,,شاي` : `${70_000 + index},dish,Tea ${index},شاي`,
  );
  const file = join(folder, 'items.csv');
  await writeFile(file, [`id,${heading}`, ...rows].join('\n'));
  const command = ['item', 'import', file, '--company', '1', '--update'];
  const { code, stderr } = await runAdminProcess(database.env, ...command);
  expect(code).toBe(1);
  expect(stderr).toBe(
    [
      'item_type: must be product, modifier_group or modifier (10000 rows)',
      ...[2, 5, 8, 11, 14].map((line) => `  line ${line}, id ${69_998 + line}: "dish"`),
      'name_en: is required (20000 rows)',
      ...[3, 4, 6, 7, 9].map((line) => `  line ${line}, id ${69_998 + line}`),
      '--mistakes FILE writes all 30000 mistakes to a file.',
      'Nothing was changed. Correct the mistakes, then try again.\n',
    ].join('\n'),
  );

  const all = join(folder, 'all.csv');
  const json = await runAdminProcess(database.env, ...command, '--mistakes', all, '--json');
  expect(json).toMatchObject({ code: 1, stderr: '' });
  const { mistakes, kinds } = JSON.parse(json.stdout);
  expect(mistakes).toBe(30_000);
  expect(kinds).toEqual([
    expect.objectContaining({ column: 'item_type', rows: 10_000 }),
    expect.objectContaining({ column: 'name_en', mistake: 'is required', rows: 20_000 }),
  ]);
  expect(kinds[0].first[1]).toEqual({ line: 5, id: '70003', value: 'dish', mistake: kinds[0].mistake });
  const written = parse(await readFile(all, 'utf8'), { columns: true });
  expect(written).toHaveLength(30_000);
  expect(written[0]).toEqual({ line: '2', id: '70000', column: 'item_type', value: 'dish', mistake: kinds[0].mistake });

  const linked = join(folder, 'link to items.csv');
  await symlink(file, linked);
  for (const path of [file, linked]) {
    const replaced = await runAdminProcess(database.env, ...command, '--mistakes', path);
    expectRefusal(replaced, /^--mistakes would replace .*items\.csv, which is imported/);
  }
  expect(await readFile(file, 'utf8')).toContain('product,,شاي');
});

test('mistakes that the database finds are counted further, too, and texts with ids are of one kind', async () => {
  const rows = Array.from({ length: 12_000 }, (_, index) => `${900_000 + index},1,A,ا,${800_000 + index},`);
  const content = ['id,company_id,name_en,name_ar,city_id,service_ids', ...rows].join('\n');
  const { stderr } = await importFile('branch import branches.csv', content);
  expect(stderr).toBe(
    [
      'city_id: there is no such city (12000 rows)',
      ...[0, 1, 2, 3, 4].map((n) => `  line ${n + 2}, id ${900_000 + n}: there is no city ${800_000 + n}`),
      '--mistakes FILE writes all 12000 mistakes to a file.',
      'Nothing was changed. Correct the mistakes, then try again.\n',
    ].join('\n'),
  );
});

test('at most 40 lines are printed, with every kind', async () => {
  const kinds = {
    'id: must be a whole number from 1 to 2000000000': 'x,product,Tea,شاي',
    'id: is an item already; --update changes existing rows': '1,product,Tea,شاي',
    'id: is an item of another company': '12,product,Tea,شاي',
    'item_type: must be product, modifier_group or modifier': ',dish,Tea,شاي',
    'name_en: is required': ',product,,شاي',
    'name_en: must have visible characters and no control characters': ',product,\u2800,شاي',
    'name_en: must have 1 to 255 characters': `,product,${'x'.repeat(256)},شاي`,
    'name_ar: is required': ',product,Tea,',
    'the row has more or fewer cells than the heading': ',product',
    'is the same as an existing item; to add it, give it an id': ',Product,Fattoush,فتوش',
  };
  const rows = Object.values(kinds).flatMap((row) => Array(6).fill(row));
  const { stderr } = await importFile(items, [`id,${heading}`, ...rows].join('\n'));
  const lines = stderr.trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(40);
  for (const kind of Object.keys(kinds)) expect(lines).toContain(`${kind} (6 rows)`);
});

test('of 40 kinds, 37 are printed, and the others are counted', async () => {
  const lists = await useFolder();
  const long = 'x'.repeat(256);
  for (const [file, columns, invalid] of [
    ['countries.csv', 'id,short_code,dial_code', ',x,x'],
    ['cities.csv', 'id,code,country_id', ',x y,x'],
    ['services.csv', 'id,code', ',x y'],
  ] as const) {
    const empty = `1${invalid.replaceAll(/[^,]/g, '')},,`;
    const rows = [empty, `x${invalid},\u2800,\u2800`, `${invalid},${long},${long}`, `2${invalid},\uFFFD,\uFFFD`];
    await writeFile(join(lists, file), [`${columns},name_en,name_ar`, ...rows].join('\n'));
  }
  const { stderr } = await run('reference', 'import', lists);
  const lines = stderr.trimEnd().split('\n');
  expect(lines).toHaveLength(40);
  expect(lines[37]).toBe('and 3 more kinds of mistakes (3 rows)');
});

test.each([
  ['an unknown company', 'item import --company 999 items.csv', /^There is no company 999\./],
  ['a file that is not named after a list', 'reference import planets.csv', /^planets\.csv must be named after a list/],
])('%s is rejected', async (_what, command, says) => {
  expectRefusal(await importFile(command, heading), says);
});

test.each(['item', 'reference'])('a missing file of %s import is rejected', async (noun) => {
  expectRefusal(await run(noun, 'import', join(folder, 'none')), /none cannot be used: no such file/);
});
