import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { describeInBrowser, eachWindow } from '../support/browser.ts';
import { putDemoToken } from '../support/demo-token.ts';

describeInBrowser('the explorer', (site) => {
  beforeAll(async () => void (await putDemoToken(site.app)));

  // A library of Altair tries eval, and goes on without it.
  const withoutEval = (problems: string[]) => problems.filter((problem) => !problem.includes('script-src eval'));

  const response = (page: Page) => page.locator('app-query-result .cm-content');

  test.each(eachWindow)(
    '$name, to a browser in $locale: the first tab has run',
    async ({ name, viewport, locale, lang, dir }) => {
      const { page, problems, overflow, screenshot } = await site.open('/explorer', { viewport, locale });
      const brandType = { en: 'Fast Food', ar: 'وجبات سريعة' }[lang] ?? '';
      await response(page).getByText(brandType).first().waitFor();
      await screenshot(`explorer-${name}-${lang}`, { fullPage: false });
      expect(await overflow()).toEqual({ across: 0, down: 0 });
      for (const around of ['header', '.status']) expect(await page.locator(around).getAttribute('dir')).toBe(dir);
      for (const pane of ['app-query-editor', 'app-query-result']) {
        expect(await page.evaluate(`getComputedStyle(document.querySelector('${pane}')).direction`)).toBe('ltr');
        const { width = 0, height = 0 } = (await page.locator(pane).boundingBox()) ?? {};
        expect({ pane, isLarge: width >= 250 && height >= 180 }).toEqual({ pane, isLarge: true });
      }
      expect(withoutEval(problems)).toEqual([]);
    },
  );

  test('every tab opens by keyboard and runs with the demo partner’s token, which is not stored; the editor completes', async () => {
    const { page, problems, screenshot } = await site.open('/explorer', { colorScheme: 'dark' });
    await response(page).getByText('Fast Food').first().waitFor();
    for (const [tab = '', expected = ''] of [
      ['Countries', 'Saudi Arabia'],
      ['Cities', '"cities"'],
      ['Branches', 'Olaya'],
      ['Create tag', 'Spicy'],
      ['Update tag', 'Very spicy'],
      ['Items', '"items"'],
      ['Delete tag', 'deletedProductTagId'],
    ]) {
      await page.locator('.window-switcher__item', { hasText: tab }).focus();
      await page.keyboard.press('Enter');
      await page.locator('.window-switcher__item--active', { hasText: tab }).waitFor();
      await page.locator('.send-request__button').click();
      await response(page).getByText(expected).first().waitFor();
    }
    await screenshot('explorer-dark', { fullPage: false });
    expect(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')).not.toContain('pp_');

    // It completes by the schema.
    await page.locator('app-query-editor .cm-content').first().click();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('{ countr');
    await expect
      .poll(async () => {
        // The schema may still be loading.
        await page.keyboard.press('Control+Space');
        return page.locator('.cm-tooltip-autocomplete li', { hasText: 'countries' }).count();
      })
      .toBeGreaterThan(0);
    expect(withoutEval(problems)).toEqual([]);
  });
});
