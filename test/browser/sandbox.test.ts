import type { Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';

const cdn = 'https://embeddable-sandbox.cdn.apollographql.com/';
const frame = 'https://sandbox.embed.apollographql.com/';

// What Apollo's script does: a frame of its other host, and operations sent from the page itself.
const script = `
window.EmbeddedSandbox = class {
  constructor(options) {
    window.sandboxOptions = options;
    const frame = document.createElement('iframe');
    frame.src = '${frame}sandbox/explorer';
    document.querySelector(options.target).append(frame);
    fetch(options.initialEndpoint, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...options.initialState.sharedHeaders },
      body: JSON.stringify({ query: options.initialState.document }),
    }).then((answer) => answer.json()).then((answer) => { window.sandboxAnswer = answer; });
  }
};`;

async function apollo(route: Route): Promise<boolean> {
  const url = route.request().url();
  if (url.startsWith(cdn)) await route.fulfill({ contentType: 'text/javascript', body: script });
  else if (url.startsWith(frame)) {
    const body = '<!doctype html><title>Sandbox</title>Apollo Sandbox<script>parent.postMessage("ready", "*")</script>';
    await route.fulfill({ contentType: 'text/html', body });
  } else return false;
  return true;
}

describeInBrowser('Apollo Sandbox', (site) => {
  test.each([
    ['en-GB', 'en', 'Apollo Sandbox could not be loaded', 'Open the offline explorer'],
    ['ar-SA', 'ar', 'تعذّر تحميل Apollo Sandbox', 'افتح المستكشف من دون إنترنت'],
  ])('without the internet the page in %s says so, and leads to the explorer', async (locale, lang, title, link) => {
    const { page, problems, screenshot } = await site.open('/graphql', { locale });
    await page.getByRole('heading', { name: title }).waitFor();
    await screenshot(`sandbox-away-${lang}`);
    expect(problems).toEqual([expect.stringContaining(`blocked: ${cdn}`)]);
    await page.getByRole('link', { name: link }).click();
    await page.getByRole('tab', { name: 'Lookups' }).waitFor();
  });

  test.each(['en', 'ar'])('with Apollo’s script it opens on a document that works (%s)', async (locale) => {
    const { page, problems, screenshot } = await site.open('/graphql', { locale, standIn: apollo });
    await page.locator('#sandbox iframe').waitFor();
    await page.waitForFunction('window.sandboxAnswer !== undefined');
    const { options, answer } = await page.evaluate<{ options: unknown; answer: { data?: object; errors?: object } }>(
      '({ options: window.sandboxOptions, answer: window.sandboxAnswer })',
    );
    expect(answer).toEqual({ data: { lookups: expect.anything() } });
    expect(options).toMatchObject({
      initialEndpoint: `${site.app.url}/graphql`,
      endpointIsEditable: false,
      runTelemetry: false,
      initialState: { pollForSchemaUpdates: false, sharedHeaders: { 'Accept-Language': locale } },
    });
    await screenshot(`sandbox-${locale}`);
    expect(await page.getByRole('alert').isVisible()).toBe(false);
    expect(problems).toEqual([]);
  });

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
    await page.context().route(`${what === 'its script' ? cdn : frame}**`, () => {});
    if (what === 'its frame') await page.context().route(`${cdn}**`, async (route) => void (await apollo(route)));
    await page.goto(`${site.app.url}/graphql`, { waitUntil: 'domcontentloaded' });
    if (what === 'its frame') await page.locator('#sandbox iframe').waitFor();
    else await page.getByRole('status').waitFor();
    await page.clock.runFor(10_000);
    await page.getByRole('alert').waitFor();
  });
});
