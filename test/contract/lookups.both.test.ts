import { type Selectable, sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { Applications, Services } from '../../src/domain/tables.generated.ts';
import { expectInvalidParameters, formatName, type Language, languages } from '../support/reference.ts';
import { lookupTables } from '../support/schema.ts';
import { sharedApp, startApp, use } from '../support/test-app.ts';

type Entry = Record<'key' | 'value' | 'name', string>;
type Lookups = { lookups: Record<string, Entry[]>[] };

const weekDays = {
  sunday: { en: 'Sunday', ar: 'الأحد' },
  monday: { en: 'Monday', ar: 'الاثنين' },
  tuesday: { en: 'Tuesday', ar: 'الثلاثاء' },
  wednesday: { en: 'Wednesday', ar: 'الأربعاء' },
  thursday: { en: 'Thursday', ar: 'الخميس' },
  friday: { en: 'Friday', ar: 'الجمعة' },
  saturday: { en: 'Saturday', ar: 'السبت' },
};

const app = await sharedApp();

/** The lookups of REST v1, which is frozen; GraphQL has more. */
const frozen = ['services', 'brand_types', 'cuisine_types', 'applications', 'week_days'];

/** All lookups under the names of their tables. */
const lookups = `query ($page: Int) {
  ${[...lookupTables, 'week_days'].map((key) => `${key}: lookups(key: ${key.toUpperCase()}, page: $page) { ...Entry }`)} }
  fragment Entry on LookupEntry { key value name }`;

async function get(query: string, language: Language = 'en'): Promise<Lookups> {
  const { status, body } = await app.client.rest<Lookups>('GET', `/lookups${query}`, { language });
  expect(status).toBe(200);
  return body;
}

async function expected(list: string, language: Language): Promise<Entry[]> {
  if (list === 'week_days') {
    return Object.entries(weekDays).map(([value, names]) => ({ key: 'week_day', value, name: names[language] }));
  }
  const { rows } = await sql<Selectable<Services> | Selectable<Applications>>`
    select * from ${sql.table(list)} order by id`.execute(app.db);
  return rows.map((row) => ({
    key: 'id',
    value: String(row.id),
    name: 'name' in row ? row.name : formatName(row, language),
  }));
}

describe.each(languages)('the lists in %s', (language) => {
  test.each([...lookupTables, 'week_days'])('%s has its entries in order', async (key) => {
    const entries = await expected(key, language);
    expect(entries).not.toEqual([]);
    const onRest = frozen.includes(key) ? [{ [key]: entries }] : [];
    expect(await get(`?${key}=-1`, language)).toStrictEqual({ lookups: onRest });
    for (const variables of [{}, { page: -1 }, { page: null }]) {
      const { body } = await app.client.graphql(lookups, variables, { language });
      expect(body.data[key]).toStrictEqual(entries);
    }
    const named = `{ lookups(key: ${key.toUpperCase()}, page: -1) { name(locale: ${language.toUpperCase()}) } }`;
    const other = await app.client.graphql(named, {}, { language: language === 'en' ? 'ar' : 'en' });
    expect(other.body.data.lookups).toEqual(entries.map(({ name }) => ({ name })));
  });
});

describe('REST', () => {
  test.each([
    ...['', '?', '?page=1&brands=x&locale=ar', '?Brand_Types=1&weekDays=1', '?__proto__=1&constructor=1'],
    '?week_days=1&services=1&brand_types=1',
    '?applications=1&cuisine_types=1&week_days=1&brand_types=1&services=1',
    '?page=0&services=1&items=x',
  ])('/lookups%s has one element per known list, in the requested order', async (query) => {
    const { lookups, ...others } = await get(query);
    const keys = [...new URLSearchParams(query).keys()].filter((key) => frozen.includes(key));
    expect(lookups.map((element) => Object.keys(element))).toEqual(keys.map((key) => [key]));
    expect(others).toEqual({});
  });

  test.each([
    ['?cuisine_types=-1&week_days=1&cuisine_types=9', '?cuisine_types=9&week_days=1'],
    ['?services=0&services=1', '?services=1'],
    ['?week_days=1&week_days=x', '?week_days=1'],
  ])('%s: the last repeated parameter wins', async (query, like) => {
    expect(await get(query)).toEqual(await get(like));
  });

  const anything = ['', '=', '=0', '=-1', '=1.5', '=monday', '=99999999999999999999'];
  test.each(anything)('week_days%s lists all days from Sunday', async (value) => {
    const { lookups } = await get(`?week_days${value}`);
    expect(lookups[0]?.week_days?.map((entry) => entry.value)).toEqual(Object.keys(weekDays));
  });

  const values = [
    '',
    '=',
    '=0',
    '=-2',
    '=x',
    '=1.5',
    '=1e1',
    '=0x1',
    '=%20',
    '=%2B1',
    '=1,2',
    '=-99999999999999999999',
  ];
  const all = ['applications', 'brand_types', 'services'];
  test.each<[query: string, names: string[]]>([
    ...values.map((value): [string, string[]] => [`brand_types${value}`, ['brand_types']]),
    ['services=1&services=0', ['services']],
    ['applications=x&week_days=x&brand_types=0&cuisine_types=1&services&page=x', all],
  ])('?%s is rejected with 400 for %j', async (query, names) => {
    for (const language of languages) {
      const answer = await app.client.rest('GET', `/lookups?${query}`, { language });
      expectInvalidParameters(answer, names, language);
    }
  });
});

test.each(lookupTables)('invalid pages of %s', async (key) => {
  const field = `lookups(key: ${key.toUpperCase()}`;
  for (const page of [0, -2]) {
    const { body } = await app.client.graphql(`{ ${field}, page: ${page}) { value } }`);
    expect(body).toMatchObject({ errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] });
    expect(body.errors?.[0]?.message).toContain('page');
    expect(body.data).toBeUndefined();
  }
  for (const page of ['x', 1.5, 2 ** 31, null]) {
    const { body } = await app.client.graphql(`query ($page: Int! = 1) { ${field}, page: $page) { value } }`, { page });
    expect(body.errors?.map((error) => error.extensions.code)).toEqual(['BAD_USER_INPUT']);
  }
});

test('week_days ignores the page', async () => {
  const { body } = await app.client.graphql('{ lookups(key: WEEK_DAYS, page: 0) { value } }');
  expect(body.data.lookups).toEqual(Object.keys(weekDays).map((value) => ({ value })));
});

describe.each([25, 3])('pages of %d entries', async (pageSize) => {
  const sized = pageSize === 25 ? app : use(await startApp({ LOOKUP_PAGE_SIZE: String(pageSize) }));

  const toValues = (entries: Entry[] = []) => entries.map((entry) => entry.value);

  async function values(key: string, page: number | string): Promise<string[]> {
    const { body } = await sized.client.rest<Lookups>('GET', `/lookups?${key}=${page}`);
    return toValues(body.lookups[0]?.[key]);
  }

  const graphqlValues = async (key: string, variables: { page?: number }) =>
    toValues((await sized.client.graphql(lookups, variables)).body.data[key]);

  test.each(lookupTables)('%s: pages are the parts of the full list', async (key) => {
    const all = toValues(await expected(key, 'en'));
    const pages = Array.from({ length: Math.ceil(all.length / pageSize) + 1 }, (_, index) => index + 1);
    for (const page of [...pages, 1_000, 2 ** 31 - 1]) {
      const part = all.slice((page - 1) * pageSize, page * pageSize);
      if (frozen.includes(key)) expect(await values(key, page)).toEqual(part);
      expect(await graphqlValues(key, { page })).toEqual(part);
    }
    expect(await graphqlValues(key, { page: -1 })).toEqual(all);
    // The document was sent before, so it is already compiled.
    expect(await graphqlValues(key, {})).toEqual(all);
    if (!frozen.includes(key)) return;
    expect(await values(key, -1)).toEqual(all);
    for (const page of [2 ** 31, '9'.repeat(400)]) expect(await values(key, page)).toEqual([]);
    if (key === 'cuisine_types') expect(pages.length).toBeGreaterThan(2);
  });
});
