import { sql } from 'kysely';
import type { Database } from '../domain/tables.ts';
import type { Health } from '../platform/http/health.ts';

/** How long an answer of the database counts, in ms. */
const readinessTtl = 1_000;

/** This process's health: it answers; it also takes work when the database answered lately, and no stop was asked for. */
export function ownHealth(db: Database, takesWork: () => boolean): Health {
  let askedAt = Number.NEGATIVE_INFINITY;
  let answered = Promise.resolve(false);

  const answersLately = () => {
    if (performance.now() - askedAt > readinessTtl) {
      askedAt = performance.now();
      answered = sql`select 1`.execute(db).then(
        () => true,
        () => false,
      );
    }
    return answered;
  };
  return { isLive: async () => true, isReady: async () => takesWork() && answersLately() };
}
