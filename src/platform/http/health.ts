import type { Middleware } from './middleware.ts';
import { sendText } from './response.ts';

export interface Health {
  /** Whether the process accepts requests. */
  isReady(): Promise<boolean>;
  /** What the operator must add, according to the last check. */
  missing(): string | undefined;
}

/** `/livez` and `/readyz`, without any limits, so that monitoring works under overload. */
export function probes({ isReady, missing }: Health): Middleware {
  return ({ method, url = '' }, response, next) => {
    const word = /^\/(live|ready)z(?:\?|$)/.exec(url)?.[1];
    if (word === undefined || (method !== 'GET' && method !== 'HEAD')) return next();
    if (response.scope) response.scope.endpoint = { surface: 'probe', route: `/${word}z` };
    return (word === 'live' ? Promise.resolve(true) : isReady()).then((yes) => {
      const body = { status: yes ? word : `not ${word}`, missing: yes ? undefined : missing() };
      sendText(response, yes ? 200 : 503, JSON.stringify(body), 'application/json; charset=utf-8');
    });
  };
}
