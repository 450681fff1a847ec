import { expect, test } from 'vitest';
import { startHttpServer } from '../support/http-server.ts';
import { describeInBrowser } from './browser.ts';

describeInBrowser('a page of another origin', (site) => {
  test('an allowed origin can send tokens, and read responses, headers and errors', async () => {
    await using other = await startHttpServer(
      (_request, response) => void response.setHeader('Content-Type', 'text/html').end(),
    );
    const { token, partnerName } = await site.app.createTenant();
    // Without Playwright's routes, which would respond to preflight requests themselves.
    const page = await site.browser.newPage();
    await page.goto(other.url.replace('127.0.0.1', 'localhost'));

    const own = '{ partner { name } }';
    const send = (query: string, more: Record<string, string> = {}) => {
      const headers = { 'Content-Type': 'application/json', ...more };
      const request = { method: 'POST', headers, body: JSON.stringify({ query }) };
      return page.evaluate(
        async ([url, init]) => {
          const response = await fetch(url, init);
          return { limit: response.headers.get('RateLimit'), body: await response.json() };
        },
        [`${site.app.url}/graphql`, request] as const,
      );
    };

    expect(await send('{ services { name } }', { 'Accept-Language': 'ar' })).toMatchObject({
      limit: expect.stringContaining('r='),
      body: { data: { services: expect.arrayContaining([{ name: 'تناول في المطعم' }]) } },
    });
    const authorized = await send(own, { Authorization: `Bearer ${token}` });
    expect(authorized.body).toEqual({ data: { partner: { name: partnerName } } });
    expect(await send(own)).toMatchObject({ body: { errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] } });
  });
});
