import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { createTenant } from '../support/tenant.ts';
import { describeInBrowser, eachWindow, languages } from './browser.ts';

// Swagger UI takes seconds to render, so each page is loaded once for several checks.
describeInBrowser('the page to try REST v1', (site) => {
  const [countries, lookups] = ['Reference_data-listCountries', 'Reference_data-listLookups'];
  const create = 'Product_tags-createProductTag';
  const open = (page: Page, operation: string) =>
    page.locator(`#operations-${operation} .opblock-summary-control`).click();

  /** Sends a request as filled in; resolves to the element with the response. */
  async function execute(page: Page, operation: string): Promise<Locator> {
    const route = page.locator(`#operations-${operation}`);
    await route.getByRole('button', { name: 'Execute' }).click();
    return route.locator('.live-responses-table');
  }

  async function createTag(page: Page, itemIds: number[]): Promise<void> {
    const fields = { name_en: 'From the page', name_ar: 'من الصفحة', item_ids: itemIds };
    await page.locator(`#operations-${create} textarea.body-param__text`).fill(JSON.stringify(fields));
    await (await execute(page, create)).getByText('201').first().waitFor();
  }

  test('creates a tag with the token that is typed in, which is not stored', async () => {
    const tenant = await createTenant(site.app.db);
    const { page, problems } = await site.open('/docs#/Product%20tags/createProductTag');
    await page.getByText('enter your token under Authorize').waitFor();
    await page.getByRole('button', { name: 'Authorize' }).first().click();
    await page.getByLabel('auth-bearer-value').fill(tenant.token);
    await page.locator('.auth-btn-wrapper').getByRole('button', { name: 'Apply credentials' }).click();
    await page.locator('.auth-btn-wrapper').getByRole('button', { name: 'Close' }).click();
    await createTag(page, tenant.products);
    const tags = site.app.db.selectFrom('productTags').select('nameEn').where('companyId', '=', tenant.companyId);
    expect(await tags.execute()).toEqual([{ nameEn: 'From the page' }]);
    await page.reload({ waitUntil: 'domcontentloaded' });
    const stored = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])');
    expect(stored).not.toContain(tenant.token);
    expect(problems).toEqual([]);
  });

  test.each(languages)('wide and narrow, to a browser in %s', async (locale, lang, dir) => {
    await site.offerToken();
    const { page, problems, overflow } = await site.open('/docs', { locale });
    await page.getByText('/product_tags/{id}').first().waitFor();
    await expect.poll(() => page.locator('.opblock').count()).toBeGreaterThanOrEqual(7);
    expect(await page.evaluate('getComputedStyle(document.body).direction')).toBe(dir);
    expect(await page.locator('.opblock .authorization__btn').count(), 'padlocks of routes that write').toBe(3);
    expect(await page.evaluate('getComputedStyle(document.querySelector(".swagger-ui")).direction')).toBe('ltr');

    for (const operation of [countries, create, lookups]) await open(page, operation);
    await (await execute(page, countries)).getByText(`content-language: ${lang}`).waitFor();
    // The response comes first and is whole: nothing in it scrolls.
    const live = page.locator(`#operations-${countries} .responses-inner > div`).first();
    expect(
      await live.evaluate(`(() => {
      const all = [...document.querySelectorAll('#operations-${countries} .responses-inner > div *')];
      const top = (selector) => document.querySelector('#operations-${countries} ' + selector).getBoundingClientRect().top;
      const scrollers = all.filter((each) => each.scrollHeight > each.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(each).overflowY));
      return { scrollers: scrollers.length, isFirst: top('.live-responses-table') < top('.curl-command') };
    })()`),
    ).toEqual({ scrollers: 0, isFirst: true });

    for (const { name, viewport } of eachWindow.filter((window) => window.lang === lang)) {
      await page.setViewportSize(viewport);
      expect((await overflow()).across, name).toBe(0);
    }
    expect(problems).toEqual([]);
  });
});
