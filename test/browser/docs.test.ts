import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { createTenant } from '../support/tenant.ts';
import { describeInBrowser, eachWindow, languages } from './browser.ts';

// Swagger UI takes seconds to render, so each page is loaded once for several checks.
describeInBrowser('the page to try REST v1', (site) => {
  const [countries, lookups] = ['Reference_data-listCountries', 'Reference_data-listLookups'];
  const [create, update] = ['Product_tags-createProductTag', 'Product_tags-updateProductTag'];
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

  test('with the reader’s token, creates a tag whose id the updates get; nothing else can be changed by Execute', async () => {
    const tenant = await createTenant(site.app.db);
    const { page, problems } = await site.open('/docs#/Product%20tags/createProductTag');
    await page.getByLabel('Your token').fill(tenant.token);
    await open(page, update);
    const field = page.locator(`#operations-${update}`).getByLabel('id', { exact: true });
    expect(await field.inputValue()).toBe('');
    // The message and the focus are at the missing field.
    await page.locator(`#operations-${update}`).getByRole('button', { name: 'Execute' }).click();
    const message = page.locator(`#operations-${update} .missing`);
    await message.waitFor();
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('id');
    expect(await page.evaluate('document.activeElement.ariaInvalid')).toBe('true');
    expect(
      await field.evaluate(
        'document.getElementById(document.activeElement.getAttribute("aria-describedby")).innerText',
      ),
    ).toBe('Required field is not provided');
    const [at, below] = [await field.boundingBox(), await message.boundingBox()];
    expect((below?.y ?? 0) - (at?.y ?? 0)).toBeLessThan(80);

    await createTag(page, tenant.products);
    const tags = () =>
      site.app.db
        .selectFrom('productTags')
        .select(['id', 'nameEn'])
        .where('companyId', '=', tenant.companyId)
        .execute();
    const [tag] = await tags();
    expect(tag?.nameEn).toBe('From the page');
    await expect.poll(() => field.inputValue()).toBe(`${tag?.id}`);
    await expect.poll(() => message.count()).toBe(0);
    const body = page.locator(`#operations-${update} textarea.body-param__text`);
    await body.fill(JSON.stringify({ name_en: 'Updated' }));
    await (await execute(page, update)).getByText('200').first().waitFor();
    expect(await tags()).toEqual([{ id: tag?.id, nameEn: 'Updated' }]);
    await open(page, 'Product_tags-patchProductTag');
    const patched = page.locator('#operations-Product_tags-patchProductTag').getByLabel('id', { exact: true });
    expect(await patched.inputValue()).toBe(`${tag?.id}`);

    // The request is shown in each language, as in the guides.
    const request = page.locator(`#operations-${update} figure.requests`);
    for (const [language, part] of [
      ['curl', `curl -s -X PUT '${site.app.url}/partner_portal/v1/product_tags/${tag?.id}'`],
      ['JavaScript', "body: JSON.stringify({ name_en: 'Updated' })"],
      ['PHP', "json_encode(['name_en' => 'Updated'])"],
      ['Ruby', "send_request('PUT'"],
      ['Python', "json={'name_en': 'Updated'}"],
    ] as const) {
      await request.getByRole('combobox').selectOption(language);
      await expect.poll(() => request.locator('pre').innerText()).toContain(part);
      expect(await request.locator('pre').innerText()).toContain(`Bearer ${tenant.token}`);
    }
    await page.reload({ waitUntil: 'domcontentloaded' });
    expect(await page.evaluate('localStorage.requests')).toBe('python');
    const stored = await page.evaluate('JSON.stringify([{ ...localStorage }, document.cookie, location.href])');
    expect(stored).not.toContain(tenant.token);
    expect(problems).toEqual([]);
  });

  test('a route is found by words, opened by its address, and sent in less than 25 presses of Tab', async () => {
    await site.offerToken();
    const { page } = await site.open('/docs');
    await page.locator('.opblock').first().waitFor();
    let presses = 0;
    const tabTo = async (selector: string) => {
      do {
        await page.keyboard.press('Tab');
        expect(++presses).toBeLessThan(25);
      } while (!(await page.evaluate(`document.activeElement.matches('${selector}')`)));
    };
    await tabTo('.skip');
    await page.keyboard.press('Enter');
    await tabTo('.operation-filter-input');
    await page.keyboard.type('create tag');
    await expect.poll(() => page.locator('.opblock').count()).toBe(1);
    await tabTo('.opblock-summary-control');
    await page.keyboard.press('Enter');
    await page.locator('textarea').waitFor();
    await tabTo('textarea');
    await expect.poll(() => page.evaluate('document.activeElement.value')).toContain('name_en');
    await tabTo('.execute');
    await page.keyboard.press('Enter');
    await page.locator('.live-responses-table').getByText('201').first().waitFor();
    await expect.poll(() => page.evaluate('location.hash')).toBe('#/Product%20tags/createProductTag');
    await page.evaluate('document.activeElement.blur()');
    await page.keyboard.press('/');
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Search the routes');
    await page.keyboard.type('/');
    expect(await page.getByLabel('Search the routes').inputValue()).toBe('create tag/');
    await page.getByLabel('Search the routes').fill('cities');
    await expect.poll(() => page.locator('.opblock').count()).toBe(1);
    await page.locator('.opblock', { hasText: '/cities' }).waitFor();
  });

  test.each(languages)('wide and narrow, to a browser in %s', async (locale, lang, dir) => {
    await site.offerToken();
    const { page, problems, overflow } = await site.open('/docs', { locale });
    await page.getByText('/product_tags/{id}').first().waitFor();
    await expect.poll(() => page.locator('.opblock').count()).toBeGreaterThanOrEqual(7);
    expect(await page.evaluate('getComputedStyle(document.body).direction')).toBe(dir);
    expect(await page.locator('.opblock .needs-token').count(), 'routes that write').toBe(3);
    expect(await page.evaluate('getComputedStyle(document.querySelector(".swagger-ui")).direction')).toBe('ltr');

    for (const operation of [countries, create, lookups]) await open(page, operation);
    await (await execute(page, countries)).getByText(`content-language: ${lang}`).waitFor();
    for (const { name, viewport } of eachWindow.filter((window) => window.lang === lang)) {
      await page.setViewportSize(viewport);
      expect((await overflow()).across, name).toBe(0);
    }
    expect(problems).toEqual([]);
  });
});
