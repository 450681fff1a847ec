import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import { type Browser, describeInBrowser, openBrowser } from '../support/browser.ts';
import { createTenant } from '../support/tenant.ts';

describeInBrowser('the page to try REST v1', () => {
  let app: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    app = await startApp();
    browser = await openBrowser(app.url);
  });
  afterAll(async () => {
    await browser[Symbol.asyncDispose]();
    await app[Symbol.asyncDispose]();
  });

  test('shows every route, and nothing of it is from elsewhere', async () => {
    const { page, problems, screenshot } = await browser.open('/docs');
    await page.getByText('/product_tags/{id}').waitFor();
    expect(await page.locator('.opblock').count()).toBe(7);
    await screenshot('docs');
    expect(problems).toEqual([]);
  });

  test('asks for the countries in Arabic', async () => {
    const { page, problems, screenshot } = await browser.open('/docs#/Reference%20data/listCountries');
    const route = page.locator('#operations-Reference_data-listCountries');
    await route.locator('tr[data-param-name="Accept-Language"] select').selectOption('ar');
    await route.getByRole('button', { name: 'Execute' }).click();
    const answer = route.locator('.live-responses-table');
    await answer.getByText('المملكة العربية السعودية').first().waitFor();
    expect(await answer.locator('tbody .response-col_status').first().innerText()).toContain('200');
    expect(await answer.getByText('content-language: ar').count()).toBe(1);
    await answer.scrollIntoViewIfNeeded();
    await screenshot('docs-countries', { fullPage: false });
    expect(problems).toEqual([]);
  });

  test('creates a tag with the token that is typed in, which is not kept', async () => {
    const tenant = await createTenant(app.db);
    const { page, problems, screenshot } = await browser.open('/docs#/Product%20tags/createProductTag');
    await page.getByRole('button', { name: 'Authorize' }).first().click();
    await page.getByLabel('auth-bearer-value').fill(tenant.token);
    await page.locator('.auth-btn-wrapper').getByRole('button', { name: 'Apply credentials' }).click();
    await page.locator('.auth-btn-wrapper').getByRole('button', { name: 'Close' }).click();
    const route = page.locator('#operations-Product_tags-createProductTag');
    const fields = { name_en: 'From the page', name_ar: 'من الصفحة', item_ids: tenant.products };
    await route.locator('textarea.body-param__text').fill(JSON.stringify(fields));
    await route.getByRole('button', { name: 'Execute' }).click();
    const answer = route.locator('.live-responses-table');
    await answer.getByText('201').first().waitFor();
    await answer.scrollIntoViewIfNeeded();
    await screenshot('docs-create', { fullPage: false });
    expect(problems).toEqual([]);
    const { nameEn } = await app.db
      .selectFrom('productTags')
      .select('nameEn')
      .where('companyId', '=', tenant.companyId)
      .executeTakeFirstOrThrow();
    expect(nameEn).toBe('From the page');
    await page.reload();
    await page.getByText('/product_tags/{id}').waitFor();
    expect(
      await page.evaluate('JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)])'),
    ).not.toContain(tenant.token);
  });
});
