import { expect, test } from 'vitest';
import { sharedApp, startApp } from '../support/app.ts';
import { getRaw } from '../support/raw-http.ts';
import { createTenant } from '../support/tenant.ts';

test('in development an answer says how long it and its statements took, kept or not, refused or not', async () => {
  await using app = await startApp({ NODE_ENV: 'development' });
  const { token } = await createTenant(app.db);
  const made = await app.client.rest('GET', '/services');
  const kept = await app.client.rest('GET', '/services');
  const viewer = await app.client.graphql('{ viewer { items { nodes { id } } } }', {}, { token });
  const notModified = await getRaw(`${app.url}/partner_portal/v1/services`, { 'If-None-Match': '*' });
  const refused = await app.client.rest('GET', '/nothing');

  const timing = ({ headers }: { headers: Headers }) => headers.get('server-timing');
  expect(timing(made)).toMatch(/^total;dur=\d+\.\d\d, db;dur=\d+\.\d\d;desc="0 statements"$/);
  expect(timing(kept)).toMatch(/, db;dur=0\.00;desc="0 statements"$/);
  expect(timing(viewer)).toMatch(/, db;dur=(?!0\.00)\d+\.\d\d;desc="2 statements"$/);
  expect(notModified).toMatchObject({ status: 304, headers: { 'server-timing': expect.stringMatching(/^total;/) } });
  expect(timing(refused)).toMatch(/^total;/);
  // The other headers are as without it.
  for (const name of ['etag', 'vary']) expect(kept.headers.get(name)).toBe(made.headers.get(name));
  expect([...kept.headers.keys()]).toEqual([...made.headers.keys()]);
  const { client } = await sharedApp();
  expect(timing(await client.rest('GET', '/services'))).toBeNull();
});
