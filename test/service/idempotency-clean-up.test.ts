import { sql } from 'kysely';
import { afterEach, expect, test, vi } from 'vitest';
import { createApp } from '../../src/app/app.ts';
import { envToConfig } from '../../src/app/config.ts';
import type { Database } from '../../src/domain/tables.ts';
import { connect } from '../../src/platform/database/connect.ts';
import { createLog } from '../../src/platform/observability/log.ts';
import { copyTemplate, startApp } from '../support/app.ts';
import { createTenant, type Tenant } from '../support/tenant.ts';

const hour = 3_600_000;
afterEach(() => {
  vi.useRealTimers();
});

const insertKeys = (db: Database, { companyId, partnerId }: Tenant, name: string, count: number, age: string) =>
  sql`
    insert into idempotency_keys (company_id, partner_id, key, request_hash, answer, created_at)
    select ${companyId}::integer, ${partnerId}::integer, ${name} || number, repeat('0', 64), '{}', now() - ${age}::interval
    from generate_series(1, ${count}::integer) as number`.execute(db);

async function storedKeys(db: Database): Promise<string[]> {
  const rows = await db.selectFrom('idempotencyKeys').select('key').orderBy('key').execute();
  return rows.map((row) => row.key);
}

test('a start deletes the keys that have expired, however many, and no other', async () => {
  await using database = await copyTemplate();
  const config = envToConfig({ PORT: '0', HOST: '127.0.0.1', ...database.env });
  const log = createLog('silent');
  const before = await connect(config, log);
  const tenant = await createTenant(before.db);
  await insertKeys(before.db, tenant, 'expired ', 2_500, '24 hours');
  await insertKeys(before.db, tenant, 'live ', 2, '23 hours 59 minutes');
  await before.close();

  const app = createApp(config, { log });
  await app.start();
  await expect.poll(() => storedKeys(app.db())).toEqual(['live 1', 'live 2']);
  await app.stop();
});

test('every hour it deletes those that have expired since; a failure is logged and harms nothing', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  await using app = await startApp();
  const tenant = await createTenant(app.db);
  const failures = () => app.logLines.filter(({ msg }) => msg === 'background job failed');

  await insertKeys(app.db, tenant, 'expired ', 3, '25 hours');
  vi.advanceTimersByTime(hour - 1);
  expect(await storedKeys(app.db)).toHaveLength(3);
  vi.advanceTimersByTime(1);
  await expect.poll(() => storedKeys(app.db)).toEqual([]);
  expect(failures()).toEqual([]);

  await sql`alter table idempotency_keys rename to elsewhere`.execute(app.db);
  vi.advanceTimersByTime(hour);
  await expect.poll(failures).toHaveLength(1);
  expect(failures()[0]).toMatchObject({ level: 40, err: { message: expect.stringContaining('idempotency_keys') } });
  expect((await app.client.rest('GET', '/services')).status).toBe(200);

  await sql`alter table elsewhere rename to idempotency_keys`.execute(app.db);
  await insertKeys(app.db, tenant, 'expired ', 1, '25 hours');
  vi.advanceTimersByTime(hour);
  await expect.poll(() => storedKeys(app.db)).toEqual([]);
  // The stop of the app takes the time it takes.
  vi.useRealTimers();
});
