import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeInBrowser } from './browser.ts';

describeInBrowser('requests and search of guides', (site) => {
  const runAll = async (page: Page, entries: string[]) => {
    for (const [index, entry] of entries.entries()) {
      await page.locator('.run').nth(index).click();
      await page.locator('.request + .response').nth(index).getByText(entry).first().waitFor();
    }
  };

  test('one choice of a language counts for all guides; each request runs, and its response can be copied', async () => {
    await site.offerToken();
    const { page, problems } = await site.open('/guides/quickstart');
    const [choice, shown] = [page.getByLabel('Show as'), page.locator('.request pre:visible')];
    await choice.selectOption('Python');
    expect(await shown.count()).toBe(await page.locator('.request').count());
    for (const code of await shown.allInnerTexts()) expect(code).toContain('import requests');
    await page.goto(`${site.app.url}/guides/rest-v1`);
    await expect.poll(() => choice.inputValue()).toBe('python');
    for (const code of await shown.allInnerTexts()) expect(code).toContain('import requests');
    await page.goBack();
    await runAll(page, ['تناول في المطعم', 'توصيل', 'Chicken Kabsa', '201 Succeeded', '422 Failed']);
    // It copies nothing, and keeps its name and the focus.
    expect(await page.locator('.run').allInnerTexts()).toEqual(Array(5).fill('Run'));
    expect(await page.evaluate('document.activeElement.matches(".run")')).toBe(true);
    await page.locator('.request + .response').nth(2).getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('status').getByText('Copied').waitFor();
    expect(JSON.parse(await page.evaluate('navigator.clipboard.readText()'))).toHaveProperty('data.items.nodes');
    expect(problems).toEqual([]);
  });

  test('requests get the ids of earlier responses of their page, so no guide changes the tag of another', async () => {
    await site.offerToken();
    const tags = () => site.app.db.selectFrom('productTags').selectAll().orderBy('id').execute();
    const links = () => site.app.db.selectFrom('productTaggings').selectAll().orderBy('productTagId').execute();
    const { page, problems } = await site.open('/guides/quickstart');
    await runAll(page, ['تناول في المطعم', 'توصيل', 'Chicken Kabsa', '201 Succeeded', '422 Failed']);
    const id = await page.getByLabel('TAG_ID').inputValue();
    expect((await tags()).map((tag) => `${tag.id}`)).toContain(id);
    expect(await page.locator('.request pre:visible').last().innerText()).toContain(`/product_tags/${id}'`);
    const before = [await tags(), await links()];

    await page.goto(`${site.app.url}/guides/graphql`);
    const runs = page.locator('.run');
    await runs.last().click();
    await page.locator('.request + .response').getByText('no earlier response has TAG_ID').waitFor();
    expect(await page.locator('.request pre:visible').last().innerText()).toContain('"variables": {"id":TAG_ID}');
    const outcomes = page.locator('.request + .response b');
    for (let index = 0; index < (await runs.count()); index++) {
      await runs.nth(index).click();
      await expect.poll(() => outcomes.nth(index).innerText()).toMatch(/^200/);
    }
    expect(await outcomes.last().innerText()).toBe('200 Succeeded');
    expect([await tags(), await links()]).toEqual(before);
    // Without an id of their own page, and with a text in its field, requests have the mark.
    await page.getByLabel('TAG_ID').fill('1}');
    expect(await page.locator('.request pre:visible').last().innerText()).toContain('"variables": {"id":TAG_ID}');
    expect(problems).toEqual([]);
  });

  test('without a demo partner, only requests that read run, and the others say why', async () => {
    const { page } = await site.open('/guides/quickstart');
    expect(await page.locator('.run').count()).toBe(3);
    expect(await page.locator('.request').getByText('this request changes data').count()).toBe(2);
  });

  test('the search finds sections of guides, errors and types of the schema, without the internet', async () => {
    const { page, problems } = await site.open('/guides?lang=ar');
    const field = page.getByRole('searchbox');
    for (const [words, found, path] of [
      ['retry', 'What to retry', '/guides/retries-and-versions?lang=ar#what-to-retry'],
      ['item_not_prod', 'item_not_product', '/guides/errors?lang=ar#item_not_product'],
      ['ProductTag', 'ProductTag', '/guides/schema?lang=ar#ProductTag'],
    ] as const) {
      await field.fill(words);
      const link = page.locator('#found a', { hasText: found }).first();
      await link.waitFor();
      expect(await page.locator(`#found a[href="${path}"]`).count()).toBe(1);
    }
    await field.fill('qqqqqq');
    await page.getByText('لا نتائج').waitFor();
    await field.fill('item_not_product');
    await page.locator('#found a').first().click();
    await page.locator('#item_not_product[open]').waitFor();
    expect(problems).toEqual([]);
  });
});
