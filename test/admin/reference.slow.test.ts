import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Database } from '../../src/domain/tables.ts';
import { adminOf, expectRefusal } from '../support/process.ts';
import { referenceTables } from '../support/schema.ts';
import { copyTemplate, openDatabase, startApp, use, useFolder } from '../support/test-app.ts';

const database = use(await copyTemplate());
const app = use(await startApp(database.env));
const folder = await useFolder();

const { run, print, list } = adminOf(database.env);
const version = () => app.db.selectFrom('referenceVersion').select('version').executeTakeFirstOrThrow();
const ids = async (table: 'cities' | 'cuisineTypes') =>
  (await app.db.selectFrom(table).select('id').orderBy('id').execute()).map(({ id }) => id);

const partnerTables = [
  ...(['idempotencyKeys', 'branchServices', 'branches'] as const),
  ...(['productTags', 'items', 'partners', 'companies'] as const),
];

async function deletePartners(db: Database): Promise<void> {
  for (const table of partnerTables) await db.deleteFrom(table).execute();
}

async function importFile(name: string, content: string, ...options: string[]) {
  const file = join(folder, name);
  await writeFile(file, content);
  return run('reference', 'import', file, ...options);
}

test.each([
  ['csv', [], 'id,code,name_en,name_ar\n1,dine_in,Dine In,'],
  ['ndjson', ['--json'], '{"id":1,"code":"dine_in","name_en":"Dine In",'],
])('what export writes as %s, import reads without a change', async (format, options, start) => {
  const exported = join(folder, format);
  await print('reference', 'export', exported, ...options);
  expect(await readdir(exported)).toEqual(referenceTables.map((name) => `${name}.${format}`).toSorted());
  expect(await readFile(join(exported, `services.${format}`), 'utf8')).toContain(start);
  const before = await version();
  const { lists: counts } = await list('reference', 'import', exported, '--retire', '1');
  expect(counts.countries).toEqual({ added: 0, changed: 0, retired: 0, unchanged: 249 });
  for (const each of Object.values(counts)) expect(each).toMatchObject({ added: 0, changed: 0, retired: 0 });
  expect(await version()).toEqual(before);
});

test('entries are added, changed and retired together, and served within a second', async () => {
  const content = 'name_ar,id,name_en\nسعودي,1,Saudi cuisine\nنجدي,7001,"Najdi, of Riyadh"\n';
  const before = await ids('cuisineTypes');
  const trial = await importFile('cuisine_types.csv', content, '--retire', '99', '--dry-run');
  const counts = `cuisine_types: 1 added, 1 changed, ${before.length - 1} retired, 0 unchanged\n`;
  expect(trial).toMatchObject({ code: 0, stdout: `Nothing was written. It would be:\n${counts}` });
  const tooFew = await importFile('cuisine_types.csv', content, '--retire', String(before.length - 2));
  expectRefusal(tooFew, new RegExp(`^${before.length - 1} cuisine_types would be retired, and --retire allows`));
  const empty = await importFile('cuisine_types.csv', 'id,name_en,name_ar\n', '--retire', '99');
  expectRefusal(empty, /the file has no rows/);
  expect(await ids('cuisineTypes')).toEqual(before);
  expect(await importFile('cuisine_types.csv', content, '--retire', String(before.length - 1))).toEqual({
    code: 0,
    stdout: counts,
    stderr: '',
  });
  expect(await ids('cuisineTypes')).toEqual([1, 7001]);
  const served = async () => (await app.client.rest('GET', '/lookups?cuisine_types=1')).body.lookups;
  await expect.poll(served).toEqual([
    {
      cuisine_types: [
        { key: 'id', value: '1', name: 'Saudi cuisine' },
        { key: 'id', value: '7001', name: 'Najdi, of Riyadh' },
      ],
    },
  ]);
});

test('--previous brings back what an import of lists changed and retired', async () => {
  const before = join(folder, 'lists as they were');
  await print('reference', 'export', before);
  const edited = join(folder, 'edited lists');
  await mkdir(edited);
  const rows = (text: string) => text.trimEnd().split('\n');
  const textOf = (name: string) => readFile(join(before, name), 'utf8');
  const [heading, , ...brands] = rows(await textOf('brand_types.csv'));
  await writeFile(join(edited, 'brand_types.csv'), [heading, ...brands].join('\n'));
  await writeFile(join(edited, 'services.csv'), (await textOf('services.csv')).replace('Dine In', 'Dining'));
  await writeFile(join(edited, 'applications.csv'), await textOf('applications.csv'));
  const previous = join(folder, 'previous lists');
  const imported = await print('reference', 'import', edited, '--retire', '1', '--previous', previous);
  expect(imported).toMatch(new RegExp(` reference import '${previous}'$`));
  expect((await readdir(previous)).toSorted()).toEqual(['brand_types.csv', 'services.csv']);
  await print('reference', 'import', previous);
  const after = join(folder, 'lists after');
  await print('reference', 'export', after);
  for (const name of await readdir(before)) expect(await readFile(join(after, name), 'utf8')).toBe(await textOf(name));

  const again = join(folder, 'nothing');
  expect(await print('reference', 'import', after, '--previous', again)).toMatch(/ is not written: no row was/);
  expect(await readdir(folder)).not.toContain('nothing');
});

test('an entry that another row references stays, and the message names that row', async () => {
  const { id, countryId } = await app.db
    .selectFrom('cities')
    .select(['id', 'countryId'])
    .where('code', '=', 'saruh')
    .executeTakeFirstOrThrow();
  const country = 'id,short_code,dial_code,name_en,name_ar\n248,AX,+358,Åland,أولان\n';
  const trial = await importFile('countries.csv', country, '--retire', '249', '--dry-run');
  const kept = `countries ${countryId} \\(Saudi Arabia\\) stays: the row of cities with id \\d+ references it`;
  expect(trial.stdout).toMatch(new RegExp(`^${kept}$`, 'm'));
  const reason = /\(Riyadh\) stays: the row of companies with id 1 references it/;
  expectRefusal(await run('reference', 'retire', 'cities', String(id)), reason);
  expect(await ids('cities')).toContain(id);
});

test('the mistakes of all files are reported together', async () => {
  const lists = join(folder, 'mistaken');
  await mkdir(lists);
  const name = 'name_en,name_ar';
  await writeFile(join(lists, 'cities.csv'), `id,code,country_id,${name}\n1,saruh,5,A,ا\n1,b,682,B,ب\n`);
  await writeFile(join(lists, 'countries.csv'), `id,short_code,dial_code,${name}\n5,xx,+999,A,ا\n`);
  const told = (await run('reference', 'import', lists)).stderr.split('\n');
  expect(told.slice(0, -2)).toEqual([
    expect.stringContaining('countries.csv, short_code: must be'),
    '  line 2, id 5: "xx"',
    'cities.csv, code: is taken (1 row)',
    expect.stringMatching(/^ {2}line 2, id 1: saruh is taken: id \d+ has it$/),
    'cities.csv, id: is on an earlier line already (1 row)',
    '  line 3, id 1: 1 is on line 2 already',
  ]);
});

test('ids of another service replace the shipped ones, and entries exchange their codes', async () => {
  await using other = await copyTemplate();
  await using replica = await startApp(other.env);
  const lists = join(folder, 'other');
  await mkdir(lists);
  const write = (name: string, ...lines: string[]) => writeFile(join(lists, name), `${lines.join('\n')}\n`);
  await write('countries.csv', 'id,short_code,dial_code,name_en,name_ar', '1,SA,+966,Saudi Arabia,السعودية');
  await write('cities.csv', 'id,code,country_id,name_en,name_ar', '535,saruh,1,Riyadh,الرياض');
  await write('services.CSV', 'id,code,name_en,name_ar', '1,delivery,A,ا', '2,dine_in,B,ب');
  const importAll = () => adminOf(other.env).run('reference', 'import', lists, '--retire', '2000');
  expectRefusal(
    await importAll(),
    /countries\.csv, short_code: .*\n.*: SA is taken: countries 682 \(Saudi Arabia\) stays: the row of cities/,
  );

  await deletePartners(replica.db);
  expect(await importAll()).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      /countries: 1 added, 0 changed, 249 retired.*services: 0 added, 2 changed, 2 retired/s,
    ),
  });
  expect(await replica.db.selectFrom('cities').select(['id', 'countryId']).execute()).toEqual([
    { id: 535, countryId: 1 },
  ]);
});

test('single entries are set and retired', async () => {
  const set = ['reference', 'set', 'cuisine_types', '--id', '7002'];
  expectRefusal(await run(...set, '--name-en', 'Hijazi'), /the column name_ar is missing/);
  const added = await print(...set, '--name-en', 'Hijazi', '--name-ar', 'حجازي');
  expect(added).toBe('cuisine_types 7002 is added.');
  const again = ['reference', 'set', 'cuisine_types', '--id', '007002', '--name-en', 'Hejazi'];
  expect(await print(...again)).toBe('cuisine_types 7002 is changed.');
  expect(await print(...again)).toBe('cuisine_types 7002 is unchanged.');
  const row = await app.db.selectFrom('cuisineTypes').selectAll().where('id', '=', 7002).executeTakeFirst();
  expect(row).toEqual({ id: 7002, nameEn: 'Hejazi', nameAr: 'حجازي' });
  expectRefusal(await run(...set, '--code', 'x'), /unknown column "code"/);
  await print('reference', 'retire', 'cuisine_types', '7002');
  expectRefusal(await run('reference', 'retire', 'cuisine_types', '7002'), /has no id 7002/);
  const { id } = await app.db
    .insertInto('cuisineTypes')
    .values({ nameEn: 'A', nameAr: 'ا' })
    .returning('id')
    .executeTakeFirstOrThrow();
  expect(id).toBeGreaterThanOrEqual(100_000);
});

test('seed fills empty lists, samples with --demo only', async () => {
  await app.db.deleteFrom('brandTypes').execute();
  expect(await print('seed')).toBe('Reference data is up to date.');
  expect(await print('seed', '--demo')).toMatch(/^brand_types: \d+ added$/m);
});

test('seed --demo adds the demo partners that are missing, whatever an operator changed', async () => {
  await using other = await copyTemplate();
  await using edited = await startApp(other.env);
  const seed = () => adminOf(other.env).run('seed', '--demo');
  const partners = async () =>
    (await edited.db.selectFrom('partners').select('name').orderBy('id').execute()).map(({ name }) => name);
  await edited.db.updateTable('partners').set({ name: 'Own' }).where('name', '=', 'Demo Partner').execute();
  expect((await seed()).stdout).toBe('Demo Partner added\nReference data is up to date.\n');
  expect(await partners()).toEqual(['Own', 'Demo Neighbour', 'Demo Partner']);

  await deletePartners(edited.db);
  await edited.db.deleteFrom('cities').where('code', 'in', ['bhbah', 'aedxb']).execute();
  await edited.db.updateTable('services').set({ code: 'own' }).where('code', '=', 'curbside').execute();
  expect((await seed()).stdout.split('\n')).toEqual([
    'Demo Partner: the lists lack curbside, aedxb',
    'Demo Neighbour: the lists lack bhbah',
    ...['Demo Partner added', 'Reference data is up to date.', ''],
  ]);
  const branches = await edited.db.selectFrom('branches').select('nameEn').orderBy('id').execute();
  expect(branches.map(({ nameEn }) => nameEn)).toEqual(['Olaya', 'Corniche']);
  const log = await adminOf(other.env).list('log');
  expect(await seed()).toMatchObject({ code: 0 });
  expect(await adminOf(other.env).list('log')).toEqual(log);
});

test('without countries the service is not ready and says what to run', async () => {
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
    missing: 'countries: run npm run -s admin -- seed, or in the image: node dist/src/admin.js seed',
  });
  expect(empty.logLines.filter(({ msg }) => msg === 'the reference data is missing')).toHaveLength(1);
});
