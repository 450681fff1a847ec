import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { issueToken } from '../../src/auth/token.service.ts';
import { demoPartner } from '../../src/seed/demo-data.ts';
import { describeInBrowser } from '../support/browser.ts';

describeInBrowser('the explorer', (site) => {
  beforeAll(async () => {
    const issued = await issueToken(site.app.db, demoPartner, null);
    if ('refused' in issued) throw new Error(issued.refused);
    await writeFile(join(site.app.dataDir, 'demo-token'), issued.token);
  });

  const tabs = ['Lookups', 'CountriesInArabic', 'Branches', 'ItemsWithTags', 'CreateTag', 'UpdateTag'];

  /** Runs the tab; resolves to the answer as the page shows it. */
  async function run(page: Page, tab: string): Promise<string> {
    await page.getByRole('tab', { name: tab }).click();
    const answered = page.waitForResponse(
      (response) => response.url().endsWith('/graphql') && response.request().postData()?.includes(tab) === true,
    );
    await page.getByRole('button', { name: /Execute query/ }).click();
    await answered;
    const shown = page.locator('.graphiql-response .view-lines');
    await shown.getByText('data').first().waitFor();
    // The editor writes spaces that do not break.
    return ((await shown.textContent()) ?? '').replaceAll('\u00a0', ' ');
  }

  test.each([
    ['en-GB', 'en', '"name": "Bakery"'],
    ['ar-SA', 'ar', '"name": "مخبز"'],
  ])('in %s it runs what it opens on, and shows the answer', async (locale, lang, expected) => {
    const { page, problems, screenshot } = await site.open('/explorer', { locale });
    await page.getByRole('tab', { name: 'Lookups' }).waitFor();
    expect(await run(page, 'Lookups')).toContain(expected);
    await screenshot(`explorer-${lang}`, { fullPage: false });
    // Nothing is beyond the window.
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(1280);
    expect(problems).toEqual([]);
  });

  test('all its tabs run, with the demo partner’s token', async () => {
    const { page, problems, screenshot } = await site.open('/explorer', { colorScheme: 'dark' });
    await page.getByRole('tab', { name: 'Lookups' }).waitFor();
    expect(await page.locator('.graphiql-tab-button').allTextContents()).toEqual(tabs);
    for (const tab of tabs) expect(await run(page, tab)).not.toContain('"errors"');
    await screenshot('explorer-dark');
    expect(await run(page, 'CountriesInArabic')).toContain('المملكة العربية السعودية');
    expect(await run(page, 'ItemsWithTags')).toContain('Very spicy');
    expect(problems).toEqual([]);
  });

  test('completes by the schema, and shows its documentation', async () => {
    const { page, problems, screenshot } = await site.open('/explorer');
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
    await page.locator('a', { hasText: /^Query$/ }).click();
    await page.getByText('Every country: Saudi Arabia first').first().waitFor();
    await screenshot('explorer-documentation');
    expect(problems).toEqual([]);
  });
});
