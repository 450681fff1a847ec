import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterEach, describe, expect, test } from 'vitest';
import { describeInBrowser, eachWindow } from '../support/browser.ts';
import { faintTexts } from '../support/contrast.ts';
import { putDemoToken } from '../support/demo-token.ts';
import { createTenant } from '../support/tenant.ts';

describeInBrowser('the page to try REST v1', (site) => {
  const countries = '/docs#/Reference%20data/listCountries';
  const createTag = '/docs#/Product%20tags/createProductTag';

  /** Sends what is filled in; resolves to what the page shows of the answer. */
  async function execute(page: Page, operation: string): Promise<Locator> {
    const route = page.locator(`#operations-${operation}`);
    await route.getByRole('button', { name: 'Execute' }).click();
    const answer = route.locator('.live-responses-table');
    await answer.waitFor();
    return answer;
  }

  test.each(eachWindow)('$name, to a browser in $locale', async ({ name, viewport, locale, lang, dir }) => {
    const { page, problems, overflow, screenshot } = await site.open('/docs', { viewport, locale });
    await page.getByText('/product_tags/{id}').waitFor();
    await screenshot(`docs-${name}-${lang}`);
    await expect.poll(() => page.locator('.opblock').count()).toBeGreaterThanOrEqual(7);
    expect(await page.evaluate('getComputedStyle(document.body).direction')).toBe(dir);
    expect(await page.evaluate('getComputedStyle(document.querySelector(".swagger-ui")).direction')).toBe('ltr');
    expect((await overflow()).across).toBe(0);

    // What it shows of a route that reads, with its answer, and of one that writes.
    for (const path of ['/countries', '/product_tags']) {
      await page.locator(`[data-path="${path}"]`).click();
    }
    const answer = await execute(page, 'Reference_data-listCountries');
    await answer.getByText(`content-language: ${lang}`).waitFor();
    await page.locator('#operations-Product_tags-createProductTag .execute').scrollIntoViewIfNeeded();
    await screenshot(`docs-${name}-${lang}-write`, { fullPage: false });
    await answer.scrollIntoViewIfNeeded();
    await screenshot(`docs-${name}-${lang}-answer`, { fullPage: false });
    expect((await overflow()).across).toBe(0);
    expect(problems).toEqual([]);
  });

  test('in another language than the browser’s, too', async () => {
    const { page } = await site.open(countries.replace('#', '?lang=ar#'));
    const answer = await execute(page, 'Reference_data-listCountries');
    await answer.getByText('content-language: ar').waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('ar');
  });

  test('asks for another language where that is chosen', async () => {
    const { page } = await site.open(countries);
    const route = page.locator('#operations-Reference_data-listCountries');
    await route.locator('tr[data-param-name="Accept-Language"] select').selectOption('ar');
    const answer = await execute(page, 'Reference_data-listCountries');
    await answer.getByText('المملكة العربية السعودية').first().waitFor();
    expect(await answer.getByText('content-language: ar').count()).toBe(1);
  });

  test('the way to the other pages, and to itself in the other language', async () => {
    const { page } = await site.open('/docs');
    await page.getByRole('link', { name: 'العربية' }).click();
    await page.getByRole('heading', { level: 1, name: 'توثيق REST' }).waitFor();
    await page.getByRole('link', { name: 'المستكشف' }).click();
    expect(new URL(page.url()).pathname).toBe('/explorer');
  });

  test.each(['Reference%20data/listLookups', 'Product%20tags/createProductTag', 'Product%20tags/updateProductTag'])(
    'an open operation is at most 2,500 pixels tall: %s',
    async (operation) => {
      const { page } = await site.open(`/docs#/${operation}`);
      const open = page.locator('.opblock.is-open');
      await open.getByRole('button', { name: 'Execute' }).waitFor();
      expect((await open.boundingBox())?.height).toBeLessThanOrEqual(2_500);
    },
  );

  test.each(['dark', 'light'] as const)('is legible in the %s', async (colorScheme) => {
    const { page, problems, screenshot } = await site.open(countries, { colorScheme });
    await page.locator('[data-path="/product_tags"]').click();
    await execute(page, 'Reference_data-listCountries');
    await screenshot(`docs-${colorScheme}`, { fullPage: false });
    const isDark = await page.evaluate('document.documentElement.classList.contains("dark-mode")');
    expect(isDark).toBe(colorScheme === 'dark');
    expect(await faintTexts(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('becomes dark with the browser', async () => {
    const { page } = await site.open('/docs');
    await page.getByText('/product_tags/{id}').waitFor();
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.locator('.dark-mode .opblock').first().waitFor();
    await page.emulateMedia({ colorScheme: 'light' });
    await page.locator('html:not(.dark-mode) .opblock').first().waitFor();
  });

  describe('creates a tag', () => {
    afterEach(() => rm(join(site.app.dataDir, 'demo-token'), { force: true }));

    async function create(page: Page, itemIds: number[]): Promise<void> {
      const route = page.locator('#operations-Product_tags-createProductTag');
      const fields = { name_en: 'From the page', name_ar: 'من الصفحة', item_ids: itemIds };
      await route.locator('textarea.body-param__text').fill(JSON.stringify(fields));
      const answer = await execute(page, 'Product_tags-createProductTag');
      await answer.getByText('201').first().waitFor();
      await answer.scrollIntoViewIfNeeded();
    }

    const tagsOf = (companyId: number) =>
      site.app.db.selectFrom('productTags').select('nameEn').where('companyId', '=', companyId).execute();

    test('with the token that is typed in, which is not kept', async () => {
      const tenant = await createTenant(site.app.db);
      const { page, problems, screenshot } = await site.open(createTag);
      await page.getByText('enter your token under Authorize').waitFor();
      await page.getByRole('button', { name: 'Authorize' }).first().click();
      await page.getByLabel('auth-bearer-value').fill(tenant.token);
      await screenshot('docs-authorize', { fullPage: false });
      await page.locator('.auth-btn-wrapper').getByRole('button', { name: 'Apply credentials' }).click();
      await page.locator('.auth-btn-wrapper').getByRole('button', { name: 'Close' }).click();
      await create(page, tenant.products);
      await screenshot('docs-create', { fullPage: false });
      expect(problems).toEqual([]);
      expect(await tagsOf(tenant.companyId)).toEqual([{ nameEn: 'From the page' }]);
      await page.reload();
      await page.getByText('/product_tags/{id}').waitFor();
      expect(
        await page.evaluate('JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)])'),
      ).not.toContain(tenant.token);
    });

    test('with the demo partner’s token, which is filled in', async () => {
      await putDemoToken(site.app);
      const { page, problems } = await site.open(createTag);
      await page.getByText('The demo partner’s token is filled in').waitFor();
      await create(page, [1, 2]);
      expect(problems).toEqual([]);
    });
  });
});
