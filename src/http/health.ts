import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Endpoint } from '../request/endpoint.ts';
import { noteEndpoint } from '../request/scope.ts';
import { type Answer, answerWhole } from './answer.ts';
import type { Middleware } from './middleware.ts';

const endpoints: Record<string, Endpoint> = {
  livez: { surface: 'probe', route: '/livez' },
  readyz: { surface: 'probe', route: '/readyz' },
};

const probePattern = /^\/(livez|readyz)(?:\?|$)/;

/** How long an answer of the database counts, in ms. */
const readinessTtl = 1_000;

/**
 * `/livez`: the process answers. `/readyz`: it also takes work: the database answered lately, and no stop was asked for.
 * Neither is limited, so that whoever watches the service gets an answer when nobody else does.
 */
export function health(db: Database, takesWork: () => boolean): Middleware {
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

  return (request, response, next) => {
    const probe = probePattern.exec(request.url ?? '')?.[1];
    if (probe === undefined || (request.method !== 'GET' && request.method !== 'HEAD')) return next();
    noteEndpoint(endpoints[probe]);
    if (probe === 'livez') return answer(response, 200, 'live');
    if (!takesWork()) return answer(response, 503, 'not ready');
    void answersLately().then((isReady) => answer(response, isReady ? 200 : 503, isReady ? 'ready' : 'not ready'));
  };
}

const headers = ['Cache-Control', 'private, no-store', 'Content-Type', 'application/json; charset=utf-8'];

function answer(response: Answer, status: number, text: string): void {
  answerWhole(response, status, headers, JSON.stringify({ status: text }));
}
