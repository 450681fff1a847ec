import type { RequestHandler } from 'express';
import { sendJson } from './send.ts';

/** `missing` is what the operator must add. */
export type Health = () => Promise<{ isReady: boolean; missing?: string | undefined }>;

/** No rate limits or waits, so that monitoring works under overload. */
export function probes(health: Health): RequestHandler {
  return async ({ method, path }, response, next) => {
    const word = /^\/(live|ready)z$/.exec(path)?.[1];
    if (word === undefined || (method !== 'GET' && method !== 'HEAD')) return next();
    // The management port has no log line for each request.
    if (response.locals.context) response.locals.context.endpoint = { surface: 'probe', route: `/${word}z` };
    const { isReady, missing } = word === 'live' ? { isReady: true } : await health();
    response.setHeader('Cache-Control', 'private, no-store');
    sendJson(response, isReady ? 200 : 503, { status: isReady ? word : `not ${word}`, missing });
  };
}
