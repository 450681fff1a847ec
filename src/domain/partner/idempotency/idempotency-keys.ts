import { hash } from 'node:crypto';
import { type Insertable, sql } from 'kysely';
import { AppError } from '../../../kernel/errors/app-error.ts';
import { pipeline } from '../../../platform/database/queries.ts';
import type { IdempotencyKeys } from '../../tables.generated.ts';
import type { Database } from '../../tables.ts';
import type { Caller } from '../tokens/tokens.ts';

/** Whether a text can be a key: 1 to 255 printable ASCII characters. */
export function isIdempotencyKey(text: string): boolean {
  return /^[\x20-\x7e]{1,255}$/.test(text);
}

/**
 * Runs `work` once within 24 hours for each key of a caller. Stores its result as JSON in the same transaction and
 * returns it to retries (`replayed`), which must have the same normalized `input`. Without a key, always runs `work`. Throws
 * `idempotency_key_reused` if a different request used the key, and `idempotency_key_in_use` while one with it is in progress.
 */
export async function runIdempotently<Result extends object>(
  transaction: Database,
  { companyId, partnerId }: Caller,
  key: string | undefined,
  input: unknown,
  work: () => Promise<Result>,
): Promise<{ result: Result; replayed: boolean }> {
  if (key === undefined) return { result: await work(), replayed: false };
  const id = { companyId, partnerId, key };
  // Stored hashes begin with the name of the only mutation that has keys.
  const requestHash = hash('sha256', JSON.stringify(['createProductTag', input]));
  // Lock in an earlier statement, so that the lookup sees the writes of the last holder.
  const [[lock], [existing]] = await pipeline(transaction, [tryLockKey(id), findKey(transaction, id)]);
  if (existing !== undefined) {
    if (existing.requestHash !== requestHash) throw new AppError('idempotency_key_reused');
    return { result: existing.answer as Result, replayed: true };
  }
  if (lock?.locked !== true) throw new AppError('idempotency_key_in_use');
  const result = await work();
  await saveKey({ ...id, requestHash, answer: JSON.stringify(result) }).execute(transaction);
  return { result, replayed: false };
}

/** Keys are unique per partner and company. */
type KeyId = Pick<IdempotencyKeys, 'companyId' | 'partnerId' | 'key'>;

// Uses the database's clock, so that all processes agree.
const isExpired = sql<boolean>`idempotency_keys.created_at <= now() - interval '24 hours'`;

// Locks a key until the transaction ends; `locked` is false if another transaction holds the lock.
const tryLockKey = ({ companyId, partnerId, key }: KeyId) => sql<{ locked: boolean }>`
  select pg_try_advisory_xact_lock(
    hashtextextended(concat_ws(':', ${companyId}::integer, ${partnerId}::integer, ${key}::text), 0)
  ) as locked`;

const findKey = (db: Database, { companyId, partnerId, key }: KeyId) =>
  db
    .selectFrom('idempotencyKeys')
    .select(['requestHash', 'answer'])
    .where('companyId', '=', companyId)
    .where('partnerId', '=', partnerId)
    .where('key', '=', key)
    .where((where) => where.not(isExpired));

// Replaces an expired result.
const saveKey = ({ companyId, partnerId, key, requestHash, answer }: Insertable<IdempotencyKeys>) => sql`
  insert into idempotency_keys (company_id, partner_id, key, request_hash, answer)
  values (${companyId}, ${partnerId}, ${key}, ${requestHash}, ${answer})
  on conflict (company_id, partner_id, key) do update
    set request_hash = excluded.request_hash, answer = excluded.answer, created_at = excluded.created_at`;

/** Keys deleted per statement: few, so that locks are short. */
const batchSize = 1_000;

/** Deletes expired keys; skips keys that another process is deleting. */
export async function forgetExpiredKeys(db: Database): Promise<void> {
  for (let deleted = batchSize; deleted === batchSize; ) {
    const { numDeletedRows } = await db
      .deleteFrom('idempotencyKeys')
      .where(sql<boolean>`(company_id, partner_id, key) in (
        select company_id, partner_id, key from idempotency_keys where ${isExpired}
        order by created_at limit ${batchSize} for update skip locked
      )`)
      .executeTakeFirstOrThrow();
    deleted = Number(numDeletedRows);
  }
}
