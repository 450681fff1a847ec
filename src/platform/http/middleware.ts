import type { IncomingMessage } from 'node:http';
import type { Answer } from './answer.ts';

export type Handler = (request: IncomingMessage, response: Answer) => void;

/** A step before Express: answers the request, or lets the next one. */
export type Middleware = (request: IncomingMessage, response: Answer, next: () => void) => void;

/** The steps in their order, then `last`. */
export function chain(steps: readonly Middleware[], last: Handler): Handler {
  return (request, response) => {
    let index = 0;
    const next = () => {
      const step = steps[index];
      index += 1;
      if (step === undefined) last(request, response);
      else step(request, response, next);
    };
    next();
  };
}
