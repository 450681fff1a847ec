import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

/** A step before Express: answers the request, or lets the next one. */
export type Middleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/** The steps in their order, then `last`. */
export function chain(steps: readonly Middleware[], last: RequestListener): RequestListener {
  return steps.reduceRight<RequestListener>(
    (next, step) => (request, response) => step(request, response, () => next(request, response)),
    last,
  );
}
