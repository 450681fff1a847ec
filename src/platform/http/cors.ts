import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Middleware } from './middleware.ts';
import { originMatcher } from './origins.ts';
import { addHeader, send } from './response.ts';

/** What a page of another origin may do, and the headers that it may read besides those that it always may. */
const methods = 'GET, HEAD, POST, PUT';
const exposed = [
  'Allow',
  'ETag',
  'Idempotency-Replayed',
  'Location',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'WWW-Authenticate',
  'X-Request-Id',
].join(', ');

/** For so many seconds a browser need not ask again. */
const maxAge = '600';

/**
 * Lets pages of the given origins read what the surfaces answer (Fetch, CORS protocol), refusals included. Never with
 * credentials: what a caller may see depends on the token, which a page has to send itself. Preflights are answered here;
 * requests of other origins, and those of no page, go on as they are.
 */
export function cors(origins: readonly string[], isSurface: (request: IncomingMessage) => boolean): Middleware {
  const allows = originMatcher(origins);
  return (request, response, next) => {
    if (!isSurface(request)) return next();
    const { origin } = request.headers;
    // Whoever keeps the answer has to know that another origin gets another one.
    if (allows !== undefined) addHeader(response, 'Vary', 'Origin');
    if (origin === undefined || allows?.(origin) === false) return next();
    addHeader(response, 'Access-Control-Allow-Origin', allows === undefined ? '*' : origin);
    if (isPreflight(request)) return answerPreflight(request, response);
    addHeader(response, 'Access-Control-Expose-Headers', exposed);
    next();
  };
}

/** Takes the permission back: what only the service's own pages may read. */
export function forbidOtherOrigins(response: ServerResponse): void {
  response.removeHeader('Access-Control-Allow-Origin');
  response.removeHeader('Access-Control-Expose-Headers');
}

function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

function answerPreflight({ headers }: IncomingMessage, response: ServerResponse): void {
  const answer = ['Access-Control-Allow-Methods', methods, 'Access-Control-Max-Age', maxAge];
  const wanted = headers['access-control-request-headers'];
  // Whatever headers are asked for: they are the token, conditions and keys, and those of the page's own tools.
  if (wanted !== undefined) answer.push('Access-Control-Allow-Headers', wanted);
  // A page of the internet asks this of a service of its visitor's own machine, as the hosted Sandbox does.
  const isToPrivateNetwork = headers['access-control-request-private-network'] === 'true';
  if (isToPrivateNetwork) answer.push('Access-Control-Allow-Private-Network', 'true');
  send(response, 204, [...answer, 'Vary', 'Access-Control-Request-Headers']);
}
