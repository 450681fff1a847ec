import allowOrigin from 'cors';
import type { RequestHandler } from 'express';
import { findSurface } from '../../kernel/request/surface-path.ts';
import { methods } from './routes.ts';

const exposedHeaders =
  'Allow, ETag, Idempotency-Replayed, Location, RateLimit, RateLimit-Policy, Retry-After, ' +
  'WWW-Authenticate, X-Request-Id';

export const developmentOrigins = [
  'https://studio.apollographql.com',
  ...['localhost', '127.0.0.1', '[::1]'].flatMap((host) => [`http://${host}:*`, `https://${host}:*`]),
];

/** `:*` in place of a port means any port. */
export function isOrigin(text: string): boolean {
  const origin = text.replace(/:\*$/, '');
  if (!/^[a-z][a-z\d+.-]*:\/\/[^\s/?#@*]+$/.test(origin) || !URL.canParse(origin)) return false;
  const { protocol, origin: webOrigin } = new URL(origin);
  if (protocol === 'http:' || protocol === 'https:') return webOrigin === origin;
  // Apps (`capacitor:`) and browser extensions have their own schemes; a file is sent as `null`.
  return webOrigin === 'null' && protocol !== 'file:';
}

const schemaPath = /^\/+schema\.graphql(?:\?|$)/;

/** Without credentials: pages send their token themselves. */
export function cors(origins: readonly string[]): RequestHandler {
  const isPublic = origins.includes('*');
  const allowedOrigins = new Set(origins);
  const isAllowed = (origin: string) =>
    isPublic || allowedOrigins.has(origin) || allowedOrigins.has(origin.replace(/(?::\d+)?$/, ':*'));
  const allow = allowOrigin({
    origin: isPublic ? '*' : true,
    methods: methods.join(', '),
    exposedHeaders,
    maxAge: 600,
  });
  return (request, response, next) => {
    const { headers, method, url } = request;
    const isReadable = findSurface({ url }) !== 'none' || schemaPath.test(url);
    const isPlainOptions = method === 'OPTIONS' && headers['access-control-request-method'] === undefined;
    if (!isReadable || isPlainOptions) return next();
    // Caches must not share a response between origins.
    if (!isPublic) response.vary('Origin');
    if (headers.origin === undefined || !isAllowed(headers.origin)) return next();
    // Public pages, such as the hosted Sandbox, need this to reach a service on the visitor's machine.
    if (headers['access-control-request-private-network'] === 'true')
      response.setHeader('Access-Control-Allow-Private-Network', 'true');
    allow(request, response, next);
  };
}
