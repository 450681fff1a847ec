import type { RequestHandler, Response } from 'express';
import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '../../kernel/errors/app-error.ts';
import { isGraphQL } from '../../kernel/request/surface-path.ts';
import { MemoryLimiter } from './memory-limiter.ts';

type RequestKind = 'reads' | 'writes';

/**
 * Counts a request `times` against the limits of its caller, and adds `RateLimit` and `RateLimit-Policy`
 * (draft-ietf-httpapi-ratelimit-headers). Throws `rate_limited` when a limit is used up.
 */
export type CountRequest = (response: Response, kind: RequestKind, times?: number) => Promise<void>;

/** Maximum requests per window of `window` seconds. */
export interface RateLimits {
  window: number;
  token: Record<RequestKind, number>;
  address: Record<RequestKind, number>;
}

/** Creates a limiter of `points` requests per `duration` seconds, as rate-limiter-flexible names them. */
export type CreateLimiter = (options: { keyPrefix: string; points: number; duration: number }) => RateLimiterAbstract;

/**
 * Limits each address and each token; the address first, so that invented tokens do not bypass it. Each process counts
 * on its own unless `createLimiter` makes shared limiters.
 */
export function createRateLimits(
  { rateLimits }: { rateLimits: RateLimits | undefined },
  createLimiter: CreateLimiter = (options) => new MemoryLimiter(options),
): CountRequest {
  if (rateLimits === undefined) return async () => {};
  const { window, token, address } = rateLimits;
  const createLimit = (name: string, max: number, getCaller: (response: Response) => string | undefined) => ({
    name,
    /** Its item in `RateLimit-Policy`. */
    policy: `"${name}";q=${max};w=${window}`,
    limiter: createLimiter({ keyPrefix: name, points: max, duration: window }),
    /** Requests of the same caller are counted together; undefined if the limit does not apply. */
    getCaller,
  });
  const createLimits = (kind: RequestKind) => [
    createLimit(`address-${kind}`, address[kind], ({ locals }) => locals.context.address),
    createLimit(`token-${kind}`, token[kind], ({ locals }) => locals.context.tokenHash),
  ];
  const limits = { reads: createLimits('reads'), writes: createLimits('writes') };

  return async (response, kind, times = 1) => {
    for (const { limiter, name, policy, getCaller } of limits[kind]) {
      const caller = getCaller(response);
      if (caller === undefined) continue;
      const { consumedPoints, msBeforeNext } = await limiter.consume(caller, times).catch((error: unknown) => {
        // The limit is used up.
        if (error instanceof RateLimiterRes) return error;
        throw error;
      });
      const left = limiter.points - consumedPoints;
      // The limiter computes it by the wall clock, which may have been set back. The window ends in time all the same.
      const seconds = Math.min(Math.ceil(msBeforeNext / 1_000), window);
      addItem(response, 'RateLimit-Policy', name, policy);
      addItem(response, 'RateLimit', name, `"${name}";r=${Math.max(left, 0)};t=${seconds}`);
      if (left >= 0) continue;
      throw new AppError('rate_limited', { values: { seconds }, headers: { 'Retry-After': String(seconds) } });
    }
  };
}

/** Adds the item of a limit to a header, replacing an earlier one. */
function addItem(response: Response, header: string, name: string, item: string): void {
  const known = [response.getHeader(header) ?? []].flat().map(String);
  response.setHeader(header, [...known.filter((each) => !each.startsWith(`"${name}"`)), item]);
}

/** Counts each request: one to GraphQL as a read, whose mutations are counted as writes later, and others by their method. */
export function rateLimit(count: CountRequest): RequestHandler {
  return async (request, response, next) => {
    const reads = request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS';
    const kind = reads || isGraphQL(request) ? 'reads' : 'writes';
    await count(response, kind);
    next();
  };
}
