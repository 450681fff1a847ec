import { hash } from 'node:crypto';
import { type Insertable, sql } from 'kysely';
import { AppError } from '../../../kernel/errors/app-error.ts';
import { pipeline } from '../../../platform/database/queries.ts';
import type { IdempotencyKeys } from '../../tables.generated.ts';
import type { Database } from '../../tables.ts';
import type { Caller } from '../tokens/tokens.ts';

export function isIdempotencyKey(text: string): boolean {
  return /^[\x20-\x7e]{1,255}$/.test(text);
}

/** A retry within 24 hours returns the stored result. Throws `idempotency_key_reused` or `idempotency_key_in_use`. */
export async function runIdempotently<Result extends object>(
  transaction: Database,
  { companyId, partnerId }: Caller,
  key: string | undefined,
  input: unknown,
  work: () => Promise<Result>,
): Promise<{ result: Result; replayed: boolean }> {
  if (key === undefined) return { result: await work(), replayed: false };
  const id = { companyId, partnerId, key };
  // Stored hashes include the name of the only mutation that has keys.
  const requestHash = hash('sha256', JSON.stringify(['createProductTag', input]));
  // Lock first, so that the lookup sees what the previous lock holder wrote.
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

type KeyId = Pick<IdempotencyKeys, 'companyId' | 'partnerId' | 'key'>;

// The database's clock, so that all processes agree.
const isExpired = sql<boolean>`idempotency_keys.created_at <= now() - interval '24 hours'`;

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

const saveKey = ({ companyId, partnerId, key, requestHash, answer }: Insertable<IdempotencyKeys>) => sql`
  insert into idempotency_keys (company_id, partner_id, key, request_hash, answer)
  values (${companyId}, ${partnerId}, ${key}, ${requestHash}, ${answer})
  on conflict (company_id, partner_id, key) do update
    set request_hash = excluded.request_hash, answer = excluded.answer, created_at = excluded.created_at`;

const batchSize = 1_000;

/** Skips keys that another process is deleting. */
export async function deleteExpiredKeys(db: Database): Promise<void> {
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
