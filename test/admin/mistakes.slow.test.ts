import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminOf, expectRefusal } from '../support/process.ts';
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
async function importFile(command: string, content: string | Buffer) {
  const words = command.split(' ');
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
      ['900,product,b,ب', '900 is on line 13 already'],
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
      [
        '{"id":1001,"name_en":"Name","item_ids":[10]}',
        'id: 1001 is on line 2 already',
        'item_ids: only products can be tagged. Not products: 10',
      ],
      ['{"id":5,"name_en":"Name","item_ids":["x"]}', 'item_ids: must be text, a number or a list'],
      ['{"id":1,"name_en":"Name","item_ids":[1]}', 'id: 1 is a tag already; --update changes existing rows'],
    ],
  ],
  [
    // A tag must not lose its items because its line lacks them.
    'tag import --company 1 --update tags.ndjson',
    [
      ['{"id":1,"name_en":"Abc"}'],
      ['{"id":2,"name_en":"Abc","item_ids":[1]}', 'the column item_ids is missing on the first line'],
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
      ['{"id":"x","name_en":{},"name_ar":5}', 'id: must be a whole number', 'name_en: must be text'],
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
  const rejected = await importFile(command, lines.map(([line]) => line).join('\r\n'));
  expectRefusal(rejected, /\nNothing was changed\. .*\n$/);
  const reported = rejected.stderr.split('\n').slice(0, -2);
  expect(reported.map((each) => /line (\d+)(?:, |: )(.*)/.exec(each)?.slice(1))).toEqual(expected);
  expect(rejected.stderr).not.toContain('secret');
});

test.each<[what: string, content: Buffer, says: RegExp]>([
  ['a file', Buffer.from(heading, 'utf16le'), /^line 1: the file is not in UTF-8/],
  [
    'a cell',
    Buffer.concat([Buffer.from(`${heading}\nproduct,a,`), Buffer.from([0xc8, 0xc9])]),
    /^line 2, name_ar: is not in UTF-8/,
  ],
])('%s in another encoding is rejected', async (_what, content, says) => {
  expectRefusal(await importFile(items, content), says);
});

test('the first 20 of many mistakes are listed, in order', async () => {
  const rows = Array.from({ length: 30 }, (_, index) => (index % 2 ? 'product,,شاي' : `dish,Tea ${index},شاي`));
  const { stderr } = await importFile(items, [heading, ...rows].join('\n'));
  const lines = stderr.split('\n').filter((line) => line.startsWith('line '));
  expect(lines.map((line) => Number(/\d+/.exec(line)))).toEqual(Array.from({ length: 20 }, (_, index) => index + 2));
  expect(stderr).toContain('\nand 10 more\n');
});

test.each([
  ['an unknown company', 'item import --company 999 items.csv', /^There is no company 999\./],
  ['a file that is not named after a list', 'reference import planets.csv', /^planets\.csv must be named after a list/],
])('%s is rejected', async (_what, command, says) => {
  expectRefusal(await importFile(command, heading), says);
});

test.each(['item', 'reference'])('a missing file of %s import is rejected', async (noun) => {
  expectRefusal(await run(noun, 'import', join(folder, 'none')), /none cannot be used: ENOENT/);
});
