import type { IncomingMessage } from 'node:http';
import type { Answer } from './answer.ts';

export type Handler = (request: IncomingMessage, response: Answer) => void;

/** A step before Express: answers the request, or lets the next one. */
export type Middleware = (request: IncomingMessage, response: Answer, next: () => void) => void;

/** The steps in their order, then `last`. */
export function chain(steps: readonly Middleware[], last: Handler): Handler {
  return steps.reduceRight<Handler>(
    (next, step) => (request, response) => step(request, response, () => next(request, response)),
    last,
  );
}
