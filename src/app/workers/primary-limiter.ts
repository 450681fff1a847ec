import { LRUCache } from 'lru-cache';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import type { Count, Limiter, LimiterOptions } from '../../platform/http/rate-limit.ts';

/** How many callers are known to have used their limit up, and after how many ms the primary is asked about one again. */
const maxUsedUp = 10_000;
const usedUpTime = 1_000;

/** So many points are wanted in advance for each of those that came together: who sends so many at once sends more. */
const advanceFactor = 8;

/** How often, in ms, it is looked which points given in advance nobody uses. */
const lookInterval = 20;

/** A count that has points in it for requests that have not come yet. */
export interface CountInAdvance extends Count {
  advance: number;
}

/** The counts of all workers, as one of them asks for them. */
export interface SharedCounts {
  count(limit: LimiterOptions, caller: string, points: number, wanted: number): Promise<CountInAdvance>;
  giveBack(limit: LimiterOptions, caller: string, points: number): void;
}

/** Points given in advance of which so many are left, with the caller's numbers if all of them were used. */
interface Advance {
  left: number;
  consumedPoints: number;
  /** When its window is over (performance.now()). */
  end: number;
  leftAtLastLook: number | undefined;
}

/**
 * A limiter whose counts the primary keeps, for all workers. A caller that sends much at once is counted in advance, so that
 * not each of its requests has to ask; one whose limit is used up is refused without asking. While the primary does not
 * answer, counts are the worker's own.
 */
export class PrimaryLimiter implements Limiter {
  readonly points: number;
  readonly #limit: LimiterOptions;
  readonly #shared: SharedCounts;
  readonly #own: RateLimiterMemory;
  readonly #advances = new Map<string, Advance>();
  readonly #usedUp = new LRUCache<string, number>({ max: maxUsedUp, ttl: usedUpTime });
  #looks: NodeJS.Timeout | undefined;

  constructor(limit: LimiterOptions, shared: SharedCounts) {
    this.points = limit.points;
    this.#limit = limit;
    this.#shared = shared;
    this.#own = new RateLimiterMemory(limit);
  }

  async consume(caller: string, points: number): Promise<Count> {
    const now = performance.now();
    const advance = this.#advances.get(caller);
    const used = advance !== undefined && advance.end > now ? Math.min(advance.left, points) : 0;
    if (advance !== undefined && used > 0) {
      advance.left -= used;
      if (used === points)
        return { consumedPoints: advance.consumedPoints - advance.left, msBeforeNext: advance.end - now };
    }
    const msUsedUp = (this.#usedUp.get(caller) ?? 0) - now;
    if (msUsedUp > 0) return { consumedPoints: this.points + points + 1, msBeforeNext: msUsedUp };
    try {
      return await this.#ask(caller, points - used, points > 1 ? advanceFactor * points : 0);
    } catch {
      return this.#own.consume(caller, points).catch((usedUp: RateLimiterRes) => usedUp);
    }
  }

  async #ask(caller: string, points: number, wanted: number): Promise<Count> {
    const counted = await this.#shared.count(this.#limit, caller, points, wanted);
    const { consumedPoints, msBeforeNext, advance } = counted;
    const end = performance.now() + msBeforeNext;
    if (consumedPoints >= this.points) this.#usedUp.set(caller, end);
    if (advance > 0) {
      this.#advances.set(caller, { left: advance, consumedPoints, end, leftAtLastLook: undefined });
      this.#looks ??= setInterval(() => this.#look(), lookInterval).unref();
    }
    return { consumedPoints: consumedPoints - advance, msBeforeNext };
  }

  #look(): void {
    for (const [caller, advance] of this.#advances) {
      const { left, end, leftAtLastLook } = advance;
      advance.leftAtLastLook = left;
      if (left > 0 && left !== leftAtLastLook) continue;
      this.#advances.delete(caller);
      if (left > 0 && end > performance.now()) this.#shared.giveBack(this.#limit, caller, left);
    }
    if (this.#advances.size > 0) return;
    clearInterval(this.#looks);
    this.#looks = undefined;
  }
}
