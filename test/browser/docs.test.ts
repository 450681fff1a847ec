import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeInBrowser, eachWindow, languages, tabTo } from './browser.ts';

describeInBrowser('the page to try REST v1', (site) => {
  /** Opens a route, and resolves to its element. */
  const open = async (page: Page, id: string) => {
    const route = page.locator(`#operations-${id}`);
    await route.locator('.opblock-summary-control').click();
    return route;
  };

  test('Swagger UI requires parameters, and prefers an entered token to the demo token', async () => {
    await site.offerToken();
    const { page, problems } = await site.open('/docs');
    const update = await open(page, 'Product_tags-updateProductTag');
    await update.getByRole('button', { name: 'Execute' }).click();
    await update.locator('[data-param-name=id] input.invalid').waitFor();
    expect(await update.locator('.live-responses-table').count()).toBe(0);
    await update.locator('[data-param-name=id] input').fill('999999');
    await update.getByRole('button', { name: 'Execute' }).click();
    await update.locator('.live-responses-table').getByText('product_tag_not_found').first().waitFor();

    await page.getByRole('button', { name: 'Authorize' }).click();
    await page.locator('.auth-container input').fill('pp_other');
    await page.locator('.auth-container .authorize').click();
    await page.locator('.auth-container .btn-done').click();
    await update.getByRole('button', { name: 'Execute' }).click();
    await update.locator('.live-responses-table').getByText('unauthenticated').first().waitFor();
    expect(problems).toEqual([]);
  });

  test('a keyboard user can find, open and send a route, and reach its response', async () => {
    await site.offerToken();
    const { page } = await site.open('/docs');
    await page.locator('.opblock').first().waitFor();
    await tabTo(page, '.operation-filter-input');
    await page.keyboard.type('cities');
    await expect.poll(() => page.locator('.opblock').count()).toBe(1);
    await tabTo(page, '.opblock-summary-control');
    await page.keyboard.press('Enter');
    await page.locator('.execute').waitFor();
    await tabTo(page, '.execute');
    await page.keyboard.press('Enter');
    await page.locator('.live-responses-table').getByText('Riyadh').first().waitFor();
    await tabTo(page, '.live-responses-table button');
  });

  test.each(languages)('wide and narrow in %s, with the browser language in requests', async (locale, lang) => {
    const { page, problems, overflow } = await site.open('/docs', { locale });
    const countries = await open(page, 'Reference_data-listCountries');
    await countries.getByRole('button', { name: 'Execute' }).click();
    await countries.locator('.live-responses-table').getByText(`content-language: ${lang}`).waitFor();
    for (const { name, viewport } of eachWindow.filter((window) => window.lang === lang)) {
      await page.setViewportSize(viewport);
      expect((await overflow()).across, name).toBe(0);
    }
    expect(problems).toEqual([]);
  });
});
