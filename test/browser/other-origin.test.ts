import { describe, expect, inject, test } from 'vitest';
import { startHttpServer } from '../support/http-server.ts';
import { startApp, use } from '../support/test-app.ts';
import { launch } from './browser.ts';

describe.skipIf(inject('chromium') === null)('a page of another origin', async () => {
  if (inject('chromium') === null) return;
  const other = use(
    await startHttpServer((_request, response) => void response.setHeader('Content-Type', 'text/html').end()),
  );
  const app = use(await startApp());
  const { token, partnerName } = await app.createTenant();
  // Without Playwright's routes, which would respond to preflight requests themselves.
  const page = await use(await launch()).newPage();
  await page.goto(other.url.replace('127.0.0.1', 'localhost'));

  const viewer = '{ viewer { partner { name } } }';
  const send = (query: string, more: Record<string, string> = {}) => {
    const headers = { 'Content-Type': 'application/json', ...more };
    const request = { method: 'POST', headers, body: JSON.stringify({ query }) };
    return page.evaluate(
      async ([url, init]) => {
        const response = await fetch(url, init);
        return { limit: response.headers.get('RateLimit'), body: await response.json() };
      },
      [`${app.url}/graphql`, request] as const,
    );
  };

  test('sends headers and a token, and reads responses, their headers, and errors', async () => {
    expect(await send('{ services { name } }', { 'Accept-Language': 'ar' })).toMatchObject({
      limit: expect.stringContaining('r='),
      body: { data: { services: expect.arrayContaining([{ name: 'تناول في المطعم' }]) } },
    });
    const authorized = await send(viewer, { Authorization: `Bearer ${token}` });
    expect(authorized.body).toEqual({ data: { viewer: { partner: { name: partnerName } } } });
    expect(await send(viewer)).toMatchObject({ body: { errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] } });
  });
});
