import { type RawBuilder, sql } from 'kysely';
import { expect } from 'vitest';
import type { Database } from '../../src/domain/tables.ts';
import type { Tenant } from './tenant.ts';

/** Pids of this database's backends that wait for a lock. */
export async function listWaitingBackends(db: Database): Promise<number[]> {
  const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows.map((row) => row.pid);
}

/** Waits until a backend waits for a lock, for less time than the service's own limit. */
export async function untilWaiting(db: Database): Promise<void> {
  await expect.poll(() => listWaitingBackends(db)).toHaveLength(1);
}

/** While `work` runs, transactions that tag items of the company are blocked halfway. */
export function holdItems<Result>(db: Database, { companyId }: Tenant, work: () => Promise<Result>): Promise<Result> {
  return hold(db, sql`select id from items where company_id = ${companyId} for update`, work);
}

export function lockTags<Result>(db: Database, ids: number[], work: () => Promise<Result>): Promise<Result> {
  return hold(db, sql`select id from product_tags where id = any(${ids}) for update`, work);
}

/** While `work` runs, reads and writes of the table are blocked. */
export function lockTable<Result>(db: Database, table: string, work: () => Promise<Result>): Promise<Result> {
  return hold(db, sql`lock table ${sql.table(table)} in access exclusive mode`, work);
}

function hold<Result>(db: Database, lock: RawBuilder<unknown>, work: () => Promise<Result>): Promise<Result> {
  return db.transaction().execute(async (transaction) => {
    // This transaction may be idle longer than those of requests.
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(transaction);
    await lock.execute(transaction);
    return work();
  });
}
