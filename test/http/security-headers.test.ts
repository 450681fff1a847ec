import { expect, test } from 'vitest';
import { startApp, use } from '../support/test-app.ts';

const app = use(await startApp());

const common = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'strict-transport-security': 'max-age=31536000',
  'x-powered-by': null,
};
const nothing = "default-src 'none';frame-ancestors 'none'";

test.each([
  ['GET', '/partner_portal/v1/countries', nothing],
  ['POST', '/partner_portal/v1/product_tags', nothing],
  ['GET', '/nothing', nothing],
  ['GET', '/livez', nothing],
  ['POST', '/graphql', nothing],
  ['GET', '/graphql', nothing],
])('%s %s says what a browser may do with the answer', async (method, path, policy) => {
  const { headers } = await app.client.fetch(method, path);
  const expected = { ...common, 'content-security-policy': policy };
  expect(Object.fromEntries(Object.keys(expected).map((name) => [name, headers.get(name)]))).toEqual(expected);
});
