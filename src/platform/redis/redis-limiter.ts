import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import type { CreateLimiter } from '../http/rate-limit.ts';
import type { SharedStore } from './shared-store.ts';

/**
 * Limiters whose counts all replicas share in Redis; while it is away, each process counts on its own. A caller that has used
 * up its limit costs no round trip.
 */
export function redisLimiters(store: SharedStore): CreateLimiter {
  // All that the limiter calls of a Redis client. The store adds its time limit.
  const storeClient = {
    eval: (script: string, options: { keys: string[]; arguments: string[] }) =>
      store.ask((client) => client.eval(script, options)),
  };
  return (options) =>
    new RateLimiterRedis({
      storeClient,
      useRedisPackage: true,
      ...options,
      inMemoryBlockOnConsumed: options.points,
      insuranceLimiter: new RateLimiterMemory(options),
    });
}
