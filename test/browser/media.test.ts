import { expect, onTestFinished, test } from 'vitest';
import { describeInBrowser } from './browser.ts';

describeInBrowser('print, and no scripts', (site) => {
  test('without scripts, guides show their menus, and the explorer says that it needs scripts', async () => {
    const page = await site.browser.newPage({ javaScriptEnabled: false, viewport: { width: 1280, height: 800 } });
    onTestFinished(() => page.close());
    await page.goto(`${site.app.url}/guides/quickstart`);
    for (const name of ['Tag products', 'Your first request'])
      expect(await page.locator('.guide > :is(nav, aside)').getByRole('link', { name }).isVisible()).toBe(true);
    await page.goto(`${site.app.url}/explorer`);
    expect(await page.locator('main').innerText()).toMatch(
      /^Explorer\s+This page needs JavaScript\. The overview works without it\. Overview$/,
    );
  });

  test.each(['/?example=tag&as=curl', '/guides/quickstart', '/guides/errors'])(
    '%s is printed without navigation, buttons and tokens, and whole',
    async (path) => {
      const { page, overflow } = await site.open(path);
      const hasToken = path !== '/guides/errors';
      if (hasToken) await page.getByLabel('Your token').fill('pp_secret');
      if (hasToken) await page.locator('main .mark', { hasText: 'pp_secret' }).first().waitFor();
      await page.emulateMedia({ media: 'print' });
      const controls = page.locator('header, footer, nav, aside, input[name=token], button, .skip');
      expect(await controls.and(page.locator(':visible')).count()).toBe(0);
      const printed = await page.evaluate<string>(`document.body.innerText + [...document.querySelectorAll('.mark')]
        .map((each) => getComputedStyle(each, '::before').content)`);
      expect(printed).not.toContain('pp_secret');
      if (path.startsWith('/guides/quick') || path.startsWith('/?')) expect(printed).toContain('"pp_YOUR_TOKEN"');
      if (path === '/guides/errors') expect(await page.getByText('What to do:').first().isVisible()).toBe(true);
      const clipped = await page.evaluate(`[...document.querySelectorAll('main figure, main pre')].filter((each) =>
        each.checkVisibility() && each.scrollHeight > each.clientHeight + 1 && getComputedStyle(each).overflowY !== 'visible').length`);
      expect(clipped).toBe(0);
      expect((await overflow()).across).toBe(0);
    },
  );
});
