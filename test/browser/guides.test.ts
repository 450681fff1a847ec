import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeInBrowser, getBox } from './browser.ts';

describeInBrowser('requests and search of guides', (site) => {
  const runAll = async (page: Page, entries: string[]) => {
    for (const [index, entry] of entries.entries()) {
      await page.locator('.run').nth(index).click();
      const response = page.locator('.request + .response').nth(index);
      await response.getByText(/ \d+ ms$/).waitFor();
      await response.getByText(entry).first().waitFor();
    }
  };

  test('a chosen language applies to all guides; requests run, and responses can be copied', async () => {
    await site.offerToken();
    const { page, problems } = await site.open('/guides/quickstart');
    const [choice, shown] = [page.getByLabel('Show as'), page.locator('.request pre:visible')];
    await choice.selectOption('Python');
    expect(await shown.count()).toBe(await page.locator('.request').count());
    for (const code of await shown.allInnerTexts()) expect(code).toContain('import requests');
    await page.goto(`${site.app.url}/guides/rest-v1`);
    await expect.poll(() => choice.inputValue()).toBe('python');
    for (const code of await shown.allInnerTexts()) expect(code).toContain('import requests');
    // What is not JSON in a recorded response has no quotes, and it has the outcome that the request has.
    expect(await page.locator('.response').nth(1).innerText()).toMatch(
      /^Response 200 Succeeded Recorded.*"countries": \[\n.*\n +…\n/s,
    );
    await page.goBack();
    await runAll(page, ['تناول في المطعم', 'توصيل', 'Chicken Kabsa']);
    // It copies nothing, and keeps its name and the focus.
    expect(await page.locator('.run').allInnerTexts()).toEqual(Array(3).fill('Run'));
    expect(await page.evaluate('document.activeElement.matches(".run")')).toBe(true);
    await page.locator('.request + .response').nth(2).getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('status').getByText('Copied').waitFor();
    expect(JSON.parse(await page.evaluate('navigator.clipboard.readText()'))).toHaveProperty('data.items.nodes');
    expect(problems).toEqual([]);
  });

  test('requests can be shown as GraphQL, with variables and a link to the explorer', async () => {
    await site.offerToken();
    const { page, problems } = await site.open('/guides/graphql');
    await page.getByLabel('Show as').selectOption('GraphQL');
    const request = page.locator('.request').last();
    const copy = async (button: number) => {
      await request.getByRole('button', { name: 'Copy' }).nth(button).click();
      await page.getByRole('status').getByText('Copied').waitFor();
      return page.evaluate<string>('navigator.clipboard.readText()');
    };
    await request.getByText('Variables', { exact: true }).waitFor();
    expect(await copy(0)).toMatch(/^mutation DeleteTag\(\$id: Int!\) \{\n {2}deleteProductTag\(id: \$id\) \{\n/);
    await page.getByLabel('TAG_ID').fill('682000');
    await request.locator('figure').getByRole('button').click();
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe('{ "id": 682000 }');
    await request.getByRole('link', { name: 'Open in explorer' }).click();
    await page.locator('.graphiql-query-editor .view-lines').getByText('DeleteTag').first().waitFor();
    await page.locator('.graphiql-editor-tool .view-lines').getByText('682000').first().waitFor();
    // Without an id, the link has that of no tag, and the examples of the schema have their variables.
    await page.goto(`${site.app.url}/guides/schema-mutations?lang=ar`);
    const link = page.locator('article a[href*="/explorer"]').first();
    expect(await link.getAttribute('href')).toMatch(
      /\/explorer\?lang=ar#query=mutation.*&variables=[^&]*%22id%22%3A\+0%2C.*%5B0%5D/,
    );
    await page.goto(`${site.app.url}/guides/rest-v1`);
    await expect.poll(() => page.getByLabel('Show as').inputValue()).toBe('graphql');
    expect(await page.locator('.request > pre:visible').allInnerTexts()).toEqual([
      ...Array(2).fill(expect.stringMatching(/^curl /)),
      expect.stringMatching(/^\{|^query/),
      ...Array(2).fill(expect.stringMatching(/^curl /)),
    ]);
    expect(problems).toEqual([]);
  });

  test('requests use ids of earlier responses on the page', async () => {
    await site.offerToken();
    const tags = () => site.app.db.selectFrom('productTags').selectAll().orderBy('id').execute();
    const links = () => site.app.db.selectFrom('productTaggings').selectAll().orderBy('productTagId').execute();
    const { page, problems } = await site.open('/guides/rest-v1');
    const recorded = await page.locator('.response b').allInnerTexts();
    await runAll(page, ['Fast Food', 'Saudi Arabia', 'Chicken Kabsa', '201 Succeeded', '422 Failed']);
    // A response takes the place of the recorded one, and has its outcome.
    const outcomes = await page.locator('.response b').allInnerTexts();
    expect(outcomes.toSpliced(2, 1)).toEqual(recorded);
    const id = await page.getByLabel('TAG_ID').inputValue();
    expect((await tags()).map((tag) => `${tag.id}`)).toContain(id);
    expect(await page.locator('.request pre:visible').last().innerText()).toContain(`/product_tags/${id}'`);
    const before = [await tags(), await links()];

    for (const guide of ['tag-products', 'change-items']) {
      await page.goto(`${site.app.url}/guides/${guide}`);
      const runs = page.locator('.run');
      await runs.last().click();
      await page.locator('.request + .response').getByText('no earlier response has TAG_ID').waitFor();
      expect(await page.locator('.request pre:visible').last().innerText()).toContain('"variables": {"id":TAG_ID}');
      const responses = page.locator('.request + .response');
      for (let index = 0; index < (await runs.count()); index++) {
        await runs.nth(index).click();
        await responses
          .nth(index)
          .getByText(/ \d+ ms$/)
          .waitFor();
        expect(await responses.nth(index).innerText()).toMatch(/^Response 200/);
      }
      expect(await responses.last().innerText()).toMatch(/^Response 200 Succeeded/);
      expect([await tags(), await links()]).toEqual(before);
    }
    // Without an id of their own page, and with a text in its field, requests have the mark.
    await page.getByLabel('TAG_ID').fill('1}');
    expect(await page.locator('.request pre:visible').last().innerText()).toContain('"variables": {"id":TAG_ID}');
    expect(problems).toEqual([]);
  });

  test('without a demo partner, only reads run, and writes are disabled with a reason', async () => {
    const { page } = await site.open('/guides/tag-products');
    expect(await page.locator('.run').count()).toBe(3);
    expect(await page.locator('.request').getByText('requests that change data').count()).toBe(3);
  });

  test('the search finds guides, errors and schema types offline', async () => {
    const { page, problems } = await site.open('/guides?lang=ar');
    const field = page.getByRole('searchbox');
    for (const [words, found, path] of [
      ['retry', 'What to retry', '/guides/retries-and-versions?lang=ar#what-to-retry'],
      ['auth', 'Authentication', '/guides/tokens?lang=ar#authentication-send-it-with-each-request'],
      ['item_not_prod', 'item_not_product', '/guides/errors?lang=ar#item_not_product'],
      ['get token', 'Tokens', '/guides/tokens?lang=ar#get-a-token'],
      ['pagination', 'Pagination', '/guides/graphql?lang=ar#pagination-connections-and-cursors'],
      ['How do I list my tags?', 'List your tags', '/guides/tag-products?lang=ar#list-your-tags'],
      ['delete tag', 'Delete a tag', '/guides/tag-products?lang=ar#delete-a-tag'],
      ['CORS', 'Calls from a browser', '/guides/questions?lang=ar#calls-from-a-browser-cors-and-your-proxy'],
      ['proxy', 'Calls from a browser', '/guides/questions?lang=ar#calls-from-a-browser-cors-and-your-proxy'],
      ['webhook', 'webhooks', '/guides/questions?lang=ar#are-there-webhooks-or-subscriptions'],
      ['subscription', 'subscriptions', '/guides/questions?lang=ar#are-there-webhooks-or-subscriptions'],
      ['api key', 'API key', '/guides/questions?lang=ar#how-do-i-get-an-api-key'],
      ['sandbox', 'sandbox', '/guides/questions?lang=ar#is-there-a-sandbox'],
      ['postman', 'Postman', '/guides/questions?lang=ar#does-it-work-with-postman'],
      ['rate limit', 'rate', '/guides/questions?lang=ar#what-are-the-rate-limits'],
      ['sdk', 'SDK', '/guides/questions?lang=ar#is-there-an-sdk-or-a-client-library'],
      ['ProductTag', 'ProductTag', '/guides/schema-types?lang=ar#ProductTag'],
    ] as const) {
      await field.fill(words);
      await page.locator('#found a', { hasText: found }).first().waitFor();
      if (words !== 'ProductTag')
        await expect.poll(() => page.locator('#found a').first().innerText()).toContain(found);
      expect(await page.locator(`#found a[href="${path}"]`).count()).toBe(1);
    }
    // An excerpt has whole words and apostrophes, and neither the title nor the texts of buttons.
    await field.fill('default POS company');
    const company = page.locator('#found a', { hasText: 'company · Schema: queries' }).first();
    await company.waitFor();
    expect(await company.locator('small').innerText()).toMatch(/^The partner's default POS company, .*\S …$/);
    expect(await page.locator('#found').innerText()).not.toMatch(/\bCopy\b|\bRun\b/);
    await field.fill('qqqqqq');
    await page.locator('#found').getByText('لا نتائج').waitFor();
    await page.getByRole('status').getByText('لا نتائج').waitFor();
    await field.fill('item_not_product');
    await page.locator('#found a').first().click();
    await page.locator('#item_not_product[open]').waitFor();
    expect(problems).toEqual([]);
  });

  test('the search works by keyboard: slash, Ctrl-K, arrows, Enter and Escape', async () => {
    const { page, problems } = await site.open('/guides/limits');
    const field = page.getByRole('searchbox');
    const isFocused = () => field.evaluate('document.activeElement.id === "search"');
    await page.keyboard.press('/');
    expect(await isFocused()).toBe(true);
    await field.blur();
    await page.keyboard.press('Control+k');
    expect(await isFocused()).toBe(true);

    // A failed load is tried again.
    const index = '**/guides/search.json';
    await page.route(index, (route) => route.abort());
    await page.keyboard.type('retr');
    await page.unroute(index);
    await page.keyboard.type('y');
    const hits = page.locator('#found a');
    await expect.poll(() => hits.count()).toBeGreaterThan(1);
    // The live region has the number, not the results.
    await page
      .getByRole('status')
      .getByText(`Results: ${await hits.count()}`)
      .waitFor();
    expect(await hits.first().innerText()).toContain('What to retry');
    expect(await hits.locator('mark').first().innerText()).toMatch(/^retr/i);
    const focused = () => page.evaluate('[...document.querySelectorAll("#found a")].indexOf(document.activeElement)');
    for (const [key, at] of [
      ['ArrowDown', 0],
      ['ArrowDown', 1],
      ['ArrowUp', 0],
      ['ArrowUp', -1],
    ] as const) {
      await page.keyboard.press(key);
      expect(await focused()).toBe(at);
    }
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Escape');
    expect([await isFocused(), await field.inputValue()]).toEqual([true, '']);
    await expect.poll(() => hits.count()).toBe(0);
    await page.keyboard.type('retry');
    await expect.poll(() => hits.count()).toBeGreaterThan(1);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/guides/retries-and-versions?lang=en#what-to-retry');
    expect(problems).toEqual([]);
  });

  test('anchors of the former single schema page redirect', async () => {
    const { page, problems } = await site.open('/guides/schema#createProductTag');
    await page.waitForURL('**/guides/schema-mutations?lang=en#createProductTag');
    await page.goto(`${site.app.url}/guides/schema?lang=ar#UserErrorCode`);
    await page.waitForURL('**/guides/schema-types?lang=ar#UserErrorCode');
    expect(problems).toEqual([]);
  });

  test('the list of guides marks the current guide', async () => {
    const { page } = await site.open('/guides/changes', { viewport: { width: 1280, height: 600 } });
    const list = await getBox(page, '.guide > nav');
    const { y, height } = await getBox(page, '.guide > nav [aria-current]');
    expect(y).toBeGreaterThan(list.y);
    expect(y + height).toBeLessThan(600);
  });

  test('the table of contents marks the visible section', async () => {
    const { page, problems } = await site.open('/guides/limits', { viewport: { width: 1440, height: 900 } });
    const current = page.locator('aside a[aria-current]');
    const section = page.locator('#graphql-documents');
    await section.evaluate('document.getElementById("graphql-documents").scrollIntoView()');
    await expect.poll(() => current.allInnerTexts()).toEqual(['GraphQL documents']);
    await page.keyboard.press('End');
    await expect.poll(() => current.allInnerTexts()).toEqual(['Cost']);
    expect(problems).toEqual([]);
  });

  test('on a phone, table cells are stacked and labeled with column names', async () => {
    const { page, overflow } = await site.open('/guides/limits', { viewport: { width: 390, height: 844 } });
    const cells = page.locator('article tr', { hasText: 'items of a tag' }).locator('td');
    const [name, value] = [await cells.nth(0).boundingBox(), await cells.nth(1).boundingBox()];
    expect(value?.x).toBe(name?.x);
    expect(value?.y).toBeGreaterThan(name?.y ?? 0);
    const label = 'getComputedStyle(document.querySelector("[data-column=value]"), "::before").content';
    expect(await page.evaluate(label)).toBe('"value: "');
    expect((await overflow()).across).toBe(0);
  });

  test('the 404 page has a search and links to the guides', async () => {
    const { page, problems } = await site.open('/guides/nothing');
    await page.getByRole('searchbox').fill('retry');
    await page.locator('#found a').first().click();
    await page.waitForURL('**/guides/retries-and-versions?lang=en#what-to-retry');
    await page.goBack();
    await page.locator('main').getByRole('link', { name: 'Guides' }).click();
    await page.waitForURL('**/guides?lang=en');
    expect(problems).toEqual([]);
  });
});
