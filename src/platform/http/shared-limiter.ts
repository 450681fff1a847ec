import type { RateLimiterRes } from 'rate-limiter-flexible';
import type { Count, Limiter } from './rate-limit.ts';

/** Requests of one caller that are counted in one go. */
interface Batch {
  points: number;
  counted: Promise<Count>;
}

/**
 * A limiter whose counts are kept elsewhere, by a counter that several processes share. What a caller asks while it is being
 * counted is counted together next, so that a busy caller costs one round trip at a time.
 */
export class SharedLimiter implements Limiter {
  readonly points: number;
  readonly #counter: Limiter;
  readonly #gathering = new Map<string, Batch>();
  readonly #counting = new Map<string, Promise<unknown>>();

  constructor(counter: Limiter) {
    this.points = counter.points;
    this.#counter = counter;
  }

  async consume(caller: string, points: number): Promise<Count> {
    const batch = this.#gathering.get(caller) ?? this.#gather(caller);
    batch.points += points;
    const ownPlace = batch.points;
    const { consumedPoints, msBeforeNext } = await batch.counted;
    return { consumedPoints: consumedPoints - batch.points + ownPlace, msBeforeNext };
  }

  #gather(caller: string): Batch {
    const before = this.#counting.get(caller) ?? Promise.resolve();
    const batch: Batch = {
      points: 0,
      counted: before.then(async () => {
        this.#gathering.delete(caller);
        const counting = this.#count(caller, batch.points);
        this.#counting.set(caller, counting);
        const count = await counting;
        if (this.#counting.get(caller) === counting) this.#counting.delete(caller);
        return count;
      }),
    };
    this.#gathering.set(caller, batch);
    return batch;
  }

  async #count(caller: string, points: number): Promise<Count> {
    try {
      return await this.#counter.consume(caller, points);
    } catch (refused) {
      const { consumedPoints, msBeforeNext } = refused as RateLimiterRes;
      // Known to have used its limit up, it is not counted any more, and none of these fits in.
      return { consumedPoints: consumedPoints || this.points + points + 1, msBeforeNext };
    }
  }
}
