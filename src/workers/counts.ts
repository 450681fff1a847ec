import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import type { CountAtPrimary } from './primary-limiter.ts';

/** The counts of all limits, as the primary keeps them for its workers. */
export function createCounts(): CountAtPrimary {
  const limiters = new Map<string, RateLimiterMemory>();
  return async (limit, caller, points) => {
    const limiter = limiters.get(limit.name) ?? new RateLimiterMemory(limit);
    limiters.set(limit.name, limiter);
    const counted = await limiter.consume(caller, points).catch((usedUp: RateLimiterRes) => usedUp);
    const { consumedPoints, msBeforeNext } = counted;
    return { consumedPoints, msBeforeNext };
  };
}
