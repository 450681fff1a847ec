import { readFileSync } from 'node:fs';
import { describe, expect, inject, test } from 'vitest';
import { create, services, viewer } from '../clients/operations.ts';
import { startHttpServer } from '../support/http-server.ts';
import { createTenant } from '../support/tenant.ts';
import { startApp, use } from '../support/test-app.ts';
import { launch } from './browser.ts';

const packages = ['@urql/core', '@urql/exchange-persisted', 'wonka', '@0no-co/graphql.web'];
const moduleOf = (name: string) =>
  `/node_modules/${name}/dist/${name.replace('@0no-co/', '').replace('@', '').replace('/', '-')}.mjs`;
const document = `<!doctype html>
<script>globalThis.process = { env: { NODE_ENV: 'production' } }</script>
<script type="importmap">
${JSON.stringify({ imports: Object.fromEntries(packages.map((name) => [name, moduleOf(name)])) })}</script>
<script type="module">import * as clients from '/urql.js'; globalThis.clients = clients;</script>`;

describe.skipIf(inject('chromium') === null)('a page of another origin', async () => {
  if (inject('chromium') === null) return;
  const { url } = use(
    await startHttpServer((request, response) => {
      const isScript = request.url?.endsWith('js');
      response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html');
      response.end(isScript ? readFileSync(new URL(`../clients${request.url}`, import.meta.url)) : document);
    }),
  );

  const app = use(await startApp());
  const { token, partnerName } = await createTenant(app.db);
  const browser = use(await launch());
  // Without Playwright's routes, which would respond to preflight requests themselves.
  const page = await browser.newPage();
  await page.goto(url.replace('127.0.0.1', 'localhost'));

  const send = (headers: Record<string, string>, operation: object) => {
    const values = [`${app.url}/graphql`, headers, operation].map((value) => JSON.stringify(value));
    return page.evaluate(`clients.urql(${values[0]}, ${values[1]})(${values[2]})`);
  };

  test('uses urql: headers of requests, and responses with errors, pass', async () => {
    expect(await send({ 'Accept-Language': 'ar' }, services)).toMatchObject({
      data: { services: expect.arrayContaining([expect.objectContaining({ name: 'تناول في المطعم' })]) },
    });
    const authorization = { Authorization: `Bearer ${token}` };
    expect(await send(authorization, viewer)).toMatchObject({ data: { viewer: { partner: { name: partnerName } } } });
    expect(await send(authorization, create('x'))).toMatchObject({
      data: { createProductTag: { productTag: null, userErrors: [{ code: 'INVALID_LENGTH' }] } },
    });
    expect(await send({}, viewer)).toEqual({ codes: ['UNAUTHENTICATED'] });
  });
});
