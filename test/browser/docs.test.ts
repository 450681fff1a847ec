import { expect, test } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { createTenant } from '../support/tenant.ts';

describeInBrowser('the page to try REST v1', (site) => {
  test('shows every route, and nothing of it is from elsewhere', async () => {
    const { page, problems, screenshot } = await site.open('/docs');
    await page.getByText('/product_tags/{id}').waitFor();
    expect(await page.locator('.opblock').count()).toBe(7);
    await screenshot('docs');
    expect(problems).toEqual([]);
  });

  test('asks for the countries in Arabic', async () => {
    const { page, problems, screenshot } = await site.open('/docs#/Reference%20data/listCountries');
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
    const tenant = await createTenant(site.app.db);
    const { page, problems, screenshot } = await site.open('/docs#/Product%20tags/createProductTag');
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
    const { nameEn } = await site.app.db
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
