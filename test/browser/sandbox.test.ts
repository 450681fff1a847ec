import { beforeEach, expect, test } from 'vitest';
import { describeInBrowser, eachWindow, languages } from './browser.ts';

const apolloScripts = 'https://embeddable-sandbox.cdn.apollographql.com/';

// Replaces Apollo's script: shows its options in a frame of Apollo's origin.
const script = `globalThis.EmbeddedSandbox = class {
  constructor({ target, ...options }) {
    globalThis.options = options;
    const frame = document.createElement('iframe');
    frame.src = 'https://sandbox.embed.apollographql.com/';
    document.querySelector(target).append(frame);
  }
};`;

describeInBrowser('Apollo Sandbox', (site) => {
  beforeEach(() => site.offerToken());

  test.each(languages)('without the internet the page leads to the explorer: %s', async (locale) => {
    const { page, problems, overflow } = await site.open('/graphql', { locale });
    await page.getByRole('heading', { name: 'Apollo Sandbox' }).waitFor();
    expect(await overflow()).toEqual({ across: 0, down: 0 });
    expect(problems).toEqual([expect.stringContaining(`foreign: ${apolloScripts}`)]);
    await page.locator('.notice a').click();
    expect(new URL(page.url()).pathname).toBe('/explorer');
  });

  test.each(eachWindow)('$name, $locale: the embed gets its options', async ({ viewport, locale, lang }) => {
    const { page, problems, overflow } = await site.open('/graphql', {
      viewport,
      locale,
      standIn: async (route) => {
        const isScript = route.request().url().startsWith(apolloScripts);
        await route.fulfill({ contentType: isScript ? 'text/javascript' : 'text/html', body: isScript ? script : '' });
      },
    });
    const frame = page.locator('#sandbox iframe');
    await frame.waitFor();
    expect(await page.evaluate('options')).toMatchObject({
      initialEndpoint: `${site.app.url}/graphql`,
      initialState: { sharedHeaders: { 'Accept-Language': lang, Authorization: `Bearer ${site.token}` } },
      runTelemetry: false,
    });
    const { x, y = 0, width, height = 0 } = (await frame.boundingBox()) ?? {};
    expect({ x, width, bottom: y + height }).toEqual({
      x: 0,
      width: await page.evaluate('document.body.clientWidth'),
      bottom: viewport.height,
    });
    expect(await page.locator('.notice').isVisible()).toBe(false);
    expect(await overflow()).toEqual({ across: 0, down: 0 });
    expect(problems).toEqual([]);
  });
});
