import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { referenceListNames, toFileFormat } from '../../src/domain/reference/lists.ts';
import { seed } from '../../src/domain/reference/seed/seed.ts';
import type { LocalizedName } from '../../src/kernel/localization/locale.ts';
import { untilWaiting } from '../support/locks.ts';
import { startApp, use } from '../support/test-app.ts';

const app = use(await startApp());

describe('countries', () => {
  // CLDR also names exceptional reservations, unions and private use codes, which are not in ISO 3166-1.
  const notCountries = 'AC CP CQ DG EA EU EZ IC QO TA UN XA XB XK ZZ'.split(' ');

  test('are the 249 of ISO 3166-1', async () => {
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
    const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
    const codes = letters
      .flatMap((first) => letters.map((second) => first + second))
      .filter((code) => names.of(code) !== undefined && new Intl.Locale(`und-${code}`).region === code)
      .filter((code) => !notCountries.includes(code));
    const rows = await app.db.selectFrom('countries').select('shortCode').execute();
    expect(rows.map((row) => row.shortCode).toSorted()).toEqual(codes);
    expect(rows).toHaveLength(249);
  });

  test('have the names of CLDR in both languages', async () => {
    const english = new Intl.DisplayNames('en', { type: 'region' });
    const arabic = new Intl.DisplayNames('ar', { type: 'region' });
    const rows = await app.db.selectFrom('countries').select(['shortCode', 'nameEn', 'nameAr']).execute();
    const named = (shortCode: string) => ({ shortCode, nameEn: english.of(shortCode), nameAr: arabic.of(shortCode) });
    expect(rows).toEqual(rows.map(({ shortCode }) => named(shortCode)));
  });

  test('have their dial codes', async () => {
    const known = {
      SA: '+966',
      AE: '+971',
      KW: '+965',
      BH: '+973',
      EG: '+20',
      IN: '+91',
      GB: '+44',
      US: '+1',
      CA: '+1',
    };
    const rows = await app.db.selectFrom('countries').select(['shortCode', 'dialCode']).execute();
    expect(Object.fromEntries(rows.map(({ shortCode, dialCode }) => [shortCode, dialCode]))).toMatchObject(known);
  });
});

test('every time zone of Intl exists, by its name or an alias', async () => {
  const { body } = await app.client.rest('GET', '/timezones');
  const canonical = (timeZone: string) => new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
  const present = (body.timezones as { name: string }[]).map(({ name }) => canonical(name));
  expect(Intl.supportedValuesOf('timeZone').filter((name) => !present.includes(canonical(name)))).toEqual([]);
  expect(new Set(present).size).toBe(present.length);
});

test('there are several hundred cities, including the largest of the region', async () => {
  const cities = (await app.db.selectFrom('cities').select('nameEn').execute()).map(({ nameEn }) => nameEn);
  expect(cities.length).toBeGreaterThanOrEqual(300);
  const saudi = ['Riyadh', 'Jeddah', 'Mecca', 'Medina', 'Dammam'];
  const largest = [...saudi, 'Dubai', 'Abu Dhabi', 'Doha', 'Manama', 'Muscat', 'Cairo'];
  expect(cities.filter((city) => largest.includes(city)).toSorted()).toEqual(largest.toSorted());
});

test.each(referenceListNames.filter((list) => 'name_ar' in toFileFormat(list).columns))(
  '%s have names in the script of the language',
  async (table) => {
    const { rows } = await sql<LocalizedName>`select name_en, name_ar from ${sql.table(table)}`.execute(app.db);
    expect(rows).not.toEqual([]);
    const is = (script: RegExp, other: RegExp, name: string) => script.test(name) && !other.test(name);
    const [arabic, latin] = [/\p{Script=Arabic}/u, /\p{Script=Latin}/u];
    expect(rows.filter((row) => !is(arabic, latin, row.nameAr) || !is(latin, arabic, row.nameEn))).toEqual([]);
  },
);

test('seed keeps changed and deleted rows; --update adds missing ones and reports conflicts', async () => {
  const list = () => app.db.selectFrom('cities').selectAll().orderBy('id').execute();
  const shipped = await list();
  type City = (typeof shipped)[number];
  const [first, second, third] = shipped.slice(10) as [City, City, City];
  await app.db.updateTable('cities').set({ nameEn: 'Elsewhere' }).where('id', '=', first.id).execute();
  await app.db.deleteFrom('cities').where('id', 'in', [second.id, third.id]).execute();
  const own = { id: 150_000, code: third.code, countryId: third.countryId, nameEn: 'Own', nameAr: 'خاص' };
  await app.db.insertInto('cities').values(own).execute();
  const before = await list();
  expect(await seed(app.db)).toEqual({ added: {}, skipped: [], partners: [] });
  expect(await list()).toEqual(before);
  await expect(seed(app.db, { update: 'cities' })).rejects.toMatchObject({
    detail: `Key (code)=(${third.code}) already exists.`,
  });
  await app.db.updateTable('cities').set({ id: third.id }).where('id', '=', own.id).execute();
  expect((await seed(app.db, { update: 'cities' })).added).toEqual({ cities: 1 });
  expect((await list()).map((city) => city.id)).toEqual(shipped.map((city) => city.id));
});

test('a change during a read of the lists is visible in all of them or none', async () => {
  await using changed = await startApp();
  const country = { id: 999, shortCode: 'XX', dialCode: '+999', nameEn: 'New land', nameAr: 'بلد جديد' };
  await changed.db.transaction().execute(async (transaction) => {
    await sql`lock table cities in access exclusive mode`.execute(transaction);
    // The service sees this change, reads the countries, and waits for the cities.
    await changed.db.updateTable('services').set({ nameEn: 'Renamed' }).where('code', '=', 'delivery').execute();
    await untilWaiting(changed.db);
    await transaction.insertInto('countries').values(country).execute();
    await transaction
      .insertInto('cities')
      .values({ code: 'xxnew', countryId: country.id, nameEn: 'New town', nameAr: 'مدينة جديدة' })
      .execute();
  });
  const read = async () => {
    const { body } = await changed.client.graphql('{ cities { name country { nameEn } } }');
    expect(body.errors).toBeUndefined();
    return JSON.stringify(body.data);
  };
  let cities = await read();
  while (!cities.includes('"New town","country":{"nameEn":"New land"}')) cities = await read();
});
