import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { untilWaiting } from '../support/locks.ts';
import { startApp } from '../support/test-app.ts';

test('a token used while the last uses are being stored is stored next', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  await using app = await startApp();
  // The app needs real time to stop.
  await using _time = { [Symbol.asyncDispose]: async () => void vi.useRealTimers() };
  const { partnerId, token } = await app.createTenant();
  const use = async () => expect((await app.client.graphql('{ partner { id } }', {}, { token })).status).toBe(200);
  const storedUse = async () => {
    const tokens = app.db.selectFrom('partnerTokens').select('lastUsedAt').where('partnerId', '=', partnerId);
    return (await tokens.executeTakeFirstOrThrow()).lastUsedAt?.getTime() ?? 0;
  };
  const nextFlush = () => vi.advanceTimersByTime(60_000);

  await use();
  await app.db.transaction().execute(async (transaction) => {
    await sql`select from partner_tokens where partner_id = ${partnerId} for update`.execute(transaction);
    nextFlush();
    await untilWaiting(app.db);
    await use();
  });
  await expect.poll(storedUse).toBeGreaterThan(0);
  const first = await storedUse();
  nextFlush();
  await expect.poll(storedUse).toBeGreaterThan(first);
});
