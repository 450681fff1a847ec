import { describe, expect, test } from 'vitest';
import { CountriesDocument } from './documents.generated.ts';
import { sharedApp } from './support/app.ts';
import { byId, type Language, languages, nameOf } from './support/reference.ts';
import { createTenant } from './support/tenant.ts';

const app = await sharedApp();

async function listOnRest(language: Language): Promise<{ id: number; name_en: string; name: string }[]> {
  const { status, body } = await app.client.rest('GET', '/countries', { language });
  expect(status).toBe(200);
  expect(Object.keys(body)).toEqual(['countries']);
  return body.countries;
}

describe.each(languages)('countries in %s', (language) => {
  test('Saudi Arabia is first, the others follow by the name in the language', async () => {
    const [first, ...others] = await listOnRest(language);
    expect(first?.name_en).toBe('Saudi Arabia');
    const names = others.map((country) => country.name);
    expect(names).toEqual(names.toSorted(new Intl.Collator(language).compare));
  });

  test('REST has every country in the listing form and nothing else', async () => {
    const rows = await app.db.selectFrom('countries').selectAll().orderBy('id').execute();
    expect(byId(await listOnRest(language))).toStrictEqual(
      rows.map((row) => ({ id: row.id, name_en: row.nameEn, name_ar: row.nameAr, name: nameOf(row, language) })),
    );
  });

  test('REST and GraphQL list the same countries', async () => {
    const { body } = await app.client.graphql(CountriesDocument, {}, { language });
    const listed = body.data?.countries.map(({ id, nameEn, nameAr, name }) => ({
      id,
      name_en: nameEn,
      name_ar: nameAr,
      name,
    }));
    expect(listed).toHaveLength(249);
    expect(await listOnRest(language)).toStrictEqual(listed);
  });

  test('a parameter, page or not, changes nothing', async () => {
    const { body } = await app.client.rest('GET', '/countries?page=2&per_page=1&locale=fr', { language });
    expect(body).toEqual({ countries: await listOnRest(language) });
  });
});

test.each([
  { type: 'Country', fields: ['id', 'nameEn', 'nameAr', 'name'] },
  { type: 'EmbeddedCountry', fields: ['nameEn', 'nameAr', 'dialCode', 'shortCode'] },
])('GraphQL: $type has exactly the fields $fields', async ({ type, fields }) => {
  const query = 'query ($type: String!) { __type(name: $type) { fields { name } } }';
  const { body } = await app.client.graphql(query, { type });
  expect(new Set(body.data.__type.fields.map((field: { name: string }) => field.name))).toEqual(new Set(fields));
});

test.each([
  { rule: 'the listing has no dial code', query: '{ countries { dialCode } }' },
  { rule: 'the listing has no short code', query: '{ countries { shortCode } }' },
  { rule: 'a country does not embed its cities', query: '{ countries { cities { id } } }' },
  { rule: 'a nested country has no id', query: '{ cities { country { id } } }' },
  { rule: 'a nested country has no localized name', query: '{ cities { country { name } } }' },
])('GraphQL: $rule', async ({ query }) => {
  const { body } = await app.client.graphql(query);
  expect(body.errors?.map((error) => error.extensions.code)).toEqual(['GRAPHQL_VALIDATION_FAILED']);
});

test.each(languages)('in %s an address has the country of its city, in the embedded form', async (language) => {
  const { token, companyId } = await createTenant(app.db);
  const city = await app.db
    .selectFrom('cities')
    .innerJoin('countries', 'countries.id', 'cities.countryId')
    .select(['cities.id', 'countries.nameEn', 'countries.nameAr', 'countries.dialCode', 'countries.shortCode'])
    .where('countries.shortCode', '=', 'AE')
    .executeTakeFirstOrThrow();
  const { id: cityId, ...country } = city;
  await app.db
    .insertInto('branches')
    .values({ companyId, cityId, nameEn: 'Branch', nameAr: 'فرع', addressLine: null })
    .execute();

  const form = 'nameEn nameAr dialCode shortCode';
  const query = `{ viewer { company {
    address { country { ${form} } }
    branches { address { country { ${form} } city { country { ${form} } } } }
  } } }`;
  const { body } = await app.client.graphql(query, {}, { token, language });
  expect(body.data.viewer.company).toStrictEqual({
    address: {
      country: { nameEn: 'Saudi Arabia', nameAr: 'المملكة العربية السعودية', dialCode: '+966', shortCode: 'SA' },
    },
    branches: [{ address: { country, city: { country } } }],
  });
});
