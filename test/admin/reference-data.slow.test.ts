import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Database } from '../../src/domain/tables.ts';
import { createAdmin, expectFailure } from '../support/process.ts';
import { referenceTables } from '../support/schema.ts';
import { copyTemplate, openDatabase, startApp, use, useFolder } from '../support/test-app.ts';

const database = use(await copyTemplate());
const app = use(await startApp(database.env));
const folder = await useFolder();
const { run, print, list } = createAdmin(database.env);
const partnerTables = [
  ...(['idempotencyKeys', 'branchServices', 'branches'] as const),
  ...(['productTags', 'items', 'partners', 'companies'] as const),
];

async function deletePartners(db: Database): Promise<void> {
  for (const table of partnerTables) await db.deleteFrom(table).execute();
}

test('an import adds, changes and deletes entries, which are served within a second', async () => {
  const file = join(folder, 'cuisine_types.csv');
  await writeFile(file, 'name_ar,id,name_en\nسعودي,1,Saudi cuisine\nنجدي,7001,"Najdi, of Riyadh"\n');
  const before = (await app.db.selectFrom('cuisineTypes').select('id').execute()).length;
  expect(await print('import', 'cuisine_types', file, '--delete-missing', String(before - 1))).toBe(
    `2 rows: 1 added, 1 changed, ${before - 1} deleted`,
  );
  const served = async () => {
    const { body } = await app.client.rest('GET', '/lookups?cuisine_types=1');
    return body.lookups[0].cuisine_types.map((entry: Record<string, string>) => `${entry.value} ${entry.name}`);
  };
  await expect.poll(served).toEqual(['1 Saudi cuisine', '7001 Najdi, of Riyadh']);
});

test('importing an export changes nothing, for every list', async () => {
  const version = () => app.db.selectFrom('referenceVersion').select('version').executeTakeFirstOrThrow();
  const before = await version();
  for (const name of referenceTables) {
    const file = join(folder, `${name}.csv`);
    await writeFile(file, await print('export', name));
    expect(await list('import', name, file, '--delete-missing', '0')).toMatchObject({ added: 0, changed: 0 });
  }
  expect(await version()).toEqual(before);
});

test('entries can exchange their codes, and referenced entries cannot be deleted', async () => {
  const file = join(folder, 'services.csv');
  await writeFile(file, 'id,code,name_en,name_ar\n1,delivery,A,ا\n2,dine_in,B,ب\n');
  expect(await print('import', 'services', file)).toBe('2 rows: 0 added, 2 changed');
  expectFailure(
    await run('import', 'services', file, '--delete-missing', '9'),
    /Key \(id\)=\(\d\) is still referenced from table "branch_services"/,
  );
});

test('seed fills empty lists, samples with --demo only', async () => {
  await app.db.deleteFrom('brandTypes').execute();
  expect(await print('seed')).toBe('Reference data is up to date.');
  expect(await print('seed', '--demo')).toMatch(/^brand_types: \d+ added$/m);
});

test('seed --demo adds missing demo partners and keeps changes of operators', async () => {
  await using other = await copyTemplate();
  await using edited = await startApp(other.env);
  const seed = () => createAdmin(other.env).run('seed', '--demo');
  const partners = async () =>
    (await edited.db.selectFrom('partners').select('name').orderBy('id').execute()).map(({ name }) => name);
  await edited.db.updateTable('partners').set({ name: 'Own' }).where('name', '=', 'Demo Partner').execute();
  expect((await seed()).stdout).toBe('Demo Partner added\nReference data is up to date.\n');
  expect(await partners()).toEqual(['Own', 'Demo Neighbour', 'Demo Partner']);

  await deletePartners(edited.db);
  await edited.db.deleteFrom('cities').where('code', 'in', ['bhbah', 'aedxb']).execute();
  await edited.db.updateTable('services').set({ code: 'own' }).where('code', '=', 'curbside').execute();
  expect((await seed()).stdout.split('\n')).toEqual([
    'Branches or services of Demo Partner skipped: the lists have no curbside, aedxb',
    'Demo Neighbour skipped: the lists have no bhbah',
    ...['Demo Partner added', 'Reference data is up to date.', ''],
  ]);
  const branches = await edited.db.selectFrom('branches').select('nameEn').orderBy('id').execute();
  expect(branches.map(({ nameEn }) => nameEn)).toEqual(['Olaya', 'Corniche']);
  const log = await createAdmin(other.env).list('log');
  expect(await seed()).toMatchObject({ code: 0 });
  expect(await createAdmin(other.env).list('log')).toEqual(log);
});

test('without countries the service is not ready and logs the seed command', async () => {
  await using copy = await copyTemplate();
  {
    await using edited = await openDatabase(copy.env);
    await deletePartners(edited.db);
    await edited.db.deleteFrom('cities').execute();
    await edited.db.deleteFrom('countries').execute();
  }
  await using empty = await startApp(copy.env);
  expect((await empty.client.fetch('GET', '/readyz')).body).toEqual({
    status: 'not ready',
    missing: 'countries. Run npm run -s admin -- seed, or in the image: node dist/src/admin.js seed',
  });
  expect(empty.logLines.filter(({ msg }) => msg === 'not ready: no reference data')).toHaveLength(1);
});
