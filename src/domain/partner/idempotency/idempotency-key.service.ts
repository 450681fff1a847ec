import { createHash } from 'node:crypto';
import type { RefusalCode } from '../../../kernel/errors/catalog.ts';
import { RefusedError } from '../../../kernel/errors/refusal.ts';
import { together } from '../../../platform/database/statement.ts';
import type { Caller } from '../../request/context.ts';
import type { Database } from '../../tables.ts';
import {
  deleteExpiredIdempotencyKeys,
  findIdempotencyKey,
  saveIdempotencyKey,
  tryLockIdempotencyKey,
} from './idempotency-key.queries.ts';

/** How many expired keys a statement deletes: few enough to be no burden, and to end soon. */
const batchSize = 1_000;

/** A write that its caller may send again under the same key. */
interface KeyedRequest {
  caller: Caller;
  /** Without one the write is done each time. */
  key: string | undefined;
  operation: string;
  /** What is asked, normalized: requests are the same when this has the same JSON. */
  input: unknown;
}

export interface Once<Answer> {
  answer: Answer;
  /** Whether it is the answer of an earlier request. */
  replayed: boolean;
}

/**
 * Does `work` once for all requests of a key within 24 hours, in whose transaction its answer is stored as JSON: a request
 * sent again gets that answer. Throws a RefusedError when the key was another request's, or is that of one in progress.
 */
export async function once<Answer extends object>(
  transaction: Database,
  { caller: { companyId, partnerId }, key, operation, input }: KeyedRequest,
  work: () => Promise<Answer>,
): Promise<Once<Answer>> {
  if (key === undefined) return { answer: await work(), replayed: false };
  const id = { companyId, partnerId, key };
  const requestHash = createHash('sha256')
    .update(JSON.stringify([operation, input]))
    .digest('hex');
  // The lock comes in an earlier statement, so that the lookup sees what its last holder has written.
  const [[lock], [known]] = await together(transaction, [tryLockIdempotencyKey.with(id), findIdempotencyKey.with(id)]);
  if (known !== undefined) {
    if (known.requestHash !== requestHash) throw refused('idempotency_key_reused');
    return { answer: known.answer as Answer, replayed: true };
  }
  if (lock?.locked !== true) throw refused('idempotency_key_in_use');
  const answer = await work();
  await saveIdempotencyKey(transaction, { ...id, requestHash, answer: JSON.stringify(answer) });
  return { answer, replayed: false };
}

/** Deletes all keys that have expired. */
export async function forgetExpiredKeys(db: Database): Promise<void> {
  while ((await deleteExpiredIdempotencyKeys(db, batchSize)) === batchSize);
}

function refused(code: RefusalCode): RefusedError {
  return new RefusedError([{ code, field: 'idempotencyKey' }]);
}
