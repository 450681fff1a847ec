import { describe, expect, test } from 'vitest';
import { exchangeRaw } from '../support/raw-http.ts';
import { formatName, languages } from '../support/reference.ts';
import { sharedApp } from '../support/test-app.ts';

const app = await sharedApp();

const english = [
  ...['en', 'en-US', 'en, ar', 'ar-EG;q=0.8, en;q=0.9', 'en-US,en;q=0.9,ar;q=0.8', 'ar;q=0', 'ar;q=0, en;q=0.1'],
  ...['en, arz;q=0.9', 'arzz', 'ckb, tr'],
  ...['fr', 'fr-CH, *;q=0.5', '*', 'en;q=0', '', ';;;=,,q', '@#$%&/\\', '-', 'fr, '.repeat(20)],
];
const arabic = [
  ...['ar', 'AR', 'ar-SA', 'ar-Arab-SA', 'ar, en', 'en;q=0.8,ar-EG;q=0.9', 'ar-SA,ar;q=0.9,en-US;q=0.8,en;q=0.7'],
  ...['fr, ar;q=0.5', 'en;q=0, ar;q=0.1'],
  ...['arz', 'ARY-MA', 'apc_LB', 'acm, en;q=0.9', 'arb', 'ajp', 'aeb', 'fr, ars-SA;q=0.8, en;q=0.5', 'shu-TD', 'ara'],
];
const negotiated = [
  ...english.map((header) => ({ header, language: 'en' })),
  ...arabic.map((header) => ({ header, language: 'ar' })),
];

const graphql = (query: string) => `/graphql?query=${encodeURIComponent(query)}`;
const answers: [what: string, method: string, path: string, status: number][] = [
  ['REST', 'GET', '/partner_portal/v1/services', 200],
  ['GraphQL', 'GET', graphql('{ services { name } }'), 200],
  ['a GraphQL error', 'GET', graphql('{ lookups(key: SERVICES, page: 0) { name } }'), 200],
  ['a problem of a parameter', 'GET', '/partner_portal/v1/lookups?services=0', 400],
  ['a problem of the token', 'POST', '/partner_portal/v1/product_tags', 401],
  ['a problem of the path', 'GET', '/partner_portal/v1/nothing', 404],
];

describe.each(answers)('%s', (_what, method, path, status) => {
  test.each(negotiated)('Accept-Language "$header" gets $language', async ({ header, language }) => {
    const answer = await app.client.fetch(method, path, { language: header });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-language')).toBe(language);
    expect(answer.headers.get('vary')).toMatch(/\baccept-language\b/i);
    expect(/\p{Script=Arabic}/u.test(textsByLocale(answer.body))).toBe(language === 'ar');
  });
});

test('a request without the header gets English', async () => {
  const request = { method: 'GET', target: '/partner_portal/v1/services', headers: [] };
  const { headers, body = '' } = (await exchangeRaw(app.url, request)) ?? {};
  expect(headers?.get('content-language')).toBe('en');
  for (const service of JSON.parse(body).services) expect(service.name).toBe(service.name_en);
});

test.each(languages)('GraphQL name(locale:) overrides the header in %s', async (language) => {
  const names = '{ nameEn nameAr name unset: name(locale: $unset) english: name(locale: EN) arabic: name(locale: AR) }';
  const query = `query ($unset: Locale) { countries ${names} cities ${names} services ${names} }`;
  const { body } = await app.client.graphql(query, { unset: null }, { language });
  for (const rows of Object.values<(Record<string, string> & { nameEn: string; nameAr: string })[]>(body.data)) {
    expect(rows).not.toEqual([]);
    for (const row of rows) {
      const name = formatName(row, language);
      expect(row).toEqual({ ...row, english: row.nameEn, arabic: row.nameAr, name, unset: name });
    }
  }
});

/** The localized texts of a response. */
function textsByLocale(body: unknown): string {
  return JSON.stringify(body, (key, value) => (key === 'name_ar' ? undefined : value));
}
