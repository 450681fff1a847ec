import { type RawBuilder, sql } from 'kysely';
import { expect } from 'vitest';
import type { Database } from '../../src/domain/tables.ts';
import type { Tenant } from './tenant.ts';

/** Pids of the backends of this database that wait for a lock of another. */
export async function listWaitingBackends(db: Database): Promise<number[]> {
  const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows.map((row) => row.pid);
}

/** Waits until one does, for less than the service would wait itself. */
export async function untilWaiting(db: Database): Promise<void> {
  await expect.poll(() => listWaitingBackends(db)).toHaveLength(1);
}

/** While `work` runs, whatever tags items of the company is stuck in the midst of its transaction. */
export function holdItems<Result>(db: Database, { companyId }: Tenant, work: () => Promise<Result>): Promise<Result> {
  return hold(db, sql`select id from items where company_id = ${companyId} for update`, work);
}

export function holdTags<Result>(db: Database, ids: number[], work: () => Promise<Result>): Promise<Result> {
  return hold(db, sql`select id from product_tags where id = any(${ids}) for update`, work);
}

/** While `work` runs, reads and writes of the table wait. */
export function holdTable<Result>(db: Database, table: string, work: () => Promise<Result>): Promise<Result> {
  return hold(db, sql`lock table ${sql.table(table)} in access exclusive mode`, work);
}

function hold<Result>(db: Database, lock: RawBuilder<unknown>, work: () => Promise<Result>): Promise<Result> {
  return db.transaction().execute(async (transaction) => {
    // It may be idle for longer than a request of the service may.
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(transaction);
    await lock.execute(transaction);
    return work();
  });
}
