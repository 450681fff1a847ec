import { type Endpoint, noteEndpoint } from '../../kernel/request/scope.ts';
import type { Middleware } from './middleware.ts';
import { send } from './response.ts';

const endpoints: Record<string, Endpoint> = {
  livez: { surface: 'probe', route: '/livez' },
  readyz: { surface: 'probe', route: '/readyz' },
};

const probePattern = /^\/(livez|readyz)(?:\?|$)/;

/** The health of a process, or of several as one. */
export interface Health {
  isLive(): Promise<boolean>;
  /** Whether it also accepts requests. */
  isReady(): Promise<boolean>;
  /** What an operator must add before it is ready, as the last check found. */
  missing?(): string | undefined;
}

const headers = ['Cache-Control', 'private, no-store', 'Content-Type', 'application/json; charset=utf-8'];

/** `/livez` and `/readyz`: outside of all limits, so that monitoring works in an overload. */
export function probes({ isLive, isReady, missing }: Health): Middleware {
  return (request, response, next) => {
    const probe = probePattern.exec(request.url ?? '')?.[1];
    if (probe === undefined || (request.method !== 'GET' && request.method !== 'HEAD')) return next();
    noteEndpoint(endpoints[probe]);
    const [check, word] = probe === 'livez' ? [isLive(), 'live'] : [isReady(), 'ready'];
    void check.then((yes) => {
      const body = JSON.stringify({ status: yes ? word : `not ${word}`, missing: yes ? undefined : missing?.() });
      send(response, yes ? 200 : 503, headers, body);
    });
  };
}
