import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { startApp, use } from '../support/test-app.ts';

// Separate, because a table gets another name.
const app = use(await startApp());
const unknown = `pp_${'u'.repeat(43)}`;
const lookups = () => app.statements.splice(0).filter((text) => text.includes('token_hash ='));

test.each([
  ['a token', 200, async () => (await app.createTenant()).token],
  ['an unknown token', 401, async () => unknown],
])('%s is looked up at most once a second', async (_name, status, issue) => {
  const token = await issue();
  const statuses = async () => {
    const answers = Array.from({ length: 10 }, () => app.client.graphql('{ partner { id } }', {}, { token }));
    return new Set((await Promise.all(answers)).map((answer) => answer.status));
  };
  lookups();
  expect(await statuses()).toEqual(new Set([status]));
  expect(lookups()).toHaveLength(1);
  await setTimeout(1_100);
  expect(await statuses()).toEqual(new Set([status]));
  expect(lookups()).toHaveLength(1);
});

test('a failed lookup is not cached', async () => {
  const { token } = await app.createTenant();
  const ask = async () => (await app.client.graphql('{ partner { id } }', {}, { token })).status;
  await sql`alter table partner_tokens rename to other_tokens`.execute(app.db);
  try {
    expect(await ask()).toBe(500);
  } finally {
    await sql`alter table other_tokens rename to partner_tokens`.execute(app.db);
  }
  expect(await ask()).toBe(200);
});
