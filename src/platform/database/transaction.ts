import type { Kysely } from 'kysely';
import { isConnectionLost, isRetryable, isStatementOutdated } from '../../kernel/errors/database-errors.ts';

/** Joins a transaction that is open. Otherwise retries once after a conflict or a change of a table. */
export async function inTransaction<Tables, Result>(
  db: Kysely<Tables>,
  work: (transaction: Kysely<Tables>) => Promise<Result>,
): Promise<Result> {
  if (db.isTransaction) return work(db);
  return retryOnce(() => db.transaction().execute(work), isRetryable);
}

/** For reads outside of a transaction: retries once if the connection was lost, as in a failover. */
export function retryRead<Result>(read: () => Promise<Result>): Promise<Result> {
  return retryOnce(read, isConnectionLost);
}

async function retryOnce<Result>(work: () => Promise<Result>, mayRetry: (error: unknown) => boolean): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (isStatementOutdated(error) || mayRetry(error)) return work();
    throw error;
  }
}
