import { expect, test } from 'vitest';
import { startApp, use } from '../support/app.ts';

const app = use(await startApp());

async function allowedOrigin(origin: string): Promise<string | null> {
  const { headers } = await app.client.graphql('{ __typename }', {}, { headers: { Origin: origin } });
  return headers.get('access-control-allow-origin');
}

test.each([
  'https://studio.apollographql.com',
  'http://localhost',
  'http://localhost:5173',
  'https://localhost:3000',
  'http://127.0.0.1:8080',
  'http://[::1]:8080',
])('the embedded service lets pages of %s in', async (origin) => {
  expect(await allowedOrigin(origin)).toBe(origin);
});

test.each([
  'https://studio.apollographql.com.example',
  'http://studio.apollographql.com',
  'https://apollographql.com',
  'http://localhost.example:80',
  'http://localhost:',
  'http://example:80',
  'http://localhost:80:80',
  'null',
  '*',
])('but not those of %s', async (origin) => {
  expect(await allowedOrigin(origin)).toBeNull();
});
