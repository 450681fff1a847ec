import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { describeInBrowser, eachWindow, languages } from '../support/browser.ts';
import { faintTexts } from '../support/contrast.ts';
import { putDemoToken } from '../support/demo-token.ts';

describeInBrowser('the overview and the guides', (site) => {
  afterEach(() => rm(join(site.app.dataDir, 'demo-token'), { force: true }));

  const windows = [
    ['wide', { viewport: { width: 1280, height: 800 } }, 3_000],
    ['narrow', { viewport: { width: 390, height: 844 } }, 5_000],
    ['narrowest', { viewport: { width: 320, height: 640 } }, 6_000],
    ['dark', { colorScheme: 'dark' }, 3_000],
  ] as const;

  const runAndWait = async (page: Page, name = 'Run') => {
    await page.getByRole('button', { name }).click();
    await page
      .getByText(/(Live|مباشرة) · \d+ ms/)
      .first()
      .waitFor();
  };

  test.each(windows.flatMap((window) => languages.map((language) => [...window, ...language] as const)))(
    '%s %s %s %s',
    async (name, options, maxHeight, locale, lang, dir) => {
      const { page, problems, overflow, screenshot } = await site.open('/', { ...options, locale });
      const run = page.getByRole('button', { name: lang === 'en' ? 'Run' : 'تنفيذ' });
      const box = await run.boundingBox();
      if (name === 'wide') expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(800);
      await runAndWait(page, lang === 'en' ? 'Run' : 'تنفيذ');
      await page.locator('footer .ready').waitFor();
      await screenshot(`home-${name}-${lang}`);
      expect(await page.locator('html').getAttribute('lang')).toBe(lang);
      expect(await page.locator('html').getAttribute('dir')).toBe(dir);
      expect((await overflow()).across).toBe(0);
      expect(await page.evaluate<number>('document.documentElement.scrollHeight')).toBeLessThanOrEqual(maxHeight);
      expect(await faintTexts(page, 4.5)).toEqual([]);
      expect(problems).toEqual([]);
    },
  );

  test.each(eachWindow)('the guides: $name, light and dark', async ({ name, viewport, locale }) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const options = { viewport, locale, colorScheme };
      const { page, problems, overflow, screenshot } = await site.open('/guides/errors', options);
      await page.locator('footer .ready').waitFor();
      expect((await overflow()).across).toBe(0);
      expect(await faintTexts(page, 4.5)).toEqual([]);
      await screenshot(`guides-${name}-${colorScheme}`, { fullPage: false });
      await page.getByRole('link', { name: 'Retries and versions', exact: true }).click();
      await page.getByRole('heading', { name: 'Idempotency keys' }).waitFor();
      expect((await overflow()).across).toBe(0);
      expect(problems).toEqual([]);
    }
  });

  test('runs each task on both surfaces, with the demo partner’s token', async () => {
    await putDemoToken(site.app);
    const { page, problems } = await site.open('/');
    for (const surface of ['REST v1', 'GraphQL']) {
      await page.getByRole('link', { name: surface, exact: true }).click();
      await page.locator('[aria-current]', { hasText: surface }).waitFor();
      for (const task of ['List countries', 'Cities', 'Create and update', 'Items with', 'An error', 'Fill']) {
        await page.getByRole('link', { name: task }).click();
        await page.locator('[aria-current]', { hasText: task }).waitFor();
        if (surface === 'REST v1' && task === 'Items with') {
          await page.getByText('REST v1 has no route for items').waitFor();
          continue;
        }
        await runAndWait(page);
        const shown = await page.locator('.response').innerText();
        expect(shown).toContain(task === 'An error' && surface === 'REST v1' ? '400' : '20');
        expect(shown).toContain('RateLimit');
        expect(shown).toContain('Content-Language');
      }
    }
    // Each run sends a new Idempotency-Key.
    await page.getByRole('link', { name: 'Create and update' }).click();
    await page.getByText('Idempotency-Key: $(openssl rand -hex 16)').waitFor();
    const created: (string | undefined)[] = [];
    for (const _run of [1, 2]) {
      await page.getByRole('button', { name: 'Run' }).click();
      await page.getByRole('button', { name: 'Run', exact: true }).waitFor();
      created.push(/"id": \d+/.exec(await page.locator('.response code').first().innerText())?.[0]);
    }
    expect(created).toEqual([expect.any(String), expect.any(String)]);
    expect(new Set(created).size).toBe(2);
    expect(problems).toEqual([]);
  });

  test('a pasted token stays in memory while tasks change', async () => {
    const token = await putDemoToken(site.app);
    await rm(join(site.app.dataDir, 'demo-token'));
    const { page, problems } = await site.open('/?task=items');
    await page.getByRole('textbox', { name: 'Token' }).fill(token);
    await runAndWait(page);
    await page.locator('.response').getByText('Chicken Kabsa').waitFor();
    await page.getByRole('link', { name: 'Create and update' }).click();
    await page.locator('[aria-current]', { hasText: 'Create and update' }).waitFor();
    await runAndWait(page);
    await page.locator('.response').getByText('Very spicy').waitFor();
    expect(
      await page.evaluate('location.href + JSON.stringify([{ ...localStorage }, { ...sessionStorage }])'),
    ).not.toContain(token);
    expect(problems).toEqual([]);
  });

  test('without JavaScript it shows requests and recorded responses', async () => {
    const { page } = await site.open('/', { javaScriptEnabled: false });
    await page.getByRole('link', { name: 'Cities of a country' }).click();
    await page.getByText('"cities": [').waitFor();
    await page.getByText('Recorded with the demo data').waitFor();
    expect(await page.getByRole('button', { name: 'Run' }).isVisible()).toBe(false);
  });

  test('each copy button copies its own block', async () => {
    const { page } = await site.open('/');
    const blocks = await page.locator('figure').all();
    expect(blocks.length).toBeGreaterThanOrEqual(3);
    for (const block of blocks) {
      await block.getByRole('button', { name: 'Copy' }).click();
      await block.getByRole('button', { name: 'Copied' }).waitFor();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(await block.locator('pre').textContent());
    }
  });

  test('works by keyboard: skip link, choices, Run; the focus is visible and stays', async () => {
    const { page, screenshot } = await site.open('/');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.getAttribute("href")')).toBe('#content');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.locator('[aria-current]', { hasText: 'REST v1' }).waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('REST v1');
    await screenshot('home-focus', { fullPage: false });
    await page.getByRole('link', { name: 'العربية' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'البيانات' }).waitFor();
  });

  test('an unknown path is a page with the way back', async () => {
    const { page } = await site.open('/nothing', { locale: 'ar-SA' });
    await page.getByRole('heading', { name: 'الصفحة غير موجودة' }).waitFor();
    await page.getByRole('link', { name: 'نظرة عامة' }).first().click();
    expect(new URL(page.url()).pathname).toBe('/');
  });
});
