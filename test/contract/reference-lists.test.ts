import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { byId, formatName, type Language, languages } from '../support/reference.ts';
import { sharedApp } from '../support/test-app.ts';

const app = await sharedApp();

type Row = Record<string, unknown> & { id: number; name: string };

interface List {
  path: string;
  selection: string;
  /** The other fields of an entry. */
  more?(row: Row, countries: Map<unknown, object>): object;
  first?: string[];
  order(language: Language): (a: Row, b: Row) => number;
}

const byName = (language: Language) => {
  const { compare } = new Intl.Collator(language);
  return (a: Row, b: Row) => compare(a.name, b.name);
};

const names = 'id name_en: nameEn name_ar: nameAr name';
const lists: List[] = [
  { path: 'countries', selection: names, first: ['Saudi Arabia'], order: byName },
  {
    path: 'cities',
    selection: `${names} country_id: countryId
      country { name_en: nameEn name_ar: nameAr dial_code: dialCode short_code: shortCode }`,
    more: ({ countryId }, countries) => ({ country_id: countryId, country: countries.get(countryId) }),
    order: byName,
  },
  {
    path: 'timezones',
    selection: 'id name utc_offset: utcOffset',
    more: () => ({ utc_offset: expect.stringMatching(/^[+-]\d\d:\d\d$/) }),
    order: () => (a, b) => (a.name < b.name ? -1 : 1),
  },
  { path: 'services', selection: `code ${names}`, more: ({ code }) => ({ code }), order: () => (a, b) => a.id - b.id },
];

async function expectedRows({ path, more }: List, language: Language): Promise<Row[]> {
  const read = sql<Row & { nameEn?: string; nameAr: string }>`select * from ${sql.table(path)}`;
  const countries = await app.db.selectFrom('countries').selectAll().execute();
  const embedded = new Map<unknown, object>(
    countries.map(({ id, ...row }) => [
      id,
      { name_en: row.nameEn, name_ar: row.nameAr, dial_code: row.dialCode, short_code: row.shortCode },
    ]),
  );
  return (await read.execute(app.db)).rows.map((row) => {
    const { id, nameEn, nameAr, name } = row;
    const named = nameEn && { name_en: nameEn, name_ar: nameAr, name: formatName({ nameEn, nameAr }, language) };
    return { id, name, ...named, ...more?.(row, embedded) };
  });
}

async function get(target: string, language: Language): Promise<Row[]> {
  const { status, body } = await app.client.rest('GET', `/${target}`, { language });
  const [path = ''] = target.split('?');
  expect({ status, keys: Object.keys(body) }).toEqual({ status: 200, keys: [path] });
  return body[path];
}

const listings = lists.flatMap((list) => languages.map((language) => ({ list, path: list.path, language })));

test.each(listings)('$path in $language has all rows in order on both APIs', async ({ list, path, language }) => {
  const { selection, first = [], order } = list;
  const expected = await expectedRows(list, language);
  expect(expected.length).toBeGreaterThan(3);
  const listed = await get(path, language);
  expect(byId(listed)).toStrictEqual(byId(expected));
  const others = listed.slice(first.length);
  expect(listed.slice(0, first.length).map((row) => row.name_en)).toEqual(first);
  expect(others.map(({ name }) => name)).toEqual(others.toSorted(order(language)).map(({ name }) => name));
  // Parameters of other lists have no effect.
  expect(await get(`${path}?page=2&locale=fr&countryId=682`, language)).toEqual(listed);
  const { body } = await app.client.graphql(`{ ${path} { ${selection} } }`, {}, { language });
  expect(body.data[path]).toStrictEqual(listed);
});

test('the services are the four known values', async () => {
  const codes = (await get('services', 'en')).map(({ code }) => code);
  expect(codes.toSorted()).toEqual(['curbside', 'delivery', 'dine_in', 'pick_up']);
});
