import { type RequestHandler, Router } from 'express';
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { noStore } from './cache-control.ts';

/** How long an answer of the database counts, in ms. */
const readinessTtl = 1_000;

/** `/livez`: the process answers. `/readyz`: it also takes work: the database answered lately, and no stop was asked for. */
export function healthRouter(db: Database, isDraining: () => boolean): Router {
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

  const liveness: RequestHandler = (_request, response) => {
    response.json({ status: 'live' });
  };
  const readiness: RequestHandler = async (_request, response) => {
    const isReady = !isDraining() && (await answersLately());
    response.status(isReady ? 200 : 503).json({ status: isReady ? 'ready' : 'not ready' });
  };
  return Router().get('/livez', noStore, liveness).get('/readyz', noStore, readiness);
}
