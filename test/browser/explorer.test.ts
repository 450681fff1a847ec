import { rm } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { describeInBrowser, languages, tabTo, windows } from './browser.ts';

describeInBrowser('the explorer', (site) => {
  beforeEach(() => site.offerToken());

  const tab = (page: Page, name: string) => page.locator('.graphiql-tab-active', { hasText: name }).waitFor();
  const editor = (page: Page, part = '.graphiql-query-editor') => page.locator(`${part} .view-lines`).first();
  const response = (page: Page, text: string) => page.locator('.result-window').getByText(text).first().waitFor();

  const run = async (page: Page, expected: string) => {
    await editor(page).waitFor();
    await page.getByRole('button', { name: /Execute query/ }).click();
    await response(page, expected);
  };

  /** Opens an example, which loads the page again. */
  const choose = async (page: Page, name: string, operation: string) => {
    await page.locator('.examples').getByRole('link', { name, exact: true }).click();
    await tab(page, operation);
  };

  test.each(languages)(
    'to a browser in %s: responses are in its language, and at each size nothing scrolls across',
    async (locale, lang) => {
      const { page, problems, overflow } = await site.open('/explorer', { locale });
      await run(page, lang === 'ar' ? 'وجبات سريعة' : 'Fast Food');
      for (const viewport of lang === 'en' ? windows : windows.slice(-2)) {
        await page.setViewportSize(viewport);
        await expect.poll(async () => ({ viewport, ...(await overflow()) })).toMatchObject({ viewport, across: 0 });
        expect(await page.locator('input[name=token]').isVisible()).toBe(true);
      }
      expect(problems).toEqual([]);
    },
  );

  test('a keyboard user can search the documentation, run a query, and reach its response', async () => {
    const { page } = await site.open('/explorer');
    await editor(page).waitFor();
    await tabTo(page, '.graphiql-sidebar button');
    await page.keyboard.press('Enter');
    await page.locator('.graphiql-doc-explorer').waitFor();
    await tabTo(page, '.graphiql-doc-explorer-search input');
    await page.keyboard.type('createProductTag');
    await page.getByRole('option').first().getByText('createProductTag').waitFor();
    // Opens what was found; the panel has fewer links then.
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('option').first().waitFor({ state: 'detached' });
    await tabTo(page, '.graphiql-execute-button');
    await page.keyboard.press('Enter');
    await response(page, 'Fast Food');
    await tabTo(page, '.result-window');
  });

  test('an example sends the token, which neither the URL nor the browser stores; the URL stores variables', async () => {
    await rm(site.tokenFile);
    const { page, problems } = await site.open('/explorer');
    await choose(page, 'Items', 'ItemsWithTags');
    await run(page, 'UNAUTHENTICATED');
    await page.getByLabel('Your token').fill(site.token);
    await run(page, 'Chicken Kabsa');
    await choose(page, 'Cities', 'Cities');
    await run(page, '"cities"');
    // Once the number is highlighted, it is an element of its own.
    await editor(page, '.graphiql-editor-tool').getByText('682', { exact: true }).dblclick();
    await page.keyboard.type('48');
    await run(page, 'Aali');
    await expect.poll(() => page.evaluate('decodeURIComponent(location.hash)')).toContain('"countryId":+48');
    await page.reload();
    await editor(page, '.graphiql-editor-tool').getByText('48').waitFor();
    const stored = await page.evaluate('JSON.stringify({ ...localStorage })');
    expect(stored + page.url()).not.toContain(site.token);
    expect(problems).toEqual([]);
  });

  test('guides link to operations, and completion uses the schema', async () => {
    const { page } = await site.open('/guides/graphql');
    const link = page.locator('article .open').first();
    const query = new URLSearchParams((await link.getAttribute('href'))?.split('#')[1]).get('query') ?? '';
    await link.click();
    await editor(page).waitFor();
    const shown = () => editor(page).innerText();
    await expect.poll(async () => (await shown()).replace(/\s+/g, '')).toBe(query.replace(/\s+/g, ''));
    await editor(page).click();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('{ countr');
    await expect
      .poll(async () => {
        // The schema may still be loading.
        await page.keyboard.press('Control+Space');
        return page.locator('.suggest-widget .monaco-list-row', { hasText: 'countries' }).count();
      })
      .toBeGreaterThan(0);
  });
});
