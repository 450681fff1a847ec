import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { adminOf, expectRefusal } from '../support/process.ts';
import { copyTemplate, use, useFolder } from '../support/test-app.ts';

// The embedded database works in this process, so that the CPU time of an import includes its SQL.
const database = use(await copyTemplate());
const folder = await useFolder();
const { run } = adminOf(database.env);

const rows = 20_000;
const headings = { item: 'id,company_id,item_type,name_en,name_ar', tag: 'id,company_id,name_en,item_ids' };
type Noun = keyof typeof headings;

const item = (index: number, { id = 100_000 + index, company = 1, type = 'product' } = {}) =>
  `${id || ''},${company},${type},Dish ${index},طبق ${index}`;
const tag = (index: number, { id = 200_000 + index, company = 1, itemId = 100_000 + index } = {}) =>
  `${id},${company},Tag ${index},${itemId}`;

/** Imports a file of such lines, and measures the CPU time in ms. */
async function importFile(noun: Noun, lineOf: (index: number) => string, ...options: string[]) {
  const file = join(folder, `${noun}.csv`);
  await writeFile(file, [headings[noun], ...Array.from({ length: rows }, (_, index) => lineOf(index))].join('\n'));
  const start = process.cpuUsage();
  const result = await run(noun, 'import', file, ...options);
  const { user, system } = process.cpuUsage(start);
  return { ...result, cpu: (user + system) / 1_000 };
}

const right: Record<Noun, number> = { item: 0, tag: 0 };
beforeAll(async () => {
  for (const [noun, lineOf] of [
    ['item', item],
    ['tag', tag],
  ] as const) {
    const { stdout, cpu } = await importFile(noun, (index) => lineOf(index));
    expect(stdout).toMatch(/^20000 added, /);
    right[noun] = cpu;
  }
});

// Without the rule for the number of a tag's items: 20,000 tags with too many are a gigabyte.
test.each<[says: string, noun: Noun, lineOf: (index: number) => string, ...options: string[]]>([
  ['is on an earlier line already', 'item', (index) => item(index, { id: 900_000 })],
  ['is an item already', 'item', (index) => item(index)],
  ['is an item of another company', 'item', (index) => item(index, { company: 2 })],
  ['there is no such company', 'item', (index) => item(index, { id: 300_000 + index, company: 999 })],
  ['is tagged, so it stays a product', 'item', (index) => item(index, { type: 'modifier' }), '--update'],
  ['is the same as an existing item', 'item', (index) => item(index, { id: 0 })],
  ['is the same as an earlier line', 'item', () => item(900_000, { id: 0 })],
  ['is on an earlier line already', 'tag', (index) => tag(index, { id: 900_000 })],
  ['is a tag already', 'tag', (index) => tag(index)],
  ['is a tag of another company', 'tag', (index) => tag(index, { company: 2 })],
  ['there is no such company', 'tag', (index) => tag(index, { id: 300_000 + index, company: 999 })],
  ['has ids that are not items of the company', 'tag', (index) => tag(index, { id: 300_000 + index, itemId: 999_999 })],
  ['only products can be tagged', 'tag', (index) => tag(index, { id: 300_000 + index, itemId: 10 })],
])(
  'a file whose every row "%s" takes at most three times as long as a right one (%s)',
  async (says, noun, lineOf, ...options) => {
    const { cpu, ...result } = await importFile(noun, lineOf, ...options);
    expectRefusal(result, new RegExp(`${says}.* \\((19999|20000) rows\\)`));
    expect(cpu).toBeLessThan(3 * right[noun]);
  },
);
