import type { Kysely } from 'kysely';
import { isGivenUp } from '../../kernel/errors/database-errors.ts';

/**
 * Runs `work` in a transaction: all of it or, when it throws, nothing. Runs it once more if the database rolled it back in
 * favour of another (serialization failure, deadlock). Within a transaction, the work becomes a part of that one.
 */
export async function inTransaction<Tables, Result>(
  db: Kysely<Tables>,
  work: (transaction: Kysely<Tables>) => Promise<Result>,
): Promise<Result> {
  if (db.isTransaction) return work(db);
  const run = () => db.transaction().execute(work);
  return run().catch((error) => {
    if (isGivenUp(error)) return run();
    throw error;
  });
}
