import { sql } from 'kysely';
import { afterEach, expect, test, vi } from 'vitest';
import type { Database } from '../../src/domain/tables.ts';
import { createTenant, type Tenant } from '../support/tenant.ts';
import { copyTemplate, openDatabase, startApp } from '../support/test-app.ts';

const minute = 60_000;
const hour = 60 * minute;
afterEach(() => {
  vi.useRealTimers();
});

const insertKeys = (db: Database, { companyId, partnerId }: Tenant, name: string, count: number, age: string) =>
  sql`
    insert into idempotency_keys (company_id, partner_id, key, request_hash, answer, created_at)
    select ${companyId}::integer, ${partnerId}::integer, ${name} || number, repeat('0', 64), '{}',
      now() - ${age}::interval
    from generate_series(1, ${count}::integer) as number`.execute(db);

test('expired keys are deleted at the start and every hour, and failures are logged', async () => {
  await using database = await copyTemplate();
  await using direct = await openDatabase(database.env);
  const { db } = direct;
  const tenant = await createTenant(db);
  const live = ['live 1', 'live 2'];
  const storedKeys = async () =>
    (await db.selectFrom('idempotencyKeys').select('key').orderBy('key').execute()).map(({ key }) => key);
  await insertKeys(db, tenant, 'expired ', 2_500, '24 hours');
  await insertKeys(db, tenant, 'live ', live.length, '23 hours');
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  await using app = await startApp(database.env);
  const failures = () => app.logLines.filter(({ msg }) => msg === 'background job failed; it will be retried');
  await expect.poll(storedKeys).toEqual(live);

  await insertKeys(db, tenant, 'expired ', 3, '25 hours');
  // Polls above may have moved the clock by less than a minute.
  vi.advanceTimersByTime(hour - minute);
  expect(await storedKeys()).toHaveLength(3 + live.length);
  expect(failures()).toEqual([]);

  await sql`alter table idempotency_keys rename to elsewhere`.execute(db);
  vi.advanceTimersByTime(minute);
  await expect.poll(failures).toHaveLength(1);
  expect(failures()[0]).toMatchObject({ level: 40, err: { message: expect.stringContaining('idempotency_keys') } });
  expect((await app.client.rest('GET', '/services')).status).toBe(200);

  await sql`alter table elsewhere rename to idempotency_keys`.execute(db);
  vi.advanceTimersByTime(hour);
  await expect.poll(storedKeys).toEqual(live);

  // After a success, the next failure is logged again.
  await sql`alter table idempotency_keys rename to elsewhere`.execute(db);
  vi.advanceTimersByTime(hour);
  await expect.poll(failures).toHaveLength(2);
  // Real time, because the app needs it to stop.
  vi.useRealTimers();
});
