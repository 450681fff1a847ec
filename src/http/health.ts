import { type RequestHandler, Router } from 'express';
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';

/** For so long an answer of the database counts as lately, in ms. */
const lately = 1_000;

/** `/livez`: the process answers. `/readyz`: it also takes work: the database answered lately, and no stop was asked for. */
export function healthRouter(db: Database, isDraining: () => boolean): Router {
  let answeredAt = Number.NEGATIVE_INFINITY;

  const readiness: RequestHandler = async (_request, response) => {
    if (!isDraining() && performance.now() - answeredAt > lately) {
      await sql`select 1`.execute(db).then(
        () => {
          answeredAt = performance.now();
        },
        () => {},
      );
    }
    const ready = !isDraining() && performance.now() - answeredAt <= lately;
    response.status(ready ? 200 : 503).json({ status: ready ? 'ready' : 'not ready' });
  };

  return Router()
    .use((_request, response, next) => {
      response.set('Cache-Control', 'no-store');
      next();
    })
    .get('/livez', (_request, response) => {
      response.json({ status: 'live' });
    })
    .get('/readyz', readiness);
}
