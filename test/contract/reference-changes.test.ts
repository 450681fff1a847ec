import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { getReferenceVersion } from '../../src/domain/reference/reference-data.ts';
import { seed } from '../../src/domain/reference/seed/seed.ts';
import { lookupTables, referenceTables } from '../support/schema.ts';
import { startApp, use } from '../support/test-app.ts';

const app = use(await startApp());

const read = async (table: string) =>
  lookupTables.includes(table)
    ? app.client.graphql(`{ lookups(key: ${table.toUpperCase()}) { value name } }`)
    : app.client.rest('GET', `/${table}`);
const readAll = () => Promise.all(referenceTables.map(async (table) => JSON.stringify((await read(table)).body)));

// All lists change together, because each change takes time to appear.
test('inserted, renamed and deleted rows are reflected in every list and nested field', async () => {
  const nested = async () => {
    const { body } = await app.client.graphql('{ cities(countryId: 682) { country { nameEn } } }');
    return body.data.cities[0].country.nameEn;
  };
  const listColumns = (table: string) =>
    ['timezones', 'applications'].includes(table) ? ['name'] : ['name_en', 'name_ar'];
  // For time zones, names that Intl knows and the shipped data lacks.
  const names = (table: string) => (table === 'timezones' ? ['Zulu', 'Universal'] : ['New one', 'Renamed one']);
  const shown = async (index: number) => {
    const bodies = await readAll();
    return referenceTables.filter((table, at) => !bodies[at]?.includes(names(table)[index] as string));
  };
  const before = await readAll();
  expect(await nested()).toBe('Saudi Arabia');

  for (const table of referenceTables) {
    // A copy of a row with different unique values.
    const named = Object.fromEntries(listColumns(table).map((column) => [column, names(table)[0]]));
    const values = JSON.stringify({ id: 200_000, code: 'new', short_code: 'ZZ', ...named });
    await sql`insert into ${sql.table(table)} select (jsonb_populate_record(original, ${values}::jsonb)).*
      from ${sql.table(table)} as original limit 1`.execute(app.db);
  }
  await sql`update countries set name_en = 'KSA' where id = 682`.execute(app.db);
  await expect.poll(() => shown(0)).toEqual([]);
  expect(await nested()).toBe('KSA');

  for (const table of referenceTables) {
    const assignments = listColumns(table).map((column) => sql`${sql.ref(column)} = ${names(table)[1]}`);
    await sql`update ${sql.table(table)} set ${sql.join(assignments)} where id = 200000`.execute(app.db);
  }
  await expect.poll(() => shown(1)).toEqual([]);

  await sql`update countries set name_en = 'Saudi Arabia' where id = 682`.execute(app.db);
  for (const table of referenceTables) await sql`delete from ${sql.table(table)} where id = 200000`.execute(app.db);
  await expect.poll(readAll).toEqual(before);
});

test('the version does not change with ineffective statements or rollbacks', async () => {
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

test('truncate changes the version', async () => {
  const version = await getReferenceVersion(app.db);
  await sql`truncate timezones`.execute(app.db);
  expect(await getReferenceVersion(app.db)).not.toBe(version);
  const timezones = async () => (await app.client.rest('GET', '/timezones')).body.timezones;
  await expect.poll(timezones).toEqual([]);
  await seed(app.db);
  await expect.poll(async () => (await timezones()).length).toBeGreaterThan(400);
});

test('cities and countries with equal names sort by id', async () => {
  const ids = [900_003, 900_001, 900_004, 900_002];
  for (const id of ids) {
    await sql`insert into countries (id, short_code, dial_code, name_en, name_ar)
      values (${id}, ${`X${'ABCDE'[id % 10]}`}, '+1', 'Twin', 'توأم')`.execute(app.db);
    await sql`insert into cities (id, code, country_id, name_en, name_ar)
      values (${id}, ${`twin-${id}`}, 682, 'Twin', 'توأم')`.execute(app.db);
  }
  const twins = async (path: string, language: string): Promise<number[]> => {
    const { body } = await app.client.rest('GET', `/${path}`, { language });
    return body[path].flatMap(({ id, name_en }: { id: number; name_en: string }) => (name_en === 'Twin' ? [id] : []));
  };
  await expect.poll(async () => (await twins('cities', 'en')).length).toBe(4);
  for (const path of ['cities', 'countries'])
    for (const language of ['en', 'ar']) expect(await twins(path, language)).toEqual(ids.toSorted());
  for (const table of ['cities', 'countries'])
    await sql`delete from ${sql.table(table)} where id > 900000`.execute(app.db);
});

test('a stored time zone unknown to Node is omitted, and logged once', async () => {
  const logged = () => app.logLines.filter(({ timezones }) => timezones);
  const get = async () => (await app.client.rest('GET', '/timezones')).body.timezones as { id: number }[];
  const before = await get();
  for (const [id, name] of [
    [900_001, 'Mars/Olympus'],
    [900_002, 'Zulu'],
  ]) {
    await sql`insert into timezones (id, name) values (${id}, ${name})`.execute(app.db);
  }
  const known = expect.objectContaining({ id: 900_002, utc_offset: '+00:00' });
  await expect.poll(get).toEqual([...before, known]);
  const { body } = await app.client.graphql('{ timezones { id utcOffset } }');
  expect(body.data.timezones).toHaveLength(before.length + 1);
  await sql`delete from timezones where id = 900002`.execute(app.db);
  await expect.poll(get).toEqual(before);
  expect(logged()).toMatchObject([{ level: 40, timezones: ['Mars/Olympus'] }]);
  await sql`delete from timezones where id = 900001`.execute(app.db);
});
