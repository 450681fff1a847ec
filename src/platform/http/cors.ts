import type { ServerResponse } from 'node:http';
import corsPackage from 'cors';
import { surfaceOf } from '../../kernel/request/surface-path.ts';
import type { Middleware } from './middleware.ts';
import { addHeader, send } from './response.ts';

const exposedHeaders =
  'Allow, ETag, Idempotency-Replayed, Location, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id';

/** Pages of this machine, and Apollo Studio with its hosted Sandbox. */
export const developmentOrigins = [
  'https://studio.apollographql.com',
  ...['localhost', '127.0.0.1', '[::1]'].flatMap((host) => [`http://${host}:*`, `https://${host}:*`]),
];

/** Whether text is an origin as browsers write it; `:*` in place of a port means any port. */
export function isOrigin(text: string): boolean {
  const origin = text.replace(/:\*$/, '');
  return /^https?:[^*]+$/.test(origin) && URL.canParse(origin) && new URL(origin).origin === origin;
}

/**
 * Lets pages of the given origins read the responses of the surfaces, rejections included (Fetch standard, CORS protocol).
 * Never with credentials: pages send their token themselves.
 */
export function cors(origins: readonly string[]): Middleware {
  const isPublic = origins.includes('*');
  const apply = corsPackage({
    origin: isPublic ? '*' : origins.map(patternOf),
    methods: 'GET, HEAD, POST, PUT',
    exposedHeaders,
    maxAge: 600,
  });
  return (request, response, next) => {
    const { headers, method } = request;
    const isPreflight = headers['access-control-request-method'] !== undefined;
    if (surfaceOf(request) === 'none' || (method === 'OPTIONS' && !isPreflight)) return next();
    if (headers.origin === undefined) {
      // Caches must keep responses to pages of listed origins apart from this one.
      if (!isPublic) addHeader(response, 'Vary', 'Origin');
      return next();
    }
    // Pages of the internet need this to reach a service on their visitor's machine, as the hosted Sandbox does.
    if (headers['access-control-request-private-network'] === 'true') {
      addHeader(response, 'Access-Control-Allow-Private-Network', 'true');
    }
    const listed = {
      getHeader: () => undefined,
      setHeader: (name: string, value: string) => addHeader(response, name, value),
      end: () => send(response, 204, []),
    };
    apply(request, listed, next);
  };
}

/** Takes the permission back, for what only the service's own pages may read. */
export function forbidOtherOrigins(response: ServerResponse): void {
  response.removeHeader('Access-Control-Allow-Origin');
  response.removeHeader('Access-Control-Expose-Headers');
}

function patternOf(origin: string): string | RegExp {
  if (!origin.endsWith(':*')) return origin;
  return new RegExp(`^${origin.slice(0, -2).replace(/[.[\]]/g, '\\$&')}(?::\\d+)?$`);
}
