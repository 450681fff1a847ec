import { get as httpGet } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { NamesInBothLanguagesDocument } from './documents.generated.ts';
import { sharedApp } from './support/app.ts';
import { type Language, languages, nameOf } from './support/reference.ts';

const app = await sharedApp();

const negotiated: { header: string; language: Language }[] = [
  { header: 'en', language: 'en' },
  { header: 'ar', language: 'ar' },
  { header: 'AR', language: 'ar' },
  { header: 'ar-SA', language: 'ar' },
  { header: 'ar-Arab-SA', language: 'ar' },
  { header: 'en-US', language: 'en' },
  { header: 'en, ar', language: 'en' },
  { header: 'ar, en', language: 'ar' },
  { header: 'ar-EG;q=0.8, en;q=0.9', language: 'en' },
  { header: 'en;q=0.8,ar-EG;q=0.9', language: 'ar' },
  { header: 'ar-SA,ar;q=0.9,en-US;q=0.8,en;q=0.7', language: 'ar' },
  { header: 'en-US,en;q=0.9,ar;q=0.8', language: 'en' },
  { header: 'fr', language: 'en' },
  { header: 'fr, ar;q=0.5', language: 'ar' },
  { header: 'fr-CH, *;q=0.5', language: 'en' },
  { header: '*', language: 'en' },
  { header: 'arz', language: 'en' },
  { header: 'ar;q=0', language: 'en' },
  { header: 'ar;q=0, en;q=0.1', language: 'en' },
  { header: 'en;q=0, ar;q=0.1', language: 'ar' },
  { header: 'en;q=0', language: 'en' },
  { header: '', language: 'en' },
  { header: ';;;=,,q', language: 'en' },
  { header: '@#$%&/\\', language: 'en' },
  { header: '-', language: 'en' },
  { header: 'fr, '.repeat(20), language: 'en' },
];

const answers = {
  REST: { method: 'GET', path: '/partner_portal/v1/services', status: 200 },
  GraphQL: { method: 'GET', path: `/graphql?query=${encodeURIComponent('{ services { name } }')}`, status: 200 },
  'a GraphQL error': {
    method: 'GET',
    path: `/graphql?query=${encodeURIComponent('{ lookups { services(page: 0) { name } } }')}`,
    status: 200,
  },
  'a problem of a parameter': { method: 'GET', path: '/partner_portal/v1/lookups?services=0', status: 400 },
  'a problem of the token': { method: 'POST', path: '/partner_portal/v1/product_tags', status: 401 },
  'a problem of the path': { method: 'GET', path: '/partner_portal/v1/nothing', status: 404 },
};

describe.each(Object.entries(answers))('%s', (_surface, { method, path, status }) => {
  test.each(negotiated)('Accept-Language "$header" is answered in $language', async ({ header, language }) => {
    const answer = await app.client.fetch(method, path, { language: header });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-language')).toBe(language);
    expect(varyOf(answer.headers.get('vary'))).toContain('accept-language');
    expect(/\p{Script=Arabic}/u.test(textsOf(answer.body))).toBe(language === 'ar');
  });
});

test('a request without the header is answered in English', async () => {
  const request = httpGet(`${app.url}/partner_portal/v1/services`);
  const { body, headers } = await new Promise<{ body: string; headers: NodeJS.Dict<string | string[]> }>(
    (resolve, reject) => {
      request.on('error', reject).on('response', async (response) => {
        resolve({ body: await text(response), headers: response.headers });
      });
    },
  );
  expect(request.getHeaderNames()).not.toContain('accept-language');
  expect(headers['content-language']).toBe('en');
  expect(varyOf(String(headers.vary))).toContain('accept-language');
  for (const service of JSON.parse(body).services) expect(service.name).toBe(service.name_en);
});

describe.each(languages)('with a header in %s', (language) => {
  test('GraphQL name(locale:) overrides it, name alone follows it', async () => {
    const { body } = await app.client.graphql(NamesInBothLanguagesDocument, {}, { language });
    const { countries = [], cities = [], services = [] } = body.data ?? {};
    for (const rows of [countries, cities, services]) {
      expect(rows).not.toEqual([]);
      for (const row of rows) {
        const { english, arabic, name } = row;
        expect({ english, arabic, name }).toEqual({
          english: row.nameEn,
          arabic: row.nameAr,
          name: nameOf(row, language),
        });
      }
    }
  });

  test('GraphQL name(locale: null) follows it', async () => {
    const query = 'query ($locale: Locale) { services { nameEn nameAr name(locale: $locale) } }';
    const { body } = await app.client.graphql(query, { locale: null }, { language });
    for (const service of body.data.services) expect(service.name).toBe(nameOf(service, language));
  });
});

function varyOf(header: string | null): string[] {
  return (header ?? '').toLowerCase().split(/\s*,\s*/);
}

/** The texts of an answer that follow the language; not those that are there in both. */
function textsOf(body: unknown): string {
  return JSON.stringify(body, (key, value) => (key === 'name_ar' ? undefined : value));
}
