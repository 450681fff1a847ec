import type { Kysely } from 'kysely';
import { isGivenUp } from '../../kernel/errors/database-errors.ts';
import { retryOnce } from './retry.ts';

/**
 * Runs `work` in a transaction: all or nothing. Retries once if the database rolled it back to let another proceed
 * (serialization failure, deadlock, an id that another took), or because a table has changed. Inside a transaction, the
 * work joins it.
 */
export async function inTransaction<Tables, Result>(
  db: Kysely<Tables>,
  work: (transaction: Kysely<Tables>) => Promise<Result>,
): Promise<Result> {
  if (db.isTransaction) return work(db);
  return retryOnce(() => db.transaction().execute(work), isGivenUp);
}
