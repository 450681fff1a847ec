import type { RequestHandler } from 'express';
import { AppError } from '../errors/app-error.ts';

/** Refuses other methods (405 with `Allow`); OPTIONS is answered with what is allowed. */
export function allowMethods(...methods: string[]): RequestHandler {
  const allow = methods.join(', ');
  return (request, response, next) => {
    if (methods.includes(request.method)) return next();
    if (request.method !== 'OPTIONS') throw new AppError('method_not_allowed', { headers: { Allow: allow } });
    response.status(204).set('Allow', allow).end();
  };
}
