import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { describeInBrowser, eachWindow } from '../support/browser.ts';
import { putDemoToken } from '../support/demo-token.ts';

describeInBrowser('the explorer', (site) => {
  beforeAll(async () => void (await putDemoToken(site.app)));

  const tabs = ['Lookups', 'CountriesInArabic', 'Branches', 'ItemsWithTags', 'CreateTag', 'UpdateTag'];

  const panes = ['.graphiql-query-editor .monaco-editor', '.graphiql-response .monaco-editor'];

  /** Runs the tab; resolves to the answer as the page shows it. */
  async function run(page: Page, tab: string): Promise<string> {
    await page.getByRole('tab', { name: tab }).click();
    // Until the editor has it, there is nothing that the button could run.
    await page.locator('.graphiql-query-editor .view-lines').getByText(tab).first().waitFor();
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

  const names = { en: '"name": "Fast Food"', ar: '"name": "وجبات سريعة"' };

  test.each(eachWindow)(
    '$name, to a browser in $locale it runs what it opens on, and shows the answer',
    async ({ name, viewport, locale, lang, dir }) => {
      const { page, problems, overflow, screenshot } = await site.open('/explorer', { viewport, locale });
      await page.getByRole('tab', { name: 'Lookups' }).waitFor();
      expect(await run(page, 'Lookups')).toContain(names[lang]);
      await screenshot(`explorer-${name}-${lang}`, { fullPage: false });
      expect(await overflow()).toEqual({ across: 0, down: 0 });
      // The page's direction is its language's, what is written in it is code.
      const directionOf = (selector: string) =>
        page.evaluate(`getComputedStyle(document.querySelector('${selector}')).direction`);
      for (const around of ['header', '.status']) expect(await directionOf(around), around).toBe(dir);
      for (const pane of panes) {
        expect(await directionOf(pane), pane).toBe('ltr');
        const box = await page.locator(pane).boundingBox();
        // Room for a line of an operation, and for a few of them.
        expect({ pane, isWide: (box?.width ?? 0) >= 250 }).toEqual({ pane, isWide: true });
        expect({ pane, isHigh: (box?.height ?? 0) >= 180 }).toEqual({ pane, isHigh: true });
      }
      expect(problems).toEqual([]);
    },
  );

  test('where there is no room beside it, the documentation takes its place', async () => {
    const { page, overflow, screenshot } = await site.open('/explorer', { viewport: { width: 390, height: 844 } });
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
    const documentation = page.locator('.graphiql-plugin');
    await documentation.getByText('Root Types').waitFor();
    await screenshot('explorer-narrow-documentation', { fullPage: false });
    await expect.poll(async () => (await documentation.boundingBox())?.width).toBe(390);
    expect(await page.locator('.graphiql-sessions').isVisible()).toBe(false);
    expect((await overflow()).across).toBe(0);
    await page.getByRole('button', { name: 'Hide Documentation Explorer' }).click();
    expect(await run(page, 'Lookups')).toContain(names.en);
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

  test('completes by the schema', async () => {
    const { page, problems, screenshot } = await site.open('/explorer');
    const editor = page.locator('.graphiql-query-editor .monaco-editor').first();
    await editor.getByText('Lookups').first().waitFor();
    await page.getByRole('button', { name: 'New tab' }).click();
    await expect.poll(async () => (await editor.locator('.view-lines').textContent())?.trim()).toBe('');
    await editor.click();
    await page.keyboard.type('{ countr');
    const suggestion = page.locator('.suggest-widget .monaco-list-row', { hasText: 'countries' });
    await expect
      .poll(async () => {
        // The schema is still being read, perhaps.
        await page.keyboard.press('Control+Space');
        return suggestion.count();
      })
      .toBeGreaterThan(0);
    await screenshot('explorer-completion', { fullPage: false });
    await suggestion.first().click();
    await page.keyboard.type(' { nameA');
    await page.locator('.suggest-widget .monaco-list-row', { hasText: 'nameAr' }).first().click();
    expect((await editor.locator('.view-lines').textContent())?.replaceAll('\u00a0', ' ')).toContain(
      '{ countries { nameAr',
    );
    expect(problems).toEqual([]);
  });

  test('shows the documentation of the schema', async () => {
    const { page, problems, screenshot } = await site.open('/explorer');
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
    await page.locator('a', { hasText: /^Query$/ }).click();
    await page.getByText('Every country: Saudi Arabia first').first().waitFor();
    await screenshot('explorer-documentation');
    expect(problems).toEqual([]);
  });
});
