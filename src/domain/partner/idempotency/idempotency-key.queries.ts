import { type Insertable, type Selectable, sql } from 'kysely';
import type { Database } from '../../tables.ts';
import type { IdempotencyKeysTable } from './idempotency-key.table.ts';

/** A key is its partner's own, and so is each company's that the partner acts for. */
export type IdempotencyKeyId = Pick<IdempotencyKeysTable, 'companyId' | 'partnerId' | 'key'>;

// By the database's clock, so that every process agrees.
const isExpired = sql<boolean>`idempotency_keys.created_at <= now() - interval '24 hours'`;

/** Locks a key until the transaction ends; false when another transaction has it. */
export async function tryLockIdempotencyKey(
  transaction: Database,
  { companyId, partnerId, key }: IdempotencyKeyId,
): Promise<boolean> {
  const name = `${companyId}:${partnerId}:${key}`;
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as locked`.execute(transaction);
  return rows[0]?.locked === true;
}

/** What was written under a key in the last 24 hours. */
export async function findIdempotencyKey(
  db: Database,
  { companyId, partnerId, key }: IdempotencyKeyId,
): Promise<Pick<Selectable<IdempotencyKeysTable>, 'requestHash' | 'answer'> | undefined> {
  return db
    .selectFrom('idempotencyKeys')
    .select(['requestHash', 'answer'])
    .where('companyId', '=', companyId)
    .where('partnerId', '=', partnerId)
    .where('key', '=', key)
    .where((where) => where.not(isExpired))
    .executeTakeFirst();
}

/** Stores what was written under a key, in place of what had expired there. */
export async function saveIdempotencyKey(transaction: Database, row: Insertable<IdempotencyKeysTable>): Promise<void> {
  await transaction
    .insertInto('idempotencyKeys')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['companyId', 'partnerId', 'key']).doUpdateSet((set) => ({
        requestHash: set.ref('excluded.requestHash'),
        answer: set.ref('excluded.answer'),
        createdAt: set.ref('excluded.createdAt'),
      })),
    )
    .execute();
}

/** Deletes expired keys, at most so many, none that another process is deleting; returns how many. */
export async function deleteExpiredIdempotencyKeys(db: Database, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('idempotencyKeys')
    .where((where) =>
      where(
        where.refTuple('companyId', 'partnerId', 'key'),
        'in',
        where
          .selectFrom('idempotencyKeys')
          .select(['companyId', 'partnerId', 'key'])
          .where(isExpired)
          .orderBy('createdAt')
          .limit(limit)
          .forUpdate()
          .skipLocked()
          .$asTuple('companyId', 'partnerId', 'key'),
      ),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
