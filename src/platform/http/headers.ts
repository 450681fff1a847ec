import type { IncomingHttpHeaders } from 'node:http';
import type { RequestHandler } from 'express';
import { AppError } from '../../kernel/errors/app-error.ts';
import { isGraphQL } from '../../kernel/request/surface-path.ts';

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

/** Makes clients reconnect to another process. */
export function closeConnections(isDraining: () => boolean): RequestHandler {
  return (_request, response, next) => {
    if (isDraining()) response.setHeader('Connection', 'close');
    next();
  };
}

/** RFC 9112, section 3.2. */
export const checkHost: RequestHandler = ({ headersDistinct, httpVersion }, _response, next) => {
  const { length } = headersDistinct.host ?? [];
  if (length > 1 || (length === 0 && httpVersion === '1.1')) throw new AppError('malformed_request');
  next();
};

/** Error responses too. `X-Query-Cost` adds the cost. */
export const setGraphQLVary: RequestHandler = (request, response, next) => {
  if (isGraphQL(request)) response.setHeader('Vary', 'Accept-Language, Accept, X-Query-Cost');
  next();
};

export const isCostRequested = (headers: IncomingHttpHeaders) => headers['x-query-cost'] === '1';
