import { readdir, readFile } from 'node:fs/promises';
import { parse, validate } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { issueToken } from '../src/domain/partner/tokens/token.service.ts';
import { demoPartner } from '../src/domain/reference/seed/demo-data.ts';
import { createSchema } from '../src/surfaces/graphql/schema.ts';
import { startApp, type TestApp } from './support/app.ts';
import { settingsOf } from './support/page.ts';

let app: TestApp;
let token: string;
beforeAll(async () => {
  app = await startApp();
  const issued = await issueToken(app.db, demoPartner, null);
  if ('refused' in issued) throw new Error(issued.refused);
  token = issued.token;
});
afterAll(() => app[Symbol.asyncDispose]());

interface Tab {
  query: string;
  variables: string;
  headers: string;
}

async function tabsOf(language: string): Promise<Tab[]> {
  const { body } = await app.client.fetch<string>('GET', '/explorer', { language });
  return settingsOf(body).tabs;
}

const folder = new URL('../src/surfaces/pages/starters', import.meta.url);
const files = await readdir(folder);

test.each(files)('%s is valid, and what a tab opens on', async (file) => {
  const text = await readFile(new URL(file, folder), 'utf8');
  expect(validate(createSchema('public').schema, parse(text))).toEqual([]);
  expect((await tabsOf('en')).filter(({ query }) => query === text)).toHaveLength(1);
});

test('there is no tab besides', async () => {
  expect(await tabsOf('en')).toHaveLength(files.length);
});

describe.each(['en', 'ar'])('in %s', (language) => {
  test('every tab runs as it stands, for the demo partner', async () => {
    const answers: { [field: string]: unknown }[] = [];
    for (const { query, variables, headers } of await tabsOf(language)) {
      const { status, body } = await app.client.graphql(query, JSON.parse(variables || '{}'), {
        token,
        headers: JSON.parse(headers),
      });
      expect({ status, errors: body.errors }).toEqual({ status: 200, errors: undefined });
      answers.push(body.data);
    }
    expect(answers[0]).toMatchObject({
      lookups: { weekDays: [{ name: language === 'en' ? 'Sunday' : 'الأحد' }, {}, {}, {}, {}, {}, {}] },
    });
    expect(answers[1]).toMatchObject({ countries: expect.arrayContaining([expect.objectContaining({ name: 'مصر' })]) });
    const { branches } = (answers[2] as { viewer: { company: { branches: object[] } } }).viewer.company;
    expect(branches[0]).toMatchObject({ address: { country: { shortCode: 'SA', dialCode: '+966' } } });
    expect(answers[4]).toMatchObject({ createProductTag: { productTag: { itemIds: [1, 2] }, userErrors: [] } });
    expect(answers[5]).toMatchObject({ updateProductTag: { productTag: { id: 1, itemIds: [2, 3] }, userErrors: [] } });
  });
});

test('the Sandbox opens on the first', async () => {
  const { body } = await app.client.fetch<string>('GET', '/graphql', { headers: { Accept: 'text/html' } });
  expect(settingsOf(body).options.initialState.document).toBe((await tabsOf('en'))[0]?.query);
});
