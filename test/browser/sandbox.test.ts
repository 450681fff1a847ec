import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import { type Browser, describeInBrowser, openBrowser } from '../support/browser.ts';

describeInBrowser('Apollo Sandbox', () => {
  let app: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    app = await startApp();
    browser = await openBrowser(app.url);
  });
  afterAll(async () => {
    await browser[Symbol.asyncDispose]();
    await app[Symbol.asyncDispose]();
  });

  test('opens', async () => {
    const { page, screenshot } = await browser.open('/graphql');
    await screenshot('sandbox');
    expect(await page.title()).not.toBe('');
  });
});
