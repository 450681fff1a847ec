import { AsyncLocalStorage } from 'node:async_hooks';
import type { Kysely } from 'kysely';
import { isGivenUp, isStatementOutdated } from '../../kernel/errors/database-errors.ts';

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

const unprepared = new AsyncLocalStorage<true>();

/** Whether statements may use what a connection has prepared. */
export function usesPrepared(): boolean {
  return unprepared.getStore() === undefined;
}

/**
 * Runs work, and once more if it failed with an error that permits it. After a change of a table, prepared statements
 * fail until their connections close; the work then runs without any, because a pooler keeps its connections.
 */
export async function retryOnce<Result>(
  work: () => Promise<Result>,
  mayRetry: (error: unknown) => boolean,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (isStatementOutdated(error)) return unprepared.run(true, work);
    if (mayRetry(error)) return work();
    throw error;
  }
}
