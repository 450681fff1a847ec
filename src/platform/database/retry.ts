import { AsyncLocalStorage } from 'node:async_hooks';
import { isStatementOutdated } from '../../kernel/errors/database-errors.ts';

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
