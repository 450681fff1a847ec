import allowOrigin from 'cors';
import type { RequestHandler } from 'express';
import { findSurface } from '../../kernel/request/surface-path.ts';
import { methods } from './methods.ts';

const exposedHeaders =
  'Allow, ETag, Idempotency-Replayed, Location, RateLimit, RateLimit-Policy, Retry-After, ' +
  'WWW-Authenticate, X-Request-Id';

/** Pages on this machine, and Apollo Studio with its hosted Sandbox. */
export const developmentOrigins = [
  'https://studio.apollographql.com',
  ...['localhost', '127.0.0.1', '[::1]'].flatMap((host) => [`http://${host}:*`, `https://${host}:*`]),
];

/** Whether text is an origin as browsers and apps write it; `:*` in place of a port means any port. */
export function isOrigin(text: string): boolean {
  const origin = text.replace(/:\*$/, '');
  if (!/^[a-z][a-z\d+.-]*:\/\/[^\s/?#@*]+$/.test(origin) || !URL.canParse(origin)) return false;
  const { protocol, origin: ofWeb } = new URL(origin);
  if (protocol === 'http:' || protocol === 'https:') return ofWeb === origin;
  // Apps (`capacitor:`) and browser extensions have schemes of their own. A file is sent as `null`, and no page is from FTP.
  return ofWeb === 'null' && protocol !== 'file:';
}

/** The schema of GraphQL, which tools in browsers read. The REST description is below its own path. */
const schemaPath = /^\/+schema\.graphql(?:\?|$)/;

/**
 * Lets pages of the given origins read API responses, including rejections. Never with credentials: pages send their token
 * themselves.
 */
export function cors(origins: readonly string[]): RequestHandler {
  const isPublic = origins.includes('*');
  const listed = new Set(origins);
  const isAllowed = (origin: string) =>
    isPublic || listed.has(origin) || listed.has(origin.replace(/(?::\d+)?$/, ':*'));
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
    // Public pages need this to reach a service on their visitor's machine, as the hosted Sandbox does.
    if (headers['access-control-request-private-network'] === 'true')
      response.setHeader('Access-Control-Allow-Private-Network', 'true');
    allow(request, response, next);
  };
}
