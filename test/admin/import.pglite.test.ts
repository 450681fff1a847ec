import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { adminOf, spawnAdmin } from '../support/process.ts';
import { useFolder } from '../support/test-app.ts';

const folder = await useFolder();
const env = { DATA_DIR: join(folder, 'data') };
const { print } = adminOf(env);

test('items, their tags and reference lists are imported into the embedded database', async () => {
  const importFile = async (noun: 'item' | 'tag', content: string) => {
    const file = join(folder, `${noun}.csv`);
    await writeFile(file, content);
    return print(noun, 'import', file, '--company', '1');
  };
  await print('migrate');
  await print('seed', '--demo');

  const items = 'id,item_type,name_en,name_ar\n,modifier,Honey,عسل\n5000,product,Tea,شاي\n';
  expect(await importFile('item', items)).toBe('2 added, 0 changed, 0 unchanged');
  expect(await importFile('tag', 'id,name_en,name_ar,item_ids\n7000,Hot drinks,,5000;7\n')).toBe(
    '1 added, 0 changed, 0 unchanged, 2 links',
  );
  expect(await print('tag', 'export', '--company', '1')).toContain('\n7000,Hot drinks,,7;5000');
  expect(await print('item', 'export', '--company', '1')).toContain('\n5001,modifier,Honey,عسل');

  await print('reference', 'export', folder);
  expect(await print('reference', 'import', join(folder, 'cities.csv'), '--retire', '1')).toMatch(
    /^cities: 0 added, 0 changed, 0 retired, \d+ unchanged$/,
  );
});

test.skipIf(process.platform === 'win32')('Ctrl-C half way leaves nothing, and a folder that opens', async () => {
  const before = await print('item', 'export', '--company', '1');
  const rows = Array.from({ length: 100_000 }, (_, index) => `product,Dish ${index},طبق ${index}`);
  const file = join(folder, 'many.csv');
  await writeFile(file, ['item_type,name_en,name_ar', ...rows].join('\n'));
  const child = spawnAdmin(env, ['item', 'import', file, '--company', '1']);
  await expect.poll(() => existsSync(join(env.DATA_DIR, 'lock')), { interval: 5 }).toBe(true);
  await setTimeout(1_500);
  expect(await child.end('SIGINT')).toBeNull();
  expect(await print('item', 'export', '--company', '1')).toBe(before);
});
