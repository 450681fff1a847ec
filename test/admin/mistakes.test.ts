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

const items = 'item import --company 1 items.csv';
const heading = 'item_type,name_en,name_ar';
const product = 'product,Tea,شاي';
const tags = [
  { id: 1_000, name_en: 'ab', name_ar: null, item_ids: [1] },
  { id: 1_001, name_en: 'Name', name_ar: null, item_ids: [1, 999_999_999, 12] },
  { id: 1_001, name_en: 'Name', name_ar: 'اسم', item_ids: [10] },
  { id: 5, name_en: 'Name', name_ar: null, item_ids: ['x'] },
  { id: 1, name_en: 'Name', name_ar: null, item_ids: [1] },
];
const cities = 'id,code,country_id,name_en,name_ar';

test.each<[what: string, command: string, content: string | Buffer, mistakes: string[]]>([
  [
    'values',
    items,
    `${heading}\nproduct,a,ا\ndish,,ب\x07`,
    ['3, item_type: must be product', '3, name_en: is required', '3, name_ar: must have visible'],
  ],
  ['a length', items, `${heading}\nproduct,${'x'.repeat(256)},ا`, ['2, name_en: must have 1 to 255 characters']],
  [
    'line breaks within quotes',
    items,
    `${heading}\r\nproduct,"a\r\n\r\nb",ا\r\n\r\ndish,b,ب`,
    ['2, name_en: must have', '6, item_type: must be'],
  ],
  [
    'ids',
    items,
    `id,${heading}\nx,${product}\n0,${product}\n2147483647,${product}`,
    ['2, id: must be a whole number', '3, id: must be', '4, id: must be'],
  ],
  [
    'too few and too many cells',
    items,
    `${heading}\nproduct,a\n${product},x`,
    ['2: the row has 2 cells, the heading 3', '3: the row has 4'],
  ],
  ['an open quote', items, `${heading}\n${product}\nproduct,"a,ا\n${product}\n`, ['3: a quote is not']],
  ['a quote within a cell', items, `${heading}\nproduct,a "b",ا`, ['2: a quote is not closed, or one within a']],
  [
    'columns',
    items,
    'item_type,name_en,price\nproduct,a,1',
    ['1: the column name_ar is missing', '1: unknown column "price"'],
  ],
  ['a repeated column', items, `${heading},name_en\n${product},Tea`, ['1: the column name_en is repeated']],
  ['an empty file', items, '', ['1: the file is empty']],
  [
    'another encoding of one cell',
    items,
    Buffer.concat([Buffer.from(`${heading}\nproduct,a,`), Buffer.from([0xc8, 0xc9])]),
    ['2, name_ar: is not in UTF-8'],
  ],
  ['another encoding', items, Buffer.from(heading, 'utf16le'), ['1: the file is not in UTF-8']],
  [
    'a repeated id',
    items,
    `id,${heading}\n900,product,a,ا\n,${product}\n900,product,b,ب`,
    ['4, id: 900 is on line 2 already'],
  ],
  [
    "another company's id",
    items,
    `id,${heading}\n1,${product}\n12,${product}1`,
    ['2, id: 1 is an item already', '3, id: 12 is an item of another company (2)'],
  ],
  [
    'an existing item',
    items,
    `${heading}\n${product}\nproduct,Fattoush,فتوش`,
    ['3: is the same as item 4; to add it, give it an id'],
  ],
  [
    'a tagged product that becomes a modifier',
    'item import --company 1 --update items.csv',
    `id,${heading}\n2,modifier,Lamb,لحم\n1,modifier,Kabsa,كبسة`,
    ['3, item_type: 1 is tagged, so it stays a product'],
  ],
  [
    'tags',
    'tag import --company 1 tags.ndjson',
    tags.map((tag) => JSON.stringify(tag)).join('\n'),
    [
      '1, name_en: must have 3 to 50',
      '2, item_ids: not items of the company: 12, 999999999',
      '3, id: 1001 is on line 2 already',
      '3, item_ids: only products can be tagged. Not products: 10',
      '4, item_ids: must be text, a number or a list',
      '5, id: 1 is a tag already; --update changes existing rows',
    ],
  ],
  [
    'a tag that would lose its items because its line lacks them',
    'tag import --company 1 --update tags.ndjson',
    '{"id":1,"name_en":"Abc"}\n{"id":2,"name_en":"Abc","item_ids":[1]}',
    ['2: the column item_ids is missing on the first line'],
  ],
  [
    'companies',
    'company import companies.csv',
    'id,name_en,name_ar,city_id\n1,A,ا,535\n900,B,ب,999999',
    ['2, id: 1 is a company', '3, city_id: there is no city 999999'],
  ],
  [
    'branches',
    'branch import branches.csv',
    'id,company_id,name_en,name_ar,city_id,service_ids\n900,999999,A,ا,535,1;99\n901,1,A,ا,535,\n901,1,A,ا,535,',
    ['2, company_id: there is no company 999999', '2, service_ids: there is no service 99', '4, id: 901 is on line 3'],
  ],
  [
    'partners',
    'partner import partners.csv',
    'id,name,default_company_id\n900,Demo Partner,1\n901,New,1\n902,New,1\n903,Other,999999',
    [
      '2, name: Demo Partner is taken: id 1 has it',
      '3, name: New is taken: id 902 has it',
      '4, name: New is taken: id 901 has it',
      '5, default_company_id: there is no company 999999',
    ],
  ],
  [
    'tokens',
    'token import tokens.csv',
    'partner_id,token,expires_at\n1,0123456789abcdef,2027-02-30\n999999,0123456789abcdef,',
    ['2, expires_at: must be a date', '3, partner_id: there is no partner 999999'],
  ],
  [
    'a token without a heading, which is not shown',
    'token import tokens.csv',
    'secret-0123456789,1\n',
    ['1: the column partner_id is missing', '1: unknown column 1', '1: unknown column 2'],
  ],
  [
    'a token in malformed JSON, which is not shown',
    'token import tokens.ndjson',
    '{"partner_id":1,"token":"secret-0123456789"',
    ['1: is not a JSON object'],
  ],
  [
    'a city without its country',
    'reference import cities.csv',
    `${cities}\n1,new,5,New,جديد\n`,
    ['2, country_id: there is no country 5'],
  ],
  [
    'codes of other cities',
    'reference import cities.csv',
    `${cities}\n90000,saruh,682,A,ا\n90001,b,682,B,ب\n90002,b,682,B,ب\n`,
    ['2, code: saruh is taken: id', '3, code: b is taken: id 90002', '4, code: b is taken: id 90001'],
  ],
  [
    'values of a city',
    'reference import cities.csv',
    `${cities}\n90001,b c,682,B,ب\n90001,b,682,B,\n`,
    ['2, code: must be', '3, name_ar: is required'],
  ],
  [
    'a time zone',
    'reference import timezones.csv',
    'id,name\n1,Asia/Atlantis\n',
    ['2, name: must be an IANA time zone'],
  ],
  ['missing members in JSON', 'reference import timezones.ndjson', '\n{"id": 1}\n', ['2: the column name is missing']],
  [
    'values in JSON',
    'reference import brand_types.ndjson',
    '{"id": 1, "name_en": "A", "name_ar": "{ا" }\n{"id": "x", "name_en": {}, "name_ar": 5}',
    ['2, id: must be a whole number', '2, name_en: must be text'],
  ],
  [
    'lines that are not JSON',
    'reference import brand_types.json',
    '{"id":1,"name_en":"A","name_ar":"ا"}\nx\n{"id": 2,',
    ['2: is not', '3: is not'],
  ],
  [
    'a JSON array',
    'reference import brand_types.json',
    '[{"id": 1, "name_en": "A", "name_ar": "ا"}]',
    ['1: the file is a JSON array'],
  ],
])('%s: each mistake is reported with its line, and nothing is imported', async (_what, command, content, mistakes) => {
  const rejected = await importFile(command, content);
  expectRefusal(rejected, /\nNothing was changed\. .*\n$/);
  expect(rejected.stderr.split('\n').slice(0, -2)).toEqual(
    mistakes.map((start) => expect.stringContaining(`line ${start}`)),
  );
  expect(rejected.stderr).not.toContain('secret');
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
