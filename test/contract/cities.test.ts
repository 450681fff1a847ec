import { describe, expect, test } from 'vitest';
import { expectInvalidParameters, languages } from '../support/reference.ts';
import { sharedApp } from '../support/test-app.ts';

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
  test('filters by country, in the same order on both APIs', async () => {
    const all = await get();
    const filterCities = (countryId: number) => all.filter((city) => city.country_id === countryId);
    const { body } = await app.client.rest('GET', '/countries');
    const ids = (body.countries as { id: number }[]).map((country) => country.id);
    for (const id of ids) expect(await get(`?country_id=${id}`)).toEqual(filterCities(id));
    const wanted = filterCities(saudiArabia);
    expect(wanted.length).toBeGreaterThan(10);
    expect(await get(`?country_id=x&country_id=${saudiArabia}`)).toEqual(wanted);
    expect((await list(saudiArabia)).body.data.cities).toEqual(wanted.map(({ id }) => ({ id })));
    for (const none of [undefined, null]) expect((await list(none)).body.data.cities).toHaveLength(all.length);
  });

  test.each([999, 0, -1, 2_147_483_648, -1e20])('of the unknown country %d gives an empty list', async (id) => {
    expect(await get(`?country_id=${BigInt(id)}`)).toEqual([]);
    if (id === (id | 0)) expect((await list(id)).body.data.cities).toEqual([]);
  });

  test.each(['SA', '1.5', '1e3', '%2B682', '68%202', '682,784', 'null'])('rejects %s on REST', async (value) => {
    for (const language of languages) {
      const answer = await app.client.rest('GET', `/cities?country_id=${value}`, { language });
      expectInvalidParameters(answer, ['country_id'], language);
    }
  });

  test.each(['SA', '682', 1.5, 2 ** 31])('rejects %j on GraphQL', async (countryId) => {
    const { body } = await list(countryId);
    expect(body.errors?.map((error) => error.extensions.code)).toEqual(['BAD_USER_INPUT']);
  });
});
