import type { RequestHandler } from 'express';
import { surfaceOf } from '../../kernel/request/surface-path.ts';
import { methods } from './methods.ts';
import { send } from './send.ts';

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

/** The schema of GraphQL, which tools in browsers read. That of REST is below its path. */
const schemaPath = /^\/+schema\.graphql(?:\?|$)/;

/**
 * Lets pages of the given origins read API responses, including rejections (Fetch standard, CORS protocol). Never with
 * credentials: pages send their token themselves.
 */
export function cors(origins: readonly string[]): RequestHandler {
  const isPublic = origins.includes('*');
  const listed = new Set(origins);
  return ({ headers, method, url }, response, next) => {
    const { origin, 'access-control-request-method': requestedMethod } = headers;
    const requestedHeaders = headers['access-control-request-headers'];
    const isReadable = surfaceOf({ url }) !== 'none' || schemaPath.test(url);
    if (!isReadable || (method === 'OPTIONS' && requestedMethod === undefined)) return next();
    // Caches must not share a response between origins.
    if (!isPublic) response.vary('Origin');
    if (origin === undefined) return next();
    const isAllowed = isPublic || listed.has(origin) || listed.has(origin.replace(/(?::\d+)?$/, ':*'));
    if (isAllowed) {
      response.setHeader('Access-Control-Allow-Origin', isPublic ? '*' : origin);
      response.setHeader('Access-Control-Expose-Headers', exposedHeaders);
    }
    if (method !== 'OPTIONS') return next();
    response.vary('Access-Control-Request-Headers');
    if (isAllowed) {
      response.setHeader('Access-Control-Allow-Methods', methods.join(', '));
      response.setHeader('Access-Control-Max-Age', '600');
      if (requestedHeaders !== undefined) response.setHeader('Access-Control-Allow-Headers', requestedHeaders);
      // Public pages need this to reach a service on their visitor's machine, as the hosted Sandbox does.
      if (headers['access-control-request-private-network'] === 'true')
        response.setHeader('Access-Control-Allow-Private-Network', 'true');
    }
    send(response, 204);
  };
}
