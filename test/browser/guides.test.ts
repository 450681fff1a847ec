import { expect, test } from 'vitest';
import { describeInBrowser, eachWindow } from '../support/browser.ts';
import { faintTexts } from '../support/contrast.ts';

describeInBrowser('the guides', (site) => {
  test.each(eachWindow)('$name, light and dark', async ({ name, viewport, locale }) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, problems, overflow, screenshot } = await site.open('/guides/errors', {
        ...{ viewport, locale, colorScheme },
      });
      await page.locator('footer .ready').waitFor();
      expect((await overflow()).across).toBe(0);
      expect(await faintTexts(page, 4.5)).toEqual([]);
      await screenshot(`guides-${name}-${colorScheme}`, { fullPage: false });
      await page.getByRole('link', { name: 'Retries and versions', exact: true }).click();
      await page.getByRole('heading', { name: 'Idempotency keys' }).waitFor();
      await page.locator('footer .ready').waitFor();
      expect((await overflow()).across).toBe(0);
      expect(problems).toEqual([]);
    }
  });
});
