import type { Middleware } from './middleware.ts';
import { sendText } from './response.ts';

/** Checks whether the process accepts requests; `missing` is what the operator must add. */
export type Health = () => Promise<{ isReady: boolean; missing?: string | undefined }>;

const live: Health = async () => ({ isReady: true });

/** `/livez` and `/readyz`, without any limits, so that monitoring works under overload. */
export function probes(health: Health): Middleware {
  return ({ method, url = '' }, response, next) => {
    const word = /^\/(live|ready)z(?:\?|$)/.exec(url)?.[1];
    if (word === undefined || (method !== 'GET' && method !== 'HEAD')) return next();
    if (response.scope) response.scope.endpoint = { surface: 'probe', route: `/${word}z` };
    return (word === 'live' ? live : health)().then(({ isReady, missing }) => {
      const body = { status: isReady ? word : `not ${word}`, missing };
      sendText(response, isReady ? 200 : 503, JSON.stringify(body), 'application/json; charset=utf-8');
    });
  };
}
