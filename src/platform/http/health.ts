import type { Endpoint } from '../../kernel/request/scope.ts';
import { noteEndpoint } from '../../kernel/request/scope.ts';
import { type Answer, answerWhole } from './answer.ts';
import type { Middleware } from './middleware.ts';

const endpoints: Record<string, Endpoint> = {
  livez: { surface: 'probe', route: '/livez' },
  readyz: { surface: 'probe', route: '/readyz' },
};

const probePattern = /^\/(livez|readyz)(?:\?|$)/;

/** What is known of a process, or of several as one. */
export interface Health {
  /** Whether it answers. */
  isLive(): Promise<boolean>;
  /** Whether it also takes work. */
  isReady(): Promise<boolean>;
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
