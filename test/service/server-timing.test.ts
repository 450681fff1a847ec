import { expect, test } from 'vitest';
import { sharedApp, startApp } from '../support/app.ts';
import { getRaw } from '../support/raw-http.ts';
import { createTenant } from '../support/tenant.ts';

test('in development an answer says how long it and its statements took, kept or not, refused or not', async () => {
  await using app = await startApp({ NODE_ENV: 'development' });
  const { token } = await createTenant(app.db);
  const made = await app.client.rest('GET', '/services');
  expect(made.headers.get('server-timing')).toMatch(/^total;dur=\d+\.\d\d, db;dur=\d+\.\d\d;desc="0 statements"$/);
  const kept = await app.client.rest('GET', '/services');
  expect(kept.headers.get('server-timing')).toMatch(/, db;dur=0\.00;desc="0 statements"$/);
  // The header is all that differs.
  const names = ({ headers }: { headers: Headers }) =>
    [...headers.keys()].filter((name) => name !== 'server-timing').toSorted();
  expect(kept.headers.get('etag')).toBe(made.headers.get('etag'));
  expect(kept.headers.get('vary')).toBe(made.headers.get('vary'));
  expect(names(kept)).toEqual(names(made));
  const viewer = await app.client.graphql('{ viewer { items { nodes { id } } } }', {}, { token });
  expect(viewer.headers.get('server-timing')).toMatch(/, db;dur=(?!0\.00)\d+\.\d\d;desc="2 statements"$/);
  const condition = { 'If-None-Match': kept.headers.get('etag') ?? '' };
  const notModified = await getRaw(`${app.url}/partner_portal/v1/services`, condition);
  expect(notModified.status).toBe(304);
  expect(notModified.headers['server-timing']).toMatch(/^total;/);
  expect((await app.client.rest('GET', '/nothing')).headers.get('server-timing')).toMatch(/^total;/);
  const { client } = await sharedApp();
  expect((await client.rest('GET', '/services')).headers.has('server-timing')).toBe(false);
});
