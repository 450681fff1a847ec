import { LRUCache } from 'lru-cache';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import type { Count, Limiter, LimiterOptions } from '../http/rate-limit.ts';

/** How many callers are known to have used their limit up. */
const maxUsedUp = 10_000;

export type CountAtPrimary = (limit: LimiterOptions, caller: string, points: number) => Promise<Count>;

/** A limiter whose counts the primary keeps, for all workers; while it does not answer, counts are the worker's own. */
export class PrimaryLimiter implements Limiter {
  readonly points: number;
  readonly #limit: LimiterOptions;
  readonly #countAtPrimary: CountAtPrimary;
  readonly #own: RateLimiterMemory;
  /** Until when (performance.now()) a caller's limit is used up, so that it is not asked about. */
  readonly #usedUp = new LRUCache<string, number>({ max: maxUsedUp });

  constructor(limit: LimiterOptions, countAtPrimary: CountAtPrimary) {
    this.points = limit.points;
    this.#limit = limit;
    this.#countAtPrimary = countAtPrimary;
    this.#own = new RateLimiterMemory(limit);
  }

  async consume(caller: string, points: number): Promise<Count> {
    const msLeft = (this.#usedUp.get(caller) ?? 0) - performance.now();
    if (msLeft > 0) return { consumedPoints: this.points + points + 1, msBeforeNext: msLeft };
    try {
      const count = await this.#countAtPrimary(this.#limit, caller, points);
      if (count.consumedPoints >= this.points) this.#usedUp.set(caller, performance.now() + count.msBeforeNext);
      return count;
    } catch {
      return this.#own.consume(caller, points).catch((usedUp: RateLimiterRes) => usedUp);
    }
  }
}
