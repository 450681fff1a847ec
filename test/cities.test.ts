import { describe, expect, test } from 'vitest';
import { CitiesDocument } from './documents.generated.ts';
import { sharedApp } from './support/app.ts';
import { byId, type Language, languages, nameOf, refusal, refusedParameters } from './support/reference.ts';

interface City {
  id: number;
  name: string;
  country_id: number;
}

const saudiArabia = 682;
const unknownCountry = 999;

const app = await sharedApp();

async function get(query = '', language: Language = 'en'): Promise<City[]> {
  const { status, body } = await app.client.rest('GET', `/cities${query}`, { language });
  expect(status).toBe(200);
  expect(Object.keys(body)).toEqual(['cities']);
  return body.cities;
}

async function list(countryId?: number | null) {
  const { body } = await app.client.graphql(CitiesDocument, { countryId });
  return body.data?.cities;
}

async function expected(language: Language) {
  const cities = await app.db.selectFrom('cities').selectAll().orderBy('id').execute();
  const countries = await app.db.selectFrom('countries').selectAll().execute();
  return cities.map((city) => {
    const country = countries.find(({ id }) => id === city.countryId);
    return {
      id: city.id,
      name_en: city.nameEn,
      name_ar: city.nameAr,
      name: nameOf(city, language),
      country_id: city.countryId,
      country: {
        name_en: country?.nameEn,
        name_ar: country?.nameAr,
        dial_code: country?.dialCode,
        short_code: country?.shortCode,
      },
    };
  });
}

describe.each(languages)('cities in %s', (language) => {
  test('REST has every city with the embedded form of its country, and nothing else', async () => {
    expect(byId(await get('', language))).toStrictEqual(await expected(language));
  });

  test.each(['', `?country_id=${saudiArabia}`])('/cities%s is in the order of the names', async (query) => {
    const names = (await get(query, language)).map((city) => city.name);
    expect(names.length).toBeGreaterThan(10);
    expect(names).toEqual(names.toSorted(new Intl.Collator(language).compare));
  });

  test('REST and GraphQL list the same cities in the same order', async () => {
    const { body } = await app.client.graphql(CitiesDocument, {}, { language });
    const listed = body.data?.cities.map(({ id, nameEn, nameAr, name, countryId, country }) => ({
      id,
      name_en: nameEn,
      name_ar: nameAr,
      name,
      country_id: countryId,
      country: {
        name_en: country.nameEn,
        name_ar: country.nameAr,
        dial_code: country.dialCode,
        short_code: country.shortCode,
      },
    }));
    expect(listed).toStrictEqual(await get('', language));
  });
});

describe('country_id', () => {
  test('restricts the list to one country, on both surfaces', async () => {
    const wanted = (await get()).filter((city) => city.country_id === saudiArabia);
    expect(wanted).not.toEqual([]);
    expect(await get(`?country_id=${saudiArabia}`)).toEqual(wanted);
    expect((await list(saudiArabia))?.map((city) => city.id)).toEqual(wanted.map((city) => city.id));
  });

  test('takes every id of the countries listing, and the cities of all of them are all cities', async () => {
    const { body } = await app.client.rest('GET', '/countries');
    const ids = (body.countries as { id: number }[]).map((country) => country.id);
    const cities = await Promise.all(ids.map((id) => get(`?country_id=${id}`)));
    expect(byId(cities.flat())).toEqual(byId(await get()));
  });

  test.each([String(unknownCountry), '0', '-1', '2147483647', '2147483648', '-99999999999999999999'])(
    'of no country (%s): empty',
    async (countryId) => {
      expect(await get(`?country_id=${countryId}`)).toEqual([]);
    },
  );

  test.each([unknownCountry, 0, -1, 2 ** 31 - 1])('of no country (%i) on GraphQL: empty', async (countryId) => {
    expect(await list(countryId)).toEqual([]);
  });

  test('null on GraphQL is no filter', async () => {
    expect(await list(null)).toEqual(await list());
    expect(await list()).toHaveLength((await get()).length);
  });

  test('is one value: the last of a repeated one counts', async () => {
    expect(await get(`?country_id=x&country_id=${saudiArabia}`)).toEqual(await get(`?country_id=${saudiArabia}`));
  });

  test('is the only parameter: others are ignored', async () => {
    expect(await get('?country=682&page=2&countryId=682')).toEqual(await get());
  });

  const refused = ['', '=', '=SA', '=1.5', '=1e3', '=682%20', '=682,784', '=null'];

  test.each(languages.flatMap((language) => refused.map((value) => ({ language, value }))))(
    'that is no integer (country_id$value) in $language: 400 that names it',
    async ({ language, value }) => {
      const answer = await app.client.rest('GET', `/cities?country_id${value}`, { language });
      expect(refusedParameters(answer)).toEqual(refusal(['country_id'], language));
    },
  );

  test.each(['SA', '682', 1.5, 2 ** 31])('that is no Int on GraphQL (%j): BAD_USER_INPUT', async (countryId) => {
    const { body } = await app.client.graphql(CitiesDocument.toString(), { countryId });
    expect(body.errors?.map((error) => error.extensions.code)).toEqual(['BAD_USER_INPUT']);
  });
});

test('a list of cities takes as many SQL statements as one city does', async () => {
  const [one] = await get();
  app.statements.splice(0);
  await get(`?country_id=${unknownCountry}`);
  await get(`?country_id=${one?.country_id}`);
  const few = app.statements.splice(0).length;
  await get(`?country_id=${unknownCountry}`);
  await get();
  expect(app.statements.splice(0).length).toBeLessThanOrEqual(few);
});
