import { beforeAll, expect, test } from 'vitest';
import { starters } from '../../src/surfaces/pages/starters.ts';
import { apolloFrames, apolloSandbox, apolloScripts } from '../support/apollo-sandbox.ts';
import { describeInBrowser, eachWindow } from '../support/browser.ts';
import { putDemoToken } from '../support/demo-token.ts';

describeInBrowser('Apollo Sandbox', (site) => {
  let apollo: Awaited<ReturnType<typeof apolloSandbox>>;
  let token: string;
  beforeAll(async () => {
    apollo = await apolloSandbox();
    token = await putDemoToken(site.app);
  });

  test.each([
    ['en-GB', 'en', 'Apollo Sandbox could not be loaded', 'Open the offline explorer'],
    ['ar-SA', 'ar', 'تعذّر تحميل Apollo Sandbox', 'افتح المستكشف من دون إنترنت'],
  ])('without the internet the page in %s says so, and leads to the explorer', async (locale, lang, title, link) => {
    const { page, problems, overflow, screenshot } = await site.open('/graphql', { locale });
    await page.getByRole('heading', { name: title }).waitFor();
    await screenshot(`sandbox-away-${lang}`);
    expect(await overflow()).toEqual({ across: 0, down: 0 });
    expect(problems).toEqual([expect.stringContaining(`blocked: ${apolloScripts}`)]);
    await page.getByRole('link', { name: link }).click();
    await page.getByRole('tab', { name: 'Lookups' }).waitFor();
  });

  test.each(eachWindow)(
    '$name, to a browser in $locale it opens on a document that works',
    async ({ name, viewport, locale, lang }) => {
      const { page, problems, overflow, screenshot } = await site.open('/graphql', {
        viewport,
        locale,
        standIn: apollo,
      });
      const frame = page.frameLocator('#sandbox iframe');
      await frame.getByText('"lookups"').waitFor();
      const answer = JSON.parse((await frame.locator('pre').textContent()) ?? '');
      expect(answer).toMatchObject({ status: 200, data: { lookups: expect.anything() } });
      expect(answer.errors).toBeUndefined();

      const address = new URL((await page.locator('#sandbox iframe').getAttribute('src')) ?? '');
      const { sharedHeaders = '', ...given } = Object.fromEntries(address.searchParams);
      expect(`${address.origin}/`).toBe(apolloFrames);
      expect(JSON.parse(sharedHeaders)).toEqual({ 'Accept-Language': lang, Authorization: `Bearer ${token}` });
      expect(given).toMatchObject({
        defaultDocument: starters[0]?.document,
        endpoint: `${site.app.url}/graphql`,
        endpointIsEditable: 'false',
        runTelemetry: 'false',
        shouldDefaultAutoupdateSchema: 'false',
      });
      await screenshot(`sandbox-${name}-${lang}`);
      expect(await overflow()).toEqual({ across: 0, down: 0 });
      const box = await page.locator('#sandbox iframe').boundingBox();
      expect(box).toMatchObject({ x: 0, width: viewport.width });
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBe(viewport.height);
      expect(await page.getByRole('alert').isVisible()).toBe(false);
      expect(problems).toEqual([]);
    },
  );

  test('a script that is there and does nothing is as good as none', async () => {
    const { page } = await site.open('/graphql', {
      standIn: async (route) => {
        await route.fulfill({ contentType: 'text/javascript', body: '' });
        return true;
      },
    });
    await page.getByRole('alert').waitFor();
  });

  test.each(['its script', 'its frame'])('%s that never comes is given up', async (what) => {
    const { page } = await site.open('/explorer');
    await page.clock.install();
    await page.context().route(`${what === 'its script' ? apolloScripts : apolloFrames}**`, () => {});
    if (what === 'its frame')
      await page.context().route(`${apolloScripts}**`, async (route) => void (await apollo(route)));
    await page.goto(`${site.app.url}/graphql`, { waitUntil: 'domcontentloaded' });
    if (what === 'its frame') await page.locator('#sandbox iframe').waitFor();
    else await page.getByRole('status').waitFor();
    await page.clock.runFor(10_000);
    await page.getByRole('alert').waitFor();
  });
});
