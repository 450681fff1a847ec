import type { Kysely } from 'kysely';
import { isGivenUp } from '../../kernel/errors/database-errors.ts';

/**
 * Runs `work` in a transaction: all of it or, when it throws, nothing. Once more from the start when the database gave it
 * up for the sake of another (serialization failure, deadlock), which it says before anything is written.
 * Within a transaction, the work is a part of that one.
 */
export async function inTransaction<Tables, Result>(
  db: Kysely<Tables>,
  work: (transaction: Kysely<Tables>) => Promise<Result>,
): Promise<Result> {
  if (db.isTransaction) return work(db);
  try {
    return await db.transaction().execute(work);
  } catch (error) {
    if (!isGivenUp(error)) throw error;
    return db.transaction().execute(work);
  }
}
