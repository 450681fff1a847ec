import type { Kysely } from 'kysely';
import { isConnectionLost, isRetryable, isStatementOutdated } from '../../kernel/errors/database-errors.ts';

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
  return retryOnce(() => db.transaction().execute(work), isRetryable);
}

/** Reads outside of a transaction, and once more if the connection was lost, as in a failover. */
export function retryRead<Result>(read: () => Promise<Result>): Promise<Result> {
  return retryOnce(read, isConnectionLost);
}

/** Runs work, and once more if it failed with an error that permits it, or because a table has changed. */
async function retryOnce<Result>(work: () => Promise<Result>, mayRetry: (error: unknown) => boolean): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (isStatementOutdated(error) || mayRetry(error)) return work();
    throw error;
  }
}
