import type { IncomingHttpHeaders } from 'node:http';
import type { RequestHandler } from 'express';
import { AppError } from '../../kernel/errors/app-error.ts';
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

export const setHeaders: RequestHandler = (_request, response, next) => {
  const { id, locale } = response.locals.context;
  response.setHeaders(securityHeaders);
  response.setHeader('X-Request-Id', id);
  response.setHeader('Content-Language', locale);
  response.setHeader('Vary', 'Accept-Language');
  next();
};

/** Closes connections after their next response while the condition holds, so that clients reconnect elsewhere. */
export function closeConnections(isDraining: () => boolean): RequestHandler {
  return (_request, response, next) => {
    if (isDraining()) response.setHeader('Connection', 'close');
    next();
  };
}

/** Rejects a missing or repeated Host (RFC 9112, section 3.2). */
export const checkHost: RequestHandler = ({ headersDistinct, httpVersion }, _response, next) => {
  const { length } = headersDistinct.host ?? [];
  if (length > 1 || (length === 0 && httpVersion === '1.1')) throw new AppError('malformed_request');
  next();
};

/** Every response of GraphQL, an error too, has the media type that the request prefers; one may show the cost. */
export const varyOfGraphQL: RequestHandler = (request, response, next) => {
  if (isGraphQL(request)) response.setHeader('Vary', 'Accept-Language, Accept, X-Query-Cost');
  next();
};

/** Whether a GraphQL request asks for the cost of its operation. */
export const requestsCost = (headers: IncomingHttpHeaders) => headers['x-query-cost'] === '1';
