import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeInBrowser, languages } from './browser.ts';

describeInBrowser('the overview and the guides', (site) => {
  const windows = [
    [{ width: 1280, height: 800 }, 3_000],
    [{ width: 320, height: 640 }, 6_000],
  ] as const;

  const run = async (page: Page) => {
    const button = { name: /^(Run|تنفيذ)$/ };
    await page.getByRole('button', button).click();
    await page.getByRole('button', { ...button, disabled: false }).waitFor();
    expect(await page.locator('.response').first().innerText()).toMatch(/(Live|مباشرة) · \d+ ms/);
  };

  const choose = async (page: Page, name: string) => {
    await page.locator('.choice a', { hasText: name }).first().click();
    await page.locator('.choice [aria-current]', { hasText: name }).first().waitFor();
  };

  test.each(windows.flatMap((window) => languages.map((language) => [...window, ...language] as const)))(
    '%s, below %s px: %s',
    async (viewport, maxHeight, locale, lang, dir) => {
      const { page, problems, overflow } = await site.open('/', { viewport, locale });
      const { y = 0, height = 0 } = (await page.locator('#run button').boundingBox()) ?? {};
      if (viewport.height === 800) expect(y + height).toBeLessThan(800);
      await run(page);
      expect(await page.evaluate('[document.documentElement.lang, document.dir]')).toEqual([lang, dir]);
      expect(await page.evaluate<number>('document.documentElement.scrollHeight')).toBeLessThanOrEqual(maxHeight);
      await page.locator('footer .ready').waitFor();
      expect((await overflow()).across).toBe(0);
      expect(problems).toEqual([]);
    },
  );

  test('runs each example on both APIs, with the demo partner’s token', async () => {
    await site.offerToken();
    const tags = () => site.app.db.selectFrom('productTags').selectAll().where('id', '<=', 2).execute();
    const before = await tags();
    const { page, problems } = await site.open('/');
    for (const api of ['REST v1', 'GraphQL']) {
      await choose(page, api);
      for (const example of ['List countries', 'Cities', 'Create and update', 'Items with', 'An error', 'Fill']) {
        await choose(page, example);
        if (api === 'REST v1' && example === 'Items with') {
          await page.getByRole('link', { name: 'Choose GraphQL' }).click();
          await page.getByText('query ItemsWithTags').waitFor();
          await page.goBack();
          await choose(page, api);
          continue;
        }
        await run(page);
        const shown = await page.locator('.response').first().innerText();
        const isError = example === 'An error';
        expect(shown).toMatch(isError ? (api === 'REST v1' ? '400 Failed' : '200 Failed') : /20[01] Succeeded/);
        const [succeeded, rejected] = [page.locator('.succeeded'), page.locator('.rejected')];
        expect(await (isError ? rejected : succeeded).count()).toBeGreaterThan(0);
        expect(await (isError ? succeeded : rejected).count()).toBe(0);
        expect(shown).toContain('RateLimit');
        expect(shown).toContain('Content-Language');
      }
    }
    // Requests are shown as they work: with the token, and the id of the tag.
    await choose(page, 'Create and update');
    await choose(page, 'curl');
    const requests = page.locator('.requests');
    for (const command of await requests.allInnerTexts()) expect(command).toContain(`Bearer ${site.token}"`);
    expect(await requests.last().innerText()).toContain('"id":TAG_ID');
    await run(page);
    const [, id] = /"id": (\d+)/.exec(await page.locator('.response').first().innerText()) ?? [];
    expect(await requests.last().innerText()).toContain(`"id":${id},`);
    await page.getByRole('link', { name: 'JavaScript' }).click();
    await requests.last().getByText('TAG_ID').waitFor();
    // Each run creates a tag.
    const created = new Set<string | undefined>();
    for (const _run of [1, 2]) {
      await run(page);
      created.add(/"id": \d+/.exec(await page.locator('.response code').first().innerText())?.[0]);
    }
    expect(created.size).toBe(2);
    expect(await tags()).toEqual(before);
    // A token in the field replaces it.
    await page.getByRole('textbox', { name: 'Your token' }).fill('pp_mine');
    await run(page);
    await page.locator('.response').getByText('UNAUTHENTICATED').first().waitFor();
    expect(problems).toEqual([]);
  });

  test('a pasted token stays in the tab while examples and pages change', async () => {
    const { page, problems } = await site.open('/?example=items&as=curl');
    await page.getByRole('textbox', { name: 'Your token' }).fill(site.token);
    expect(await page.locator('.requests code').innerText()).toContain(`Bearer ${site.token}"`);
    await run(page);
    await page.locator('.response').getByText('Chicken Kabsa').waitFor();
    await choose(page, 'Create and update');
    await run(page);
    await page.locator('.response').last().getByText('Very spicy').waitFor();
    expect(await page.evaluate('location.href + JSON.stringify({ ...localStorage }) + document.cookie')).not.toContain(
      site.token,
    );
    await page.reload();
    await run(page);
    await page.locator('.response').last().getByText('Very spicy').waitFor();
    expect(problems).toEqual([]);
  });

  test('each copy button copies its own block', async () => {
    const { page } = await site.open('/');
    const blocks = await page.locator('figure').all();
    expect(blocks.length).toBeGreaterThanOrEqual(3);
    for (const block of blocks) {
      await block.getByRole('button', { name: 'Copy' }).click();
      await block.getByRole('button', { name: 'Copied' }).waitFor();
      const copied = await page.evaluate<string>('navigator.clipboard.readText()');
      const isResponse = (await block.getAttribute('class')) === 'response';
      if (isResponse) expect(JSON.parse(copied)).toMatchObject({ data: { brandTypes: [{}, {}] } });
      else expect(copied).toBe(await block.locator('pre').textContent());
    }
    await run(page);
    await page.locator('.response').getByRole('button').click();
    await page.locator('.response').getByRole('button', { name: 'Copied' }).waitFor();
    expect(JSON.parse(await page.evaluate('navigator.clipboard.readText()'))).toHaveProperty('data.brandTypes');
  });

  test('the live region announces only the outcome, and “Copied” disappears', async () => {
    const { page } = await site.open('/?example=error&api=rest');
    const live = page.locator('[aria-live], [role=status], [role=alert], output');
    expect(await live.allInnerTexts()).toEqual(['']);
    await run(page);
    await expect.poll(() => live.allInnerTexts()).toEqual(['400 Failed']);
    await page.locator('.requests').getByRole('button', { name: 'Copy' }).click();
    await expect.poll(() => live.allInnerTexts()).toEqual(['Copied']);
    expect(await page.locator('.requests button').innerText()).toBe('Copied');
    await expect.poll(() => page.locator('.requests button').innerText()).toBe('Copy');
    expect(await live.allInnerTexts()).toEqual(['']);
  });

  test('copying works over plain HTTP from another machine', async () => {
    const { page } = await site.open('/?example=items', { standIn: (route) => route.continue() });
    await page.goto(page.url().replace('127.0.0.1', 'gateway.test'));
    expect(await page.evaluate('isSecureContext')).toBe(false);
    await page.locator('.requests').getByRole('button', { name: 'Copy' }).click();
    await page.locator('.requests').getByRole('button', { name: 'Copied' }).waitFor();
    await page.getByRole('textbox', { name: 'Your token' }).focus();
    await page.keyboard.press('Control+V');
    expect(await page.getByRole('textbox', { name: 'Your token' }).inputValue()).toMatch(/^query ItemsWithTags/);
  });

  test('links to errors expand them, and commands use the entered token', async () => {
    const { page, problems } = await site.open('/guides/errors#item_not_product');
    await page.locator('#item_not_product[open]').waitFor();
    expect((await page.locator('#item_not_product summary').boundingBox())?.y).toBeGreaterThanOrEqual(0);
    await page.goto(`${site.app.url}/guides/tokens`);
    await page.getByRole('textbox', { name: 'Your token' }).fill('pp_mine');
    const block = page.locator('figure.request').first();
    await block.getByRole('button', { name: 'Copy' }).click();
    await block.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(
      new RegExp(`^curl -s -X POST '${site.app.url}/.*Bearer pp_mine"`, 's'),
    );
    await page.getByRole('textbox', { name: 'Your token' }).fill('');
    await block.locator('pre:visible').getByText('Bearer pp_YOUR_TOKEN').waitFor();
    await site.offerToken();
    await page.reload();
    await block.locator('pre:visible').getByText(`Bearer ${site.token}`).waitFor();
    await page.getByRole('textbox', { name: 'Your token' }).fill('pp_mine');
    await block.locator('pre:visible').getByText('Bearer pp_mine').waitFor();
    expect(problems).toEqual([]);
  });

  test('while the service is unavailable, a choice shows an error and keeps the page', async () => {
    const { page } = await site.open('/?example=countries');
    await page.getByText('Service available').waitFor();
    const shown = await page.locator('.exchanges').innerText();
    await page.route('**/?*', (route) => route.abort());
    await page.locator('#choose-example a').first().click();
    await page.locator('#failure').getByText('The service could not be reached.').waitFor();
    await page.getByRole('status').getByText('The service could not be reached.').waitFor();
    expect(await page.locator('.exchanges').innerText()).toBe(shown);
    expect(page.url()).toContain('example=countries');
    await page.unroute('**/?*');
    await page.locator('#choose-example a').first().click();
    await page.waitForURL('**/*example=lookups*');
    await expect.poll(() => page.locator('#failure').innerText()).toBe('');
  });

  test('ignores a late response to an earlier choice', async () => {
    const { page } = await site.open('/');
    const gate = Promise.withResolvers<void>();
    await page.route('**/?*api=rest*', async (route) => {
      await gate.promise;
      await route.continue();
    });
    await page.locator('.choice a', { hasText: 'REST v1' }).click();
    await page.locator('.choice a', { hasText: 'Python' }).click();
    await page.locator('.choice [aria-current]', { hasText: 'Python' }).waitFor();
    const late = page.waitForResponse('**/?*api=rest*');
    gate.resolve();
    await (await late).finished();
    await page.waitForTimeout(200);
    expect(await page.locator('.choice [aria-current]', { hasText: 'REST v1' }).count()).toBe(0);
  });

  test('works by keyboard: skip link, choices, Run; the focus is visible and stays', async () => {
    const { page } = await site.open('/');
    const focused = () => page.evaluate('document.activeElement.textContent');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.getAttribute("href")')).toBe('#content');
    await page.keyboard.press('Enter');
    const stops: unknown[] = [];
    for (let presses = 1; presses < 10; presses += 1) {
      await page.keyboard.press('Tab');
      stops.push(await focused());
    }
    expect([stops.slice(0, 2), stops.at(-1)]).toEqual([['Start', 'Explorer'], 'Run']);
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
    for (const _link of ['GraphQL', 'REST v1']) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.locator('.choice [aria-current]', { hasText: 'REST v1' }).waitFor();
    await expect.poll(focused).toBe('REST v1');
    // The focus stays at every choice, and at the button.
    for (const name of ['العربية', 'List countries', 'Python', 'Cities of a country']) {
      await page.locator('.choice a', { hasText: name }).press('Enter');
      await page.locator('.choice [aria-current]', { hasText: name }).waitFor();
      await expect.poll(focused).toBe(name);
    }
    await page.locator('#run button').press('Enter');
    await page.getByRole('status').getByText('200 Succeeded').waitFor();
    expect(await focused()).toBe('Run');
    await page.getByRole('link', { name: 'العربية' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'البيانات' }).waitFor();
  });
});
