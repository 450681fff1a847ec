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

/** What is known of a process, or of several as one. */
export interface Health {
  /** Whether it answers. */
  isLive(): Promise<boolean>;
  /** Whether it also takes work. */
  isReady(): Promise<boolean>;
}

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

/**
 * `/livez` and `/readyz`. Neither is limited, so that whoever watches the service gets an answer when nobody else does.
 */
export function probes({ isLive, isReady }: Health): Middleware {
  return (request, response, next) => {
    const probe = probePattern.exec(request.url ?? '')?.[1];
    if (probe === undefined || (request.method !== 'GET' && request.method !== 'HEAD')) return next();
    noteEndpoint(endpoints[probe]);
    const [asked, word] = probe === 'livez' ? [isLive(), 'live'] : [isReady(), 'ready'];
    void asked.then((yes) => answer(response, yes ? 200 : 503, yes ? word : `not ${word}`));
  };
}

const headers = ['Cache-Control', 'private, no-store', 'Content-Type', 'application/json; charset=utf-8'];

function answer(response: Answer, status: number, text: string): void {
  answerWhole(response, status, headers, JSON.stringify({ status: text }));
}
