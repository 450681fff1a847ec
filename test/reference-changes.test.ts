import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { getReferenceVersion } from '../src/domain/reference/reference-data.ts';
import { seedReferenceData } from '../src/domain/reference/seed/reference.ts';
import { startApp, use } from './support/app.ts';

const app = use(await startApp());

/** Changes appear within a second; the rest is time for a busy machine. */
const reads = {
  countries: () => app.client.rest('GET', '/countries'),
  cities: () => app.client.rest('GET', '/cities'),
  timezones: () => app.client.rest('GET', '/timezones'),
  services: () => app.client.rest('GET', '/services'),
  brand_types: () => app.client.rest('GET', '/lookups?brand_types=-1'),
  cuisine_types: () => app.client.rest('GET', '/lookups?cuisine_types=-1'),
  applications: () => app.client.rest('GET', '/lookups?applications=-1'),
};

test('what has been read is not read again, on either surface, in either language', async () => {
  for (const read of Object.values(reads)) await read();
  app.statements.splice(0);
  for (const read of Object.values(reads)) await read();
  for (const language of ['en', 'ar']) {
    const document = '{ countries { name } cities(countryId: 682) { name country { nameEn } } services { name } }';
    expect((await app.client.graphql(document, {}, { language })).body.errors).toBeUndefined();
  }
  expect(app.statements).toEqual([]);
});

describe('a change is seen', () => {
  test.each(Object.keys(reads) as (keyof typeof reads)[])('of %s: inserted, renamed, deleted', async (table) => {
    const read = async () => JSON.stringify((await reads[table]()).body);
    const before = await read();
    // Of a time zone, names that Intl knows and the shipped data does not have.
    const [name, renamed] = table === 'timezones' ? ['Zulu', 'Universal'] : ['New one', 'Renamed one'];
    const columns = ['timezones', 'applications'].includes(table) ? ['name'] : ['name_en', 'name_ar'];
    // A copy of a row, but for what is unique.
    const copy = sql`insert into ${sql.table(table)} select (jsonb_populate_record(original, ${JSON.stringify({
      id: 200_000,
      code: 'new',
      short_code: 'ZZ',
      ...Object.fromEntries(columns.map((column) => [column, name])),
    })}::jsonb)).* from ${sql.table(table)} as original limit 1`;
    await copy.execute(app.db);
    await expect.poll(read).toContain(name);

    const assignments = columns.map((column) => sql`${sql.ref(column)} = ${renamed}`);
    await sql`update ${sql.table(table)} set ${sql.join(assignments)} where id = 200000`.execute(app.db);
    await expect.poll(read).toContain(renamed);

    await sql`delete from ${sql.table(table)} where id = 200000`.execute(app.db);
    await expect.poll(read).toBe(before);
  });

  test('where reference data is nested in what belongs to a partner', async () => {
    const document = '{ cities(countryId: 682) { country { nameEn } } }';
    const read = async () => (await app.client.graphql(document)).body.data.cities[0].country.nameEn;
    expect(await read()).toBe('Saudi Arabia');
    await sql`update countries set name_en = 'KSA' where id = 682`.execute(app.db);
    await expect.poll(read).toBe('KSA');
    await sql`update countries set name_en = 'Saudi Arabia' where id = 682`.execute(app.db);
    await expect.poll(read).toBe('Saudi Arabia');
  });
});

describe('the version', () => {
  test('is the same after a statement that changes nothing', async () => {
    const version = await getReferenceVersion(app.db);
    await sql`update countries set name_en = 'Nowhere' where id = -1`.execute(app.db);
    await sql`delete from cities where id = -1`.execute(app.db);
    await seedReferenceData(app.db);
    expect(await getReferenceVersion(app.db)).toBe(version);
  });

  test('is the same after a change that is rolled back', async () => {
    const version = await getReferenceVersion(app.db);
    const change = app.db.transaction().execute(async (transaction) => {
      await sql`update countries set name_en = 'Nowhere' where id = 682`.execute(transaction);
      throw new Error('rolled back');
    });
    await expect(change).rejects.toThrow('rolled back');
    expect(await getReferenceVersion(app.db)).toBe(version);
  });

  test('is another after truncate', async () => {
    const version = await getReferenceVersion(app.db);
    await sql`truncate timezones`.execute(app.db);
    expect(await getReferenceVersion(app.db)).not.toBe(version);
    await expect.poll(async () => (await reads.timezones()).body).toEqual({ timezones: [] });
    await seedReferenceData(app.db);
    await expect.poll(async () => (await reads.timezones()).body.timezones.length).toBeGreaterThan(400);
  });
});

test('ten times the rows are read by the same statements', async () => {
  const statements = async () => {
    await using fresh = await startApp();
    await sql`insert into cuisine_types (name_en, name_ar)
      select name_en, name_ar from cuisine_types, generate_series(1, 9)`.execute(fresh.db);
    fresh.statements.splice(0);
    await fresh.client.rest('GET', '/lookups?cuisine_types=-1');
    return fresh.statements.filter((text) => text.includes('cuisine_types'));
  };
  expect(await statements()).toHaveLength(1);
});
