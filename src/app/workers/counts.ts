import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import type { LimiterOptions } from '../../platform/http/rate-limit.ts';
import type { SharedCounts } from './primary-limiter.ts';

/** With less than so many points left nothing is counted in advance, so that in the end exactly the limit is let through. */
const exactPoints = 1_000;

/** The part of what is left, over all workers, that is counted in advance at most. */
const advancedShare = 1 / 16;

/** The counts of all limits, as the primary keeps them for so many workers. */
export function createCounts(workers: number): SharedCounts {
  const limiters = new Map<string, RateLimiterMemory>();
  const limiterOf = (limit: LimiterOptions) => {
    const limiter = limiters.get(limit.name) ?? new RateLimiterMemory(limit);
    limiters.set(limit.name, limiter);
    return limiter;
  };
  return {
    async count(limit, caller, points, wanted) {
      const limiter = limiterOf(limit);
      const { consumedPoints, msBeforeNext } = await limiter
        .consume(caller, points)
        .catch((usedUp: RateLimiterRes) => usedUp);
      const left = limit.points - consumedPoints;
      const advance = left < exactPoints ? 0 : Math.min(wanted, Math.floor((left * advancedShare) / workers));
      if (advance > 0) await limiter.penalty(caller, advance);
      return { consumedPoints: consumedPoints + advance, msBeforeNext, advance };
    },
    giveBack(limit, caller, points) {
      const limiter = limiterOf(limit);
      // Not into a window that has begun since.
      void limiter.get(caller).then((known) => {
        if (known !== null && known.consumedPoints >= points) void limiter.reward(caller, points);
      });
    },
  };
}
