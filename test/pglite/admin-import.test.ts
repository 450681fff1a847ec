import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useFolder } from '../support/app.ts';
import { runAdmin } from '../support/process.ts';

const folder = await useFolder();

test('items, their tags and reference lists are imported into the embedded database', async () => {
  const admin = async (...args: string[]) => {
    const { code, stdout, stderr } = await runAdmin({ DATA_DIR: join(folder, 'data') }, ...args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout;
  };
  const importFile = async (noun: 'item' | 'tag', content: string) => {
    const file = join(folder, `${noun}.csv`);
    await writeFile(file, content);
    return admin(noun, 'import', file, '--company', '1');
  };
  await admin('migrate');
  await admin('seed', '--demo');

  const items = 'id,item_type,name_en,name_ar\n5000,product,Tea,شاي\n,modifier,Honey,عسل\n';
  expect(await importFile('item', items)).toBe('Imported: 2 added, 0 changed, 0 unchanged.\n');
  expect(await importFile('tag', 'id,name_en,name_ar,item_ids\n7000,Hot drinks,,5000;7\n')).toBe(
    'Imported: 1 tags with 2 links.\n',
  );
  expect(await admin('tag', 'export', '--company', '1')).toContain('\n7000,Hot drinks,,7;5000\n');
  expect(await admin('item', 'export', '--company', '1')).toContain('\n5001,modifier,Honey,عسل\n');

  await admin('reference', 'export', folder);
  expect(await admin('reference', 'import', join(folder, 'cities.csv'), '--retire')).toMatch(
    /^cities: 0 added, 0 changed, 0 retired, \d+ unchanged\n$/,
  );
});
