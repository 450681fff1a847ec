import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import type { CreateLimiter } from '../http/rate-limit.ts';
import { SharedLimiter } from '../http/shared-limiter.ts';
import type { SharedStore } from './shared-store.ts';

/**
 * Limiters whose counts all replicas share, in Redis; while that is away, counts are the process's own. A caller whose limit
 * is used up costs no round trip.
 */
export function redisLimiters(store: SharedStore): CreateLimiter {
  const storeClient = {
    eval: (script: string, options: { keys: string[]; arguments: string[] }) =>
      store.ask((client) => client.eval(script, options)),
  };
  return ({ name, points, duration }) =>
    new SharedLimiter(
      new RateLimiterRedis({
        storeClient,
        useRedisPackage: true,
        keyPrefix: name,
        points,
        duration,
        inMemoryBlockOnConsumed: points,
        insuranceLimiter: new RateLimiterMemory({ points, duration }),
      }),
    );
}
