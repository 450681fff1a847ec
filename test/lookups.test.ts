import { describe, expect, test } from 'vitest';
import { sharedApp, startApp, use } from './support/app.ts';
import {
  expectedLookups,
  expectRefusedParameters,
  type Language,
  type LookupEntry,
  languages,
  weekDays,
} from './support/reference.ts';

type Lookups = { lookups: Record<string, LookupEntry[]>[] };

const paged = ['brand_types', 'cuisine_types', 'services', 'applications'] as const;

const app = await sharedApp();

/** The lists of GraphQL under their v1 names. */
const lookups = `query ($page: Int! = 1) { lookups { week_days: weekDays { ...Entry }
  brand_types: brandTypes(page: $page) { ...Entry } cuisine_types: cuisineTypes(page: $page) { ...Entry }
  services(page: $page) { ...Entry } applications(page: $page) { ...Entry } } }
  fragment Entry on LookupEntry { key value name }`;

async function get(query: string, language: Language = 'en'): Promise<Lookups> {
  const { status, body } = await app.client.rest<Lookups>('GET', `/lookups${query}`, { language });
  expect(status).toBe(200);
  return body;
}

describe.each(languages)('the lists in %s', (language) => {
  test.each([...paged, 'week_days'] as const)('REST: %s alone is one element with its entries', async (key) => {
    const entries = (await expectedLookups(app.db, language))[key];
    expect(entries).not.toEqual([]);
    expect(await get(`?${key}=-1`, language)).toStrictEqual({ lookups: [{ [key]: entries }] });
  });

  test('GraphQL gives the same entries', async () => {
    const { body } = await app.client.graphql(lookups, { page: -1 }, { language });
    expect(body).toStrictEqual({ data: { lookups: await expectedLookups(app.db, language) } });
  });
});

describe('which lists REST answers', () => {
  test.each([
    ...['', '?', '?page=1&brands=x&locale=ar', '?Brand_Types=1&weekDays=1', '?__proto__=1&constructor=1'],
    '?brand_types=1&week_days=1',
    '?week_days=1&services=1&brand_types=1',
    '?applications=1&cuisine_types=1&week_days=1&brand_types=1&services=1',
    '?page=0&services=1&items=x',
  ])('/lookups%s: one element a known key, in the order asked', async (query) => {
    const { lookups, ...others } = await get(query);
    const known: string[] = [...paged, 'week_days'];
    const keys = [...new URLSearchParams(query).keys()].filter((key) => known.includes(key));
    expect(lookups.map((element) => Object.keys(element))).toEqual(keys.map((key) => [key]));
    expect(others).toEqual({});
  });

  test.each([
    ['?cuisine_types=9&cuisine_types=-1', '?cuisine_types=-1'],
    ['?cuisine_types=-1&week_days=1&cuisine_types=9', '?cuisine_types=9&week_days=1'],
    ['?services=0&services=1', '?services=1'],
    ['?week_days=1&week_days=x', '?week_days=1'],
  ])('%s: the last of a repeated parameter counts', async (query, like) => {
    expect(await get(query)).toEqual(await get(like));
  });

  test('week_days of any value are all seven days, from Sunday', async () => {
    for (const value of ['', '=', '=0', '=-1', '=2', '=1.5', '=monday', '=99999999999999999999']) {
      const { lookups } = await get(`?week_days${value}`);
      expect(lookups[0]?.week_days?.map((entry) => entry.value)).toEqual(Object.keys(weekDays));
    }
  });

  const values = ['', '=', '=0', '=-2', '=x', '=1.5', '=1e1', '=0x1', '=1%20', '=1,2', '=-99999999999999999999'];
  const all = ['applications', 'brand_types', 'services'];
  test.each<[query: string, names: string[]]>([
    ...values.map((value): [string, string[]] => [`brand_types${value}`, ['brand_types']]),
    ['services=1&services=0', ['services']],
    ['applications=x&week_days=x&brand_types=0&cuisine_types=1&services&page=x', all],
  ])('?%s: 400 that names %j', async (query, names) => {
    for (const language of languages) {
      const answer = await app.client.rest('GET', `/lookups?${query}`, { language });
      expectRefusedParameters(answer, names, language);
    }
  });
});

describe('GraphQL', () => {
  test('only the selected lists are in the response', async () => {
    const { body } = await app.client.graphql('{ lookups { brandTypes { value } weekDays { value } } }');
    expect(Object.keys(body.data.lookups)).toEqual(['brandTypes', 'weekDays']);
  });

  test.each(['brandTypes', 'cuisineTypes', 'services', 'applications'])(
    '%s of the page 0 or -2: BAD_USER_INPUT at the field',
    async (field) => {
      for (const page of [0, -2]) {
        const { body } = await app.client.graphql(`{ lookups { ${field}(page: ${page}) { value } } }`);
        expect(body.errors).toMatchObject([{ path: ['lookups', field], extensions: { code: 'BAD_USER_INPUT' } }]);
        expect(body.errors?.[0]?.message).toContain('page');
        expect(body.data).toBeNull();
      }
    },
  );

  test.each(['x', 1.5, 2 ** 31, null])('a page that is no Int, %j: BAD_USER_INPUT', async (page) => {
    const { body } = await app.client.graphql(lookups, { page });
    expect(body.errors?.map((error) => error.extensions.code)).toEqual(['BAD_USER_INPUT']);
  });
});

describe.each([
  { set: 'by default', env: {}, pageSize: 25 },
  { set: 'by LOOKUP_PAGE_SIZE', env: { LOOKUP_PAGE_SIZE: '3' }, pageSize: 3 },
])('pages of $pageSize entries, $set', async ({ env, pageSize }) => {
  const sized = use(await startApp(env));

  const valuesOf = (entries: LookupEntry[] = []) => entries.map((entry) => entry.value);

  async function values(key: (typeof paged)[number], page: number | string): Promise<string[]> {
    const { body } = await sized.client.rest<Lookups>('GET', `/lookups?${key}=${page}`);
    return valuesOf(body.lookups[0]?.[key]);
  }

  const graphqlValues = async (key: string, variables: { page?: number }) =>
    valuesOf((await sized.client.graphql(lookups, variables)).body.data.lookups[key]);

  test.each(paged)('%s: page N is the Nth part of the full list, on both surfaces', async (key) => {
    const all = valuesOf((await expectedLookups(app.db, 'en'))[key]);
    const pages = Array.from({ length: Math.ceil(all.length / pageSize) + 1 }, (_, index) => index + 1);
    for (const page of pages) {
      const part = all.slice((page - 1) * pageSize, page * pageSize);
      expect(await values(key, page)).toEqual(part);
      expect(await graphqlValues(key, { page })).toEqual(part);
    }
    expect(await values(key, -1)).toEqual(all);
    expect(await graphqlValues(key, { page: -1 })).toEqual(all);
    // The document came before, so that it would be compiled by now.
    expect(await graphqlValues(key, {})).toEqual(await values(key, 1));
    if (key === 'cuisine_types') expect(pages.length).toBeGreaterThan(2);
  });

  test('a page far past the end is empty', async () => {
    for (const page of [1_000, 2 ** 31, '9'.repeat(400)]) expect(await values('cuisine_types', page)).toEqual([]);
    expect(await graphqlValues('cuisine_types', { page: 2 ** 31 - 1 })).toEqual([]);
  });
});
