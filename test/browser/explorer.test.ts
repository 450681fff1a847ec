import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { putDemoToken } from '../support/put-demo-token.ts';
import { describeInBrowser, eachWindow } from './browser.ts';

describeInBrowser('the explorer', (site) => {
  let token: string;
  beforeAll(async () => {
    token = await putDemoToken(site.app);
  });

  const run = async (page: Page, tab: string, expected: string) => {
    await page.getByRole('button', { name: tab, exact: true }).click();
    await page.locator('.graphiql-query-editor .view-lines').getByText(tab).first().waitFor();
    await page.getByRole('button', { name: /Execute query/ }).click();
    await page.locator('.graphiql-response').getByText(expected).first().waitFor();
  };
  const readTags = () => site.app.db.selectFrom('productTags').selectAll().orderBy('id').execute();

  test.each(eachWindow)('$name, to a browser in $locale', async ({ name, viewport, locale, lang, dir }) => {
    const { page, problems, overflow, screenshot } = await site.open('/explorer', { viewport, locale });
    const [tab, entry] = { en: ['Lookups', 'Fast Food'], ar: ['القوائم', 'وجبات سريعة'] }[lang] ?? [];
    await run(page, `${tab}`, `${entry}`);
    await screenshot(`explorer-${name}-${lang}`, { fullPage: false });
    expect(await overflow()).toEqual({ across: 0, down: 0 });
    const directions = ['header', '.status', '.graphiql-editors'].map(
      (part) => `getComputedStyle(document.querySelector('${part}')).direction`,
    );
    expect(await page.evaluate(`[${directions}]`)).toEqual([dir, dir, 'ltr']);
    await page.locator('.graphiql-tab-button').last().click();
    const { x = 0, width: length = 0 } = (await page.locator('.graphiql-tab-active').boundingBox()) ?? {};
    expect({ isSeen: x >= 0 && x + length <= viewport.width }).toEqual({ isSeen: true });
    for (const part of ['query-editor', 'editor-tools', 'response'].map((each) => `.graphiql-${each}`)) {
      await page.locator(part).first().waitFor();
      const { y = 0, width = 0, height = 0 } = (await page.locator(part).first().boundingBox()) ?? {};
      expect({ part, isSeen: width >= 250 && y + height < viewport.height }).toEqual({ part, isSeen: true });
    }
    expect(problems).toEqual([]);
  });

  test('each tab runs with the token, writes change only the tag they created, and a reload keeps edits', async () => {
    await rm(join(site.app.dataDir, 'demo-token'));
    const before = await readTags();
    const { page, problems, screenshot } = await site.open('/explorer', { colorScheme: 'dark' });
    await run(page, 'Update a tag', 'UNAUTHENTICATED');
    await page.getByLabel('Your token').fill(token);
    for (const [tab, expected] of [
      ['Update a tag', 'PRODUCT_TAG_NOT_FOUND'],
      ['Countries', 'Saudi Arabia'],
      ['Cities', '"cities"'],
      ['Branches', 'Palm Kitchen'],
      ['Create a tag', 'Spicy'],
      ['Update a tag', 'Very spicy'],
      ['Items', '"items"'],
      ['Delete a tag', 'deletedProductTagId'],
    ] as const) {
      await run(page, tab, expected);
    }
    expect(await readTags()).toEqual(before);
    await screenshot('explorer-dark', { fullPage: false });

    // Completion uses the schema.
    await page.locator('.graphiql-query-editor .view-lines').click();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('{ countr');
    await expect
      .poll(async () => {
        // The schema may still be loading.
        await page.keyboard.press('Control+Space');
        return page.locator('.suggest-widget .monaco-list-row', { hasText: 'countries' }).count();
      })
      .toBeGreaterThan(0);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate('JSON.stringify({ ...localStorage })')).toContain('{ countr');
    expect(await page.evaluate('JSON.stringify({ ...localStorage }) + location.href')).not.toContain(token);
    await page.reload();
    await page.locator('.graphiql-query-editor').getByText('countr').waitFor();
    // Each language has its own example tabs.
    await page.getByRole('link', { name: 'العربية' }).click();
    await page.locator('.graphiql-query-editor').getByText('القوائم').waitFor();
    await page.getByRole('link', { name: 'English' }).click();
    await page.locator('.graphiql-query-editor').getByText('countr').waitFor();
    await run(page, 'Items', 'Chicken Kabsa');
    expect(problems).toEqual([]);
  });
});
