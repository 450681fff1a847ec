import { expect, test } from 'vitest';
import { describeInBrowser } from './browser.ts';

describeInBrowser('requests and search of guides', (site) => {
  test('one choice of a language counts for all requests, and stays; requests that read run', async () => {
    await site.offerToken();
    const { page, problems } = await site.open('/guides/quickstart');
    const [choices, shown] = [page.locator('.request select'), page.locator('.request pre:visible')];
    expect(await shown.count()).toBe(await choices.count());
    await choices.nth(2).selectOption('Python');
    expect(await shown.allInnerTexts()).toEqual(expect.arrayContaining([expect.stringContaining('import requests')]));
    await page.reload();
    await expect.poll(() => choices.first().inputValue()).toBe('python');
    for (const code of await shown.allInnerTexts()) expect(code).toContain('import requests');
    // Only those that read have a button: three of five.
    expect(await page.locator('.run').count()).toBe(3);
    for (const [index, entry] of ['تناول في المطعم', 'توصيل', 'Chicken Kabsa'].entries()) {
      await page.locator('.run').nth(index).click();
      await page.locator('.request + .response').nth(index).getByText(entry).waitFor();
    }
    // It copies nothing, and keeps its name and the focus.
    expect(await page.locator('.run').allInnerTexts()).toEqual(Array(3).fill('Run'));
    expect(await page.evaluate('document.activeElement.matches(".run")')).toBe(true);
    expect(problems).toEqual([]);
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
