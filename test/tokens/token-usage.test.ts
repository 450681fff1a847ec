import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { untilWaiting } from '../support/locks.ts';
import { copyTemplate, openDatabase, startApp } from '../support/test-app.ts';

const own = '{ partner { id } }';

test('a use during a write of uses is stored by the next write', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  await using app = await startApp();
  // The app needs real time to stop.
  await using _time = { [Symbol.asyncDispose]: async () => void vi.useRealTimers() };
  const { partnerId, token } = await app.createTenant();
  const use = async () => expect((await app.client.graphql(own, {}, { token })).status).toBe(200);
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

test('uses are stored in batches, and when the service stops', async () => {
  await using database = await copyTemplate();
  const app = await startApp(database.env);
  const [used, unused] = [await app.createTenant(), await app.createTenant()];
  app.statements.splice(0);
  for (let request = 0; request < 20; request += 1) await app.client.graphql(own, {}, used);
  expect(app.statements.filter((sql) => /^\s*(insert|update|delete|with)/i.test(sql))).toEqual([]);
  await app[Symbol.asyncDispose]();

  await using direct = await openDatabase(database.env);
  const tokens = direct.db.selectFrom('partnerTokens').select(['partnerId', 'lastUsedAt']).orderBy('partnerId');
  const [first, second] = await tokens.where('partnerId', 'in', [used.partnerId, unused.partnerId]).execute();
  expect([first?.lastUsedAt, second?.lastUsedAt]).toEqual([expect.any(Date), null]);
});
