import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { getReferenceVersion } from '../../src/domain/reference/reference-data.ts';
import { seed } from '../../src/domain/reference/seed/seed.ts';
import { startApp, use } from '../support/test-app.ts';

const app = use(await startApp());

const tables = ['countries', 'cities', 'timezones', 'services', 'brand_types', 'cuisine_types', 'applications'];

const pathOf = (table: string) =>
  ['timezones', 'countries', 'cities', 'services'].includes(table) ? `/${table}` : `/lookups?${table}=-1`;
const readAll = () =>
  Promise.all(tables.map(async (table) => JSON.stringify((await app.client.rest('GET', pathOf(table))).body)));

// All lists change together, because each change takes time to appear.
test('rows that are inserted, renamed and deleted are seen in each list, also where they are nested', async () => {
  const nested = async () => {
    const { body } = await app.client.graphql('{ cities(countryId: 682) { country { nameEn } } }');
    return body.data.cities[0].country.nameEn;
  };
  const columnsOf = (table: string) =>
    ['timezones', 'applications'].includes(table) ? ['name'] : ['name_en', 'name_ar'];
  // For time zones, names that Intl knows and the shipped data lacks.
  const names = (table: string) => (table === 'timezones' ? ['Zulu', 'Universal'] : ['New one', 'Renamed one']);
  const shown = async (index: number) => {
    const bodies = await readAll();
    return tables.filter((table, at) => !bodies[at]?.includes(names(table)[index] as string));
  };
  const before = await readAll();
  expect(await nested()).toBe('Saudi Arabia');

  for (const table of tables) {
    // A copy of a row with different unique values.
    const named = Object.fromEntries(columnsOf(table).map((column) => [column, names(table)[0]]));
    const values = JSON.stringify({ id: 200_000, code: 'new', short_code: 'ZZ', ...named });
    await sql`insert into ${sql.table(table)} select (jsonb_populate_record(original, ${values}::jsonb)).*
      from ${sql.table(table)} as original limit 1`.execute(app.db);
  }
  await sql`update countries set name_en = 'KSA' where id = 682`.execute(app.db);
  await expect.poll(() => shown(0)).toEqual([]);
  expect(await nested()).toBe('KSA');

  for (const table of tables) {
    const assignments = columnsOf(table).map((column) => sql`${sql.ref(column)} = ${names(table)[1]}`);
    await sql`update ${sql.table(table)} set ${sql.join(assignments)} where id = 200000`.execute(app.db);
  }
  await expect.poll(() => shown(1)).toEqual([]);

  await sql`update countries set name_en = 'Saudi Arabia' where id = 682`.execute(app.db);
  for (const table of tables.toReversed()) await sql`delete from ${sql.table(table)} where id = 200000`.execute(app.db);
  await expect.poll(readAll).toEqual(before);
});

test('the version stays after statements that change nothing, and after a change that is rolled back', async () => {
  const version = await getReferenceVersion(app.db);
  await sql`update countries set name_en = 'Nowhere' where id = -1`.execute(app.db);
  await sql`delete from cities where id = -1`.execute(app.db);
  await seed(app.db);
  const change = app.db.transaction().execute(async (transaction) => {
    await sql`update countries set name_en = 'Nowhere' where id = 682`.execute(transaction);
    throw new Error('rolled back');
  });
  await expect(change).rejects.toThrow('rolled back');
  expect(await getReferenceVersion(app.db)).toBe(version);
});

test('the version is another after truncate', async () => {
  const version = await getReferenceVersion(app.db);
  await sql`truncate timezones`.execute(app.db);
  expect(await getReferenceVersion(app.db)).not.toBe(version);
  const timezones = async () => (await app.client.rest('GET', '/timezones')).body.timezones;
  await expect.poll(timezones).toEqual([]);
  await seed(app.db);
  await expect.poll(async () => (await timezones()).length).toBeGreaterThan(400);
});
