import { expect, test } from 'vitest';
import { describeInBrowser, languages } from '../support/browser.ts';

describeInBrowser('the home page', (site) => {
  const windows = [
    ['wide', { viewport: { width: 1280, height: 800 } }],
    ['narrow', { viewport: { width: 390, height: 844 } }],
    ['narrowest', { viewport: { width: 320, height: 640 } }],
    ['dark', { colorScheme: 'dark' }],
  ] as const;

  test.each(windows.flatMap((window) => languages.map((language) => [...window, ...language] as const)))(
    '%s %s %s',
    async (name, options, locale, lang, dir) => {
      const { page, problems, overflow, screenshot } = await site.open('/', { ...options, locale });
      await screenshot(`home-${name}-${lang}`);
      await screenshot(`home-${name}-${lang}-top`, { fullPage: false });
      await page.locator('#V1Lookups').scrollIntoViewIfNeeded();
      await screenshot(`home-${name}-${lang}-examples`, { fullPage: false });
      expect(await page.locator('html').getAttribute('lang')).toBe(lang);
      expect(await page.locator('html').getAttribute('dir')).toBe(dir);
      expect((await overflow()).across).toBe(0);
      expect(problems).toEqual([]);
    },
  );

  test('each copy button copies its own block', async () => {
    const { page } = await site.open('/');
    const blocks = await page.locator('[data-copyable]').all();
    expect(blocks.length).toBeGreaterThan(15);
    for (const block of blocks) {
      await block.getByRole('button', { name: 'Copy' }).click();
      await block.getByRole('button', { name: 'Copied' }).waitFor();
      const copied = await page.evaluate('navigator.clipboard.readText()');
      expect(copied).toBe(await block.locator('pre').textContent());
    }
  });

  test('the other language is one click away, and back', async () => {
    const { page } = await site.open('/');
    await page.getByRole('link', { name: 'العربية' }).click();
    expect(await page.locator('html').getAttribute('dir')).toBe('rtl');
    await page.getByRole('link', { name: 'English' }).click();
    expect(await page.locator('html').getAttribute('dir')).toBe('ltr');
  });

  test('the keyboard reaches the content first, and what has the focus is seen', async () => {
    const { page, screenshot } = await site.open('/');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.getAttribute("href")')).toBe('#content');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
    await screenshot('home-focus', { fullPage: false });
  });
});
