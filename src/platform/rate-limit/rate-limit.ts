import type { RequestHandler, Response } from 'express';
import { LRUCache } from 'lru-cache';
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '../../kernel/errors/app-error.ts';
import { entryOverhead, memoryBounds } from '../../kernel/memory-bounds.ts';
import { isGraphQL } from '../../kernel/request/surface-path.ts';

type RequestKind = 'reads' | 'writes';

/** Sets `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers). Throws `rate_limited`. */
export type CountRequest = (response: Response, kind: RequestKind, times?: number) => Promise<void>;

/** Maximum requests per `window` seconds. */
export interface RateLimits {
  window: number;
  token: Record<RequestKind, number>;
  address: Record<RequestKind, number>;
}

/** `points` requests per `duration` seconds, as rate-limiter-flexible names them. */
export type CreateLimiter = (options: { keyPrefix: string; points: number; duration: number }) => RateLimiterAbstract;

/** Counts the address before the token, so that invented tokens do not bypass its limit. */
export function createRateLimits(
  { rateLimits }: { rateLimits: RateLimits | undefined },
  createLimiter: CreateLimiter = (options) => new MemoryLimiter(options),
): CountRequest {
  if (rateLimits === undefined) return async () => {};
  const { window, token, address } = rateLimits;
  const createLimit = (name: string, max: number, getKey: (response: Response) => string | undefined) => ({
    name,
    policy: `"${name}";q=${max};w=${window}`,
    limiter: createLimiter({ keyPrefix: name, points: max, duration: window }),
    getKey,
  });
  const createLimits = (kind: RequestKind) => [
    createLimit(`address-${kind}`, address[kind], ({ locals }) => locals.context.address),
    createLimit(`token-${kind}`, token[kind], ({ locals }) => locals.context.tokenHash),
  ];
  const limits = { reads: createLimits('reads'), writes: createLimits('writes') };

  return async (response, kind, times = 1) => {
    for (const { limiter, name, policy, getKey } of limits[kind]) {
      const key = getKey(response);
      if (key === undefined) continue;
      const { consumedPoints, msBeforeNext } = await limiter.consume(key, times).catch((error: unknown) => {
        if (error instanceof RateLimiterRes) return error;
        throw error;
      });
      const remaining = limiter.points - consumedPoints;
      // The wall clock, which the limiter reads, may have been set back.
      const seconds = Math.min(Math.ceil(msBeforeNext / 1_000), window);
      setItem(response, 'RateLimit-Policy', name, policy);
      setItem(response, 'RateLimit', name, `"${name}";r=${Math.max(remaining, 0)};t=${seconds}`);
      if (remaining >= 0) continue;
      throw new AppError('rate_limited', { values: { seconds }, headers: { 'Retry-After': String(seconds) } });
    }
  };
}

function setItem(response: Response, header: string, name: string, item: string): void {
  const items = [response.getHeader(header) ?? []].flat().map(String);
  response.setHeader(header, [...items.filter((other) => !other.startsWith(`"${name}"`)), item]);
}

/** GraphQL requests count as reads; their mutations are counted as writes later. */
export function rateLimit(count: CountRequest): RequestHandler {
  return async (request, response, next) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS';
    const kind = isRead || isGraphQL(request) ? 'reads' : 'writes';
    await count(response, kind);
    next();
  };
}

/** Forgets the least recently seen keys beyond its memory bound. */
export class MemoryLimiter extends RateLimiterMemory {
  readonly #keys = new LRUCache<string, true>({
    maxSize: memoryBounds.rateLimit,
    // A count and its timer take twice as much memory as an entry of this cache.
    sizeCalculation: (_, key) => 2 * key.length + 3 * entryOverhead,
    dispose: (_, key, reason) => {
      if (reason === 'evict') void this.delete(key);
    },
  });

  override consume(...[key, ...points]: Parameters<RateLimiterMemory['consume']>) {
    this.#keys.set(String(key), true);
    return super.consume(key, ...points);
  }
}
