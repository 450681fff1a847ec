import type { ServerResponse } from 'node:http';
import { AppError } from '../errors/app-error.ts';
import type { Middleware } from './middleware.ts';

/** Refuses a request that does not name its host, or names several (RFC 9112, section 3.2). */
export function requireHost(refuse: (response: ServerResponse, error: unknown) => void): Middleware {
  return ({ headersDistinct, httpVersion }, response, next) => {
    const hosts = headersDistinct.host?.length ?? 0;
    if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) refuse(response, new AppError('malformed_request'));
    else next();
  };
}
