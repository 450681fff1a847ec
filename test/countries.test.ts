import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CountriesDocument } from './documents.generated.ts';
import { startApp, type TestApp } from './support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app[Symbol.asyncDispose]());

describe.each(['en', 'ar'] as const)('countries in %s', (language) => {
  test('Saudi Arabia is first, the others follow by the name in the language', async () => {
    const { body } = await app.client.rest('GET', '/countries', { language });
    const [first, ...others] = body.countries as { name_en: string; name: string }[];
    expect(first?.name_en).toBe('Saudi Arabia');
    const names = others.map((country) => country.name);
    expect(names).toEqual(names.toSorted(new Intl.Collator(language).compare));
  });

  test('REST and GraphQL list the same countries', async () => {
    const rest = await app.client.rest('GET', '/countries', { language });
    const { body } = await app.client.graphql(CountriesDocument, {}, { language });
    const listed = body.data?.countries.map(({ id, nameEn, nameAr, name }) => ({
      id,
      name_en: nameEn,
      name_ar: nameAr,
      name,
    }));
    expect(listed).toHaveLength(249);
    expect(rest.body).toEqual({ countries: listed });
  });
});
