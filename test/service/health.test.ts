import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app[Symbol.asyncDispose]());

test.each([
  ['/livez', 'live'],
  ['/readyz', 'ready'],
])('%s answers 200 while the service takes work', async (path, status) => {
  expect(await app.client.fetch('GET', path)).toMatchObject({ status: 200, body: { status } });
});
