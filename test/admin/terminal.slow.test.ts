import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { adminOf } from '../support/process.ts';
import { copyTemplate, use, useFolder } from '../support/test-app.ts';
import { runInTerminal } from './terminal.ts';

const database = use(await copyTemplate());
const folder = await useFolder();
const { print } = adminOf(database.env);

test('a list is an aligned table, even with Arabic vowel signs; an empty list says so', async () => {
  await print('partner', 'create', '--name', 'شَرِيكٌ', '--company', '1');
  const [heading = '', ...rows] = (await print('partner', 'list')).split('\n');
  expect(heading).toMatch(
    /^\| id \| name +\| live_tokens \| company_id \| company_name_en \| company_name_ar +\| susp/,
  );
  expect(rows).toHaveLength(4);
  const edges = (line: string) =>
    line.split('|').map((_, index, parts) => stringWidth(parts.slice(0, index).join('|')));
  for (const line of rows) expect(edges(line), line).toEqual(edges(heading));
  expect(await print('city', 'list', '--country', 'BV')).toBe('None.');
});

// `script` of util-linux, on Linux.
describe.runIf(process.platform === 'linux')('in a terminal', () => {
  test('an import of many rows shows how far it is, and then only what it did', async () => {
    const file = join(folder, 'items.csv');
    const rows = Array.from({ length: 20_000 }, (_, index) => `product,Dish ${index},طبق ${index}`);
    await writeFile(file, ['item_type,name_en,name_ar', ...rows].join('\n'));
    const { code, screen } = await runInTerminal(database.env, ['item', 'import', file, '--company', '1']);
    expect(code).toBe(0);
    // \x1b[K erases each state before the next one.
    expect(screen).toMatch(/\d+ of 20001 lines written/);
    const lines = screen.split('\r\n').map((line) => line.split('\x1b[K\r').at(-1));
    expect(lines.join('\n').trim()).toBe('20000 added, 0 changed, 0 unchanged');
    const exported = (await print('item', 'export', '--company', '1')).split('\n').slice(-rows.length);
    // Without the id, and without columns that the import leaves empty.
    expect(exported.map((line) => line.split(',').slice(1, 4).join())).toEqual(rows);
  });
});
