import { describe, expect, test } from 'vitest';
import { sharedApp } from './support/app.ts';
import { byId, expectRefusedParameters, languages } from './support/reference.ts';

const app = await sharedApp();
const saudiArabia = 682;

async function get(query = ''): Promise<{ id: number; country_id: number }[]> {
  const { status, body } = await app.client.rest('GET', `/cities${query}`);
  expect(status).toBe(200);
  return body.cities;
}

const list = (countryId?: unknown) =>
  app.client.graphql('query ($countryId: Int) { cities(countryId: $countryId) { id } }', { countryId });

describe('country_id', () => {
  test('restricts the list to one country, on both surfaces, in the same order', async () => {
    const wanted = (await get()).filter((city) => city.country_id === saudiArabia);
    expect(wanted.length).toBeGreaterThan(10);
    expect(await get(`?country_id=${saudiArabia}`)).toEqual(wanted);
    expect((await list(saudiArabia)).body.data.cities).toEqual(wanted.map(({ id }) => ({ id })));
  });

  test('takes every id of the countries listing, and the cities of all of them are all cities', async () => {
    const { body } = await app.client.rest('GET', '/countries');
    const ids = (body.countries as { id: number }[]).map((country) => country.id);
    const cities = await Promise.all(ids.map((id) => get(`?country_id=${id}`)));
    expect(byId(cities.flat())).toEqual(byId(await get()));
  });

  test.each(['999', '0', '-1', '2147483648', '-99999999999999999999'])(
    'of no country (%s): empty',
    async (countryId) => {
      expect(await get(`?country_id=${countryId}`)).toEqual([]);
      const isInt = Number(countryId) === (Number(countryId) | 0);
      if (isInt) expect((await list(Number(countryId))).body.data.cities).toEqual([]);
    },
  );

  test('null on GraphQL is no filter', async () => {
    expect((await list(null)).body).toEqual((await list()).body);
    expect((await list()).body.data.cities).toHaveLength((await get()).length);
  });

  test('is one value: the last of a repeated one counts', async () => {
    expect(await get(`?country_id=x&country_id=${saudiArabia}`)).toEqual(await get(`?country_id=${saudiArabia}`));
  });

  test.each(['=SA', '=1.5', '=1e3', '=682%20', '=682,784', '=null'])(
    'that is no integer (country_id%s): 400 that names it',
    async (value) => {
      for (const language of languages) {
        const answer = await app.client.rest('GET', `/cities?country_id${value}`, { language });
        expectRefusedParameters(answer, ['country_id'], language);
      }
    },
  );

  test.each(['SA', '682', 1.5, 2 ** 31])('that is no Int on GraphQL (%j): BAD_USER_INPUT', async (countryId) => {
    const { body } = await list(countryId);
    expect(body.errors?.map((error) => error.extensions.code)).toEqual(['BAD_USER_INPUT']);
  });
});
