import type { IncomingMessage } from 'node:http';
import { addHeader, type GatewayResponse } from './response.ts';

export type Handler = (request: IncomingMessage, response: GatewayResponse) => unknown;

/** A step before Express: responds to the request, or calls `next`. It may return a promise. */
export type Middleware = (request: IncomingMessage, response: GatewayResponse, next: () => void) => unknown;

/** Responds to a request with an error, in the format of its surface. */
export type Reject = (response: GatewayResponse, error: unknown) => void;

/** Runs the steps in order, then `last`. If one throws, or its promise rejects, the error goes to `reject`. */
export function chain(steps: readonly Middleware[], last: Handler, reject: Reject): Handler {
  return (request, response) => {
    let index = 0;
    const next = () => {
      const step = steps[index];
      index += 1;
      try {
        const done = step === undefined ? last(request, response) : step(request, response, next);
        if (done instanceof Promise) done.catch((error: unknown) => reject(response, error));
      } catch (error) {
        reject(response, error);
      }
    };
    next();
  };
}

/**
 * Closes connections after their next response while the condition holds, so that clients reconnect elsewhere. Closes
 * them after a request with `Upgrade`, too: Node drops the requests that a client pipelines behind it.
 */
export function closeWhen(isDraining: () => boolean): Middleware {
  return (request, response, next) => {
    if (isDraining() || request.headers.upgrade !== undefined) addHeader(response, 'Connection', 'close');
    next();
  };
}
