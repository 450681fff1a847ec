import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createAdmin, expectFailure } from '../support/process.ts';
import { useFolder } from '../support/test-app.ts';

const folder = await useFolder();
const { print, run } = createAdmin({ DATA_DIR: join(folder, 'data') });

test('items, their tags and reference lists are imported into the embedded database', async () => {
  const importFile = async (list: string, content: string, ...options: string[]) => {
    const file = join(folder, `${list}.csv`);
    await writeFile(file, content);
    return run('import', list, file, ...options);
  };
  await print('migrate');
  await print('seed', '--demo');
  const company = ['--company', '1'];
  const items = 'id,item_type,name_en,name_ar\n,modifier,Honey,عسل\n5000,product,Tea,شاي\n';
  expect((await importFile('items', items, ...company)).stdout).toBe('2 rows: 2 added, 0 changed\n');
  expect(await print('export', 'items', ...company)).toContain('\n5001,modifier,Honey,عسل');
  const tags = 'id,name_en,name_ar,item_ids\n7000,Hot drinks,,5000;7\n';
  expect((await importFile('tags', tags, ...company)).stdout).toContain('1 added, 0 changed, 2 linked');
  expect(await print('export', 'tags', ...company)).toContain('\n7000,Hot drinks,,7;5000');

  const cities = await print('export', 'cities');
  expect((await importFile('cities', cities, '--delete-missing', '0')).stdout).toMatch(
    /^\d+ rows: 0 added, 0 changed, 0 deleted\n$/,
  );
  const clashing = cities.replace(/saruh/, 'bhbah');
  expectFailure(await importFile('cities', clashing), /Key \(code\)=\(bhbah\) already exists/);

  const rows = Array.from({ length: 100_000 }, (_, index) => `${10_000 + index},product,Dish ${index},طبق ${index}`);
  const many = ['id,item_type,name_en,name_ar', ...rows, '1,x,A,ا'];
  expectFailure(await importFile('items', many.join('\n'), ...company), /^line 100002, item_type: must be/);
  const done = await importFile('items', many.slice(0, -1).join('\n'), ...company);
  expect(done.stdout).toBe('100000 rows: 100000 added, 0 changed\n');
});
