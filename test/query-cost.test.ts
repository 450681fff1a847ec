import { getIntrospectionQuery } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from './support/app.ts';
import { createTenant, type Tenant } from './support/tenant.ts';

let app: TestApp;
let tenant: Tenant;
beforeAll(async () => {
  app = await startApp();
  tenant = await createTenant(app.db);
});
afterAll(() => app[Symbol.asyncDispose]());

const itemsAndTags = (depth: number): string =>
  depth === 0 ? 'id' : `id tags { id items { ${itemsAndTags(depth - 1)} } }`;
const aliases = Array.from({ length: 800 }, (_, index) => `a${index}: cities { name }`).join(' ');

test.each([
  ['lists nested in lists', `{ viewer { items { nodes { ${itemsAndTags(3)} } } } }`],
  ['the largest page with the same', `{ viewer { items(first: 100) { nodes { ${itemsAndTags(2)} } } } }`],
  ['one list under many names', `{ ${aliases} }`],
])('%s: refused before anything is read', async (_name, query) => {
  app.statements.splice(0);
  const { status, body } = await app.client.graphql(query, {}, { token: tenant.token });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    errors: [{ extensions: { code: 'QUERY_TOO_COMPLEX', requestId: expect.any(String) } }],
  });
  expect(body.data).toBeUndefined();
  expect(app.statements).toEqual([]);
});

test('a refused query is 400 to a client that takes application/graphql-response+json, in its language', async () => {
  const headers = { Accept: 'application/graphql-response+json' };
  const { status, body } = await app.client.graphql(`{ ${aliases} }`, {}, { headers, language: 'ar' });
  expect(status).toBe(400);
  expect(body.errors?.[0]?.message).toMatch(/\p{Script=Arabic}/u);
});

test.each([
  ['introspection', getIntrospectionQuery()],
  [
    'all reference data at once',
    `{
      lookups { brandTypes(page: -1) { key value name } cuisineTypes(page: -1) { key value name } weekDays { value name }
        services(page: -1) { key value name } applications(page: -1) { key value name } }
      countries { id nameEn nameAr name en: name(locale: EN) }
      cities { id nameEn nameAr name countryId country { nameEn nameAr dialCode shortCode } }
      timezones { id name utcOffset }
      services { id code nameEn nameAr name }
    }`,
  ],
  [
    'the largest page of items with their tags',
    '{ viewer { items(first: 100) { nodes { id itemType nameEn nameAr name tags { id nameEn nameAr name itemIds } } } } }',
  ],
  [
    'the company with all that hangs on it',
    `{ viewer { partner { name } company { name address { line city { name } country { dialCode } }
      branches { name services { code name } address { line city { name country { shortCode } } country { nameEn } } } } } }`,
  ],
])('%s: answered', async (_name, query) => {
  const { body } = await app.client.graphql(query, {}, { token: tenant.token });
  expect(body.errors).toBeUndefined();
  expect(body.data).toBeTruthy();
});
