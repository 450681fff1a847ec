import type { IncomingMessage, ServerResponse } from 'node:http';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import type { Config } from '../../app/config.ts';
import { AppError } from '../../kernel/errors/app-error.ts';
import { hashToken, parseBearer } from '../../kernel/token.ts';
import { clientAddress } from './client-address.ts';
import type { Middleware, Reject } from './middleware.ts';
import { addHeader } from './response.ts';

type RequestKind = 'reads' | 'writes';

/**
 * Counts `points` against the limits of the request's caller, and says in `RateLimit` and `RateLimit-Policy`
 * (draft-ietf-httpapi-ratelimit-headers) what is left. Throws `rate_limited` when a limit is used up.
 */
export type CountRequest = (response: ServerResponse, kind: RequestKind, points?: number) => Promise<void>;

/** The numbers of a caller after a count. */
export type Count = Pick<RateLimiterRes, 'consumedPoints' | 'msBeforeNext'>;

/** Counts for each caller the points of the window, of `duration` seconds, that its first request began. */
export interface Limiter {
  readonly points: number;
  /** Resolves or rejects with the caller's numbers, these points included. */
  consume(caller: string, points: number): Promise<Count>;
}

export interface LimiterOptions {
  name: string;
  points: number;
  duration: number;
}

export type CreateLimiter = (options: LimiterOptions) => Limiter;

interface Limit {
  name: string;
  /** What it says of itself in `RateLimit-Policy`. */
  policy: string;
  limiter: Limiter;
  /** Whose requests are counted together; undefined where the limit does not apply. */
  callerOf(request: IncomingMessage): string | undefined;
}

/**
 * Limits each address, and each token: the address first, so that made-up tokens do not get around it. Counts are the
 * process's own unless `createLimiter` makes others.
 */
export function createRateLimits(
  { rateLimits, trustedProxies }: Pick<Config, 'rateLimits' | 'trustedProxies'>,
  createLimiter: CreateLimiter = (options) => new RateLimiterMemory(options),
): CountRequest {
  if (rateLimits === undefined) return async () => {};
  const { window, token, address } = rateLimits;
  const addressOf = clientAddress(trustedProxies);
  const limits = (kind: RequestKind): Limit[] => [
    limitOf(`address-${kind}`, address[kind], addressOf),
    limitOf(`token-${kind}`, token[kind], tokenHashOf),
  ];
  const limitOf = (name: string, points: number, callerOf: Limit['callerOf']): Limit => {
    const policy = `"${name}";q=${points};w=${window}`;
    return { name, policy, limiter: createLimiter({ name, points, duration: window }), callerOf };
  };
  const byKind = { reads: limits('reads'), writes: limits('writes') };

  return async (response, kind, points = 1) => {
    for (const { limiter, name, policy, callerOf } of byKind[kind]) {
      const caller = callerOf(response.req);
      if (caller === undefined) continue;
      let count: Count;
      try {
        count = await limiter.consume(caller, points);
      } catch (refused) {
        // The library rejects with the same numbers when the limit is used up.
        count = refused as Count;
      }
      const left = limiter.points - count.consumedPoints;
      const seconds = Math.ceil(count.msBeforeNext / 1_000);
      addHeader(response, 'RateLimit-Policy', policy);
      addHeader(response, 'RateLimit', `"${name}";r=${Math.max(left, 0)};t=${seconds}`);
      if (left >= 0) continue;
      throw new AppError('rate_limited', { values: { seconds }, headers: { 'Retry-After': String(seconds) } });
    }
  };
}

/** Counts each request by its method, before anything else is known of it; what a mutation writes is counted later. */
export function rateLimit(
  count: CountRequest,
  isGraphQL: (request: IncomingMessage) => boolean,
  reject: Reject,
): Middleware {
  return (request, response, next) => {
    const reads = request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS';
    const kind = reads || isGraphQL(request) ? 'reads' : 'writes';
    count(response, kind).then(next, (error: unknown) => reject(response, error));
  };
}

function tokenHashOf({ headers }: IncomingMessage): string | undefined {
  const token = parseBearer(headers.authorization);
  return token === undefined ? undefined : hashToken(token);
}
