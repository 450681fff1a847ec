import { rm } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { describeInBrowser, languages, windows } from './browser.ts';

describeInBrowser('the explorer', (site) => {
  beforeEach(() => site.offerToken());

  const run = async (page: Page, tab: string, expected: string) => {
    await page.locator('#example').selectOption(tab);
    await page.locator('.graphiql-query-editor .view-lines').getByText(tab).first().waitFor();
    await page.getByRole('button', { name: /Execute query/ }).click();
    await page.locator('.graphiql-response').getByText(expected).first().waitFor();
  };
  const readTags = () => site.app.db.selectFrom('productTags').selectAll().orderBy('id').execute();

  test.each(languages)(
    'to a browser in %s: at each size, nothing scrolls across, and the documentation opens',
    async (locale, lang, dir) => {
      const { page, problems, overflow } = await site.open('/explorer', { locale });
      const [example, entry] = { en: ['Lookups', 'Fast Food'], ar: ['القوائم', 'وجبات سريعة'] }[lang] as [
        string,
        string,
      ];
      await page.locator('.graphiql-response').getByText('Ctrl-Enter').waitFor();
      await run(page, example, entry);
      expect(await page.getByText('Ctrl-Enter').count()).toBe(0);
      const comment = page.locator('.graphiql-query-editor .view-line span span', { hasText: example }).first();
      const isolated = ['unicodeBidi', 'direction'].map(
        (name) => `getComputedStyle(document.querySelector('.mtki')).${name}`,
      );
      await comment.waitFor();
      // An Arabic comment has its # in front, as the line has.
      expect(await page.evaluate(`[${isolated}]`)).toEqual(['isolate', 'ltr']);
      const bidi = `new Set([...document.querySelectorAll('.result-window .view-line span span')]
        .filter((each) => each.textContent.startsWith('"')).map((each) => getComputedStyle(each).unicodeBidi))`;
      // Monaco colours a response after it shows it.
      await expect.poll(() => page.evaluate(`[...${bidi}]`)).toEqual(['plaintext']);
      expect(await page.locator('#outcome').innerText()).toMatch(
        /^200 · \d+ ms · \d+\.\d KiB · \S+ [\d,]+ \S+ [\d,]+$/,
      );
      expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
      const directions = ['header', '.status', '.graphiql-editors'].map(
        (part) => `getComputedStyle(document.querySelector('${part}')).direction`,
      );
      expect(await page.evaluate(`[${directions}]`)).toEqual([dir, dir, 'ltr']);
      for (const viewport of lang === 'en' ? windows : windows.slice(-2)) {
        await page.setViewportSize(viewport);
        expect({ viewport, ...(await overflow()) }).toMatchObject({ viewport, across: 0 });
        expect(await page.locator('input[name=token]').isVisible()).toBe(true);
        await page.getByRole('button', { name: 'Show Documentation' }).click();
        const docs = page.locator('.graphiql-plugin');
        await docs.getByText('Mutation').first().waitFor();
        await page.getByRole('button', { name: 'Hide Documentation' }).click();
      }
      expect(problems).toEqual([]);
    },
  );

  test('by keyboard: few stops before the editor, which Tab leaves', async () => {
    const { page } = await site.open('/explorer');
    await page.locator('.graphiql-query-editor .view-line').first().waitFor();
    const inEditor = () =>
      page.evaluate('document.activeElement.closest(".graphiql-query-editor .monaco-editor") !== null');
    const isAt = (part: string) =>
      page.evaluate<boolean>(`document.activeElement.matches('.graphiql-query-editor ${part}')`);
    let stops = 0;
    while (!(await isAt('.graphiql-editor'))) {
      await page.keyboard.press('Tab');
      expect(++stops).toBeLessThan(20);
    }
    await page.keyboard.press('Enter');
    expect(await inEditor()).toBe(true);
    await page.keyboard.press('Tab');
    expect(await inEditor()).toBe(false);
  });

  test('a copied link opens the operation, beside one that was edited', async () => {
    const { page } = await site.open('/explorer');
    await run(page, 'Cities', '"cities"');
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const link = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(new URLSearchParams(new URL(link).hash.slice(1)).get('variables')).toContain('682');
    const { page: other } = await site.open(link.replace(site.app.url, ''));
    await other.locator('.graphiql-query-editor .view-lines').getByText('Cities').first().waitFor();
    await other.locator('.graphiql-editor-tool .view-lines').getByText('682').first().waitFor();
    await other.locator('.graphiql-query-editor .view-line').last().click();
    await other.keyboard.type(' # edited');
    await run(other, 'Countries', 'Saudi Arabia');
    expect(await other.locator('.graphiql-tab').count()).toBe(2);
  });

  test.each([
    ['PHP', "['a' => null, 'b' => true]"],
    ['Ruby', "{ 'a' => nil, 'b' => true }"],
    ['Python', "{'a': None, 'b': True}"],
  ])('a copied request has the null and true of its language: %s', async (language, variables) => {
    const operation = { query: '{}', variables: '{"a":null,"b":true}' };
    const { page } = await site.open(`/explorer#${new URLSearchParams(operation)}`);
    await page.locator('.graphiql-editor-tool .view-lines').getByText('null').first().waitFor();
    await page.locator('#format').selectOption(language);
    await page.getByRole('button', { name: 'Copy request' }).click();
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toContain(variables);
  });

  test('a reload adds no tab', async () => {
    const { page } = await site.open('/explorer');
    for (const [tab, last] of [
      ['Lookups', 'Lookups'],
      ['Cities', '682'],
    ] as const) {
      await page.locator('.graphiql-query-editor .view-lines').getByText(tab).first().waitFor();
      // GraphiQL stores a tab up to a second after a change, and its variables last.
      const stored =
        "localStorage.getItem(Object.keys(localStorage).find((key) => key.startsWith('graphiql:tabState')))";
      await expect.poll(() => page.evaluate(stored)).toContain(last);
      await page.reload();
      await page.locator('.graphiql-query-editor .view-lines').getByText(tab).first().waitFor();
      expect(await page.locator('.graphiql-tab').count()).toBe(1);
      await page.locator('#example').selectOption('Cities');
    }
  });

  test('after a run: the cost and its limit, the headers of the response, and the request in each language', async () => {
    const { page, problems } = await site.open('/explorer');
    const headers = page.getByRole('button', { name: 'Response headers' });
    expect(await headers.isDisabled()).toBe(true);
    await run(page, 'Create a tag', 'Spicy');
    await run(page, 'Read a tag', '"productTag": {');
    expect(await page.locator('#outcome').innerText()).toMatch(/ · cost [\d,]+ of 50,000$/);
    expect(await page.locator('.graphiql-response').innerText()).not.toContain('extensions');
    await headers.click();
    const received = page.locator('#received');
    expect(await received.innerText()).toMatch(/^ratelimit: "address-reads";r=/m);
    await page.keyboard.press('Escape');
    expect(await received.isVisible()).toBe(false);
    const format = page.locator('#format');
    for (const [name, part] of [
      ['curl', 'curl -s -X POST'],
      ['JavaScript', 'await fetch('],
      ['PHP', 'curl_init('],
      ['Ruby', "send_request('POST'"],
      ['Python', 'requests.post('],
    ] as const) {
      await format.selectOption(name);
      await page.getByRole('button', { name: 'Copy request' }).click();
      const code = () => page.evaluate<string>('navigator.clipboard.readText()');
      await expect.poll(code).toContain(part);
      // The id of the created tag, the reader's token, and no comment.
      for (const each of [`${site.app.url}/graphql`, `Bearer ${site.token}`, 'productTag(id: $id)', 'Accept-Language'])
        expect(await code()).toContain(each);
      expect(await code()).toMatch(/['"]?id['"]?\W+[1-9]\d*/);
      expect(await code()).not.toContain('# Read a tag');
    }
    // No part of the explorer is called explorer.
    expect(await page.getByRole('button', { name: /explorer/i }).count()).toBe(0);
    await page.getByRole('button', { name: 'Show Query builder' }).click();
    await page.locator('.graphiql-plugin').getByText('productTag', { exact: true }).first().waitFor();
    expect(await page.locator('.graphiql-plugin').innerText()).not.toContain('Explorer');
    expect(problems).toEqual([]);
  });

  test('each tab runs with the token, writes change only the tag they created, and a reload keeps edits', async () => {
    await rm(site.tokenFile);
    const before = await readTags();
    const { page, problems } = await site.open('/explorer', { colorScheme: 'dark' });
    await run(page, 'Update a tag', 'UNAUTHENTICATED');
    await page.getByLabel('Your token').fill(site.token);
    for (const [tab, expected] of [
      ['Update a tag', 'PRODUCT_TAG_NOT_FOUND'],
      ['Countries', 'Saudi Arabia'],
      ['Cities', '"cities"'],
      ['Branches', 'Palm Kitchen'],
      ['Create a tag', 'Spicy'],
      ['Update a tag', 'Very spicy'],
      ['Items', '"items"'],
      ['Delete a tag', 'deleteProductTag'],
    ] as const) {
      await run(page, tab, expected);
    }
    expect(await readTags()).toEqual(before);

    // Completion uses the schema.
    await page.locator('.graphiql-query-editor .view-lines').click();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('{ countr');
    await expect
      .poll(async () => {
        // The schema may still be loading.
        await page.keyboard.press('Control+Space');
        return page.locator('.suggest-widget .monaco-list-row', { hasText: 'countries' }).count();
      })
      .toBeGreaterThan(0);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate('JSON.stringify({ ...localStorage })')).toContain('{ countr');
    expect(await page.evaluate('JSON.stringify({ ...localStorage }) + location.href')).not.toContain(site.token);
    await page.reload();
    await page.locator('.graphiql-query-editor').getByText('countr').waitFor();
    // Each language has its own example tabs.
    await page.getByRole('link', { name: 'العربية' }).click();
    await page.locator('.graphiql-query-editor').getByText('القوائم').waitFor();
    await page.getByRole('link', { name: 'English' }).click();
    await page.locator('.graphiql-query-editor').getByText('countr').waitFor();
    await run(page, 'Items', 'Chicken Kabsa');
    expect(problems).toEqual([]);
  });
});
