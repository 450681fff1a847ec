import type { IncomingHttpHeaders } from 'node:http';
import type { RequestHandler } from 'express';
import { isGraphQL } from '../../kernel/request/surface-path.ts';

/** Security headers of every response; a page replaces the policy with its own. */
export const securityHeaders = new Map([
  ['Content-Security-Policy', "default-src 'none';frame-ancestors 'none'"],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Referrer-Policy', 'no-referrer'],
  // Without `includeSubDomains`: other hosts of the domain decide for themselves.
  ['Strict-Transport-Security', 'max-age=31536000'],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'SAMEORIGIN'],
]);

export const setHeaders: RequestHandler = (request, response, next) => {
  const { id, locale } = response.locals.context;
  response.setHeaders(securityHeaders);
  response.setHeader('X-Request-Id', id);
  response.setHeader('Content-Language', locale);
  response.setHeader('Vary', isGraphQL(request) ? 'Accept-Language, Accept, X-Query-Cost' : 'Accept-Language');
  next();
};

/** Whether a GraphQL request asks for the cost of its operation. */
export const requestsCost = (headers: IncomingHttpHeaders) => headers['x-query-cost'] === '1';

/**
 * Closes connections after their next response while the condition holds, so that clients reconnect elsewhere. Closes
 * them after a request with `Upgrade`, too: Node drops the requests that a client pipelines behind it.
 */
export function closeConnections(isDraining: () => boolean): RequestHandler {
  return (request, response, next) => {
    if (isDraining() || request.headers.upgrade !== undefined) response.setHeader('Connection', 'close');
    next();
  };
}
