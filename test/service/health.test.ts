import { expect, test } from 'vitest';
import { startApp, use } from '../support/app.ts';

const app = use(await startApp());

test.each([
  ['/livez', 'live'],
  ['/readyz', 'ready'],
])('%s answers 200 while the service takes work', async (path, status) => {
  expect(await app.client.fetch('GET', path)).toMatchObject({ status: 200, body: { status } });
});
