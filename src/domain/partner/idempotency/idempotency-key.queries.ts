import { type Insertable, sql } from 'kysely';
import { statement } from '../../../platform/database/statement.ts';
import type { Database } from '../../tables.ts';
import type { IdempotencyKeysTable } from './idempotency-key.table.ts';

/** A key is its partner's own, and so is each company's that the partner acts for. */
export type IdempotencyKeyId = Pick<IdempotencyKeysTable, 'companyId' | 'partnerId' | 'key'>;

// By the database's clock, so that every process agrees.
const isExpired = sql<boolean>`idempotency_keys.created_at <= now() - interval '24 hours'`;

/** Locks a key until the transaction ends; not `locked` when another transaction has it. */
export const tryLockIdempotencyKey = statement(
  (_: Database, { companyId, partnerId, key }: IdempotencyKeyId) => sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(
      hashtextextended(concat_ws(':', ${companyId}::integer, ${partnerId}::integer, ${key}::text), 0)
    ) as locked`,
);

/** What was written under a key in the last 24 hours. */
export const findIdempotencyKey = statement((db: Database, { companyId, partnerId, key }: IdempotencyKeyId) =>
  db
    .selectFrom('idempotencyKeys')
    .select(['requestHash', 'answer'])
    .where('companyId', '=', companyId)
    .where('partnerId', '=', partnerId)
    .where('key', '=', key)
    .where((where) => where.not(isExpired)),
);

/** Stores what was written under a key, in place of what had expired there. */
export const saveIdempotencyKey = statement(
  (db: Database, { companyId, partnerId, key, requestHash, answer }: Insertable<IdempotencyKeysTable>) =>
    db
      .insertInto('idempotencyKeys')
      .values({ companyId, partnerId, key, requestHash, answer })
      .onConflict((conflict) =>
        conflict.columns(['companyId', 'partnerId', 'key']).doUpdateSet((set) => ({
          requestHash: set.ref('excluded.requestHash'),
          answer: set.ref('excluded.answer'),
          createdAt: set.ref('excluded.createdAt'),
        })),
      ),
);

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
