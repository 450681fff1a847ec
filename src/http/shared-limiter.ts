import { RateLimiterMemory, RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible';
import type { SharedStore } from '../redis/shared-store.ts';
import type { Limiter, LimiterOptions } from './rate-limit.ts';

/** The numbers of a limiter after a count. */
type Count = Pick<RateLimiterRes, 'consumedPoints' | 'msBeforeNext'>;

/** Requests of one caller that are counted in one go. */
interface Batch {
  points: number;
  counted: Promise<Count>;
}

/**
 * A limiter whose counts all replicas share, in Redis; while that is away, counts are the process's own. What a caller asks
 * while it is being counted is counted together next, so that a busy caller costs one round trip at a time, and one whose
 * limit is used up costs none.
 */
export class SharedLimiter implements Limiter {
  readonly points: number;
  readonly #limiter: RateLimiterRedis;
  readonly #gathering = new Map<string, Batch>();
  readonly #counting = new Map<string, Promise<unknown>>();

  constructor(store: SharedStore, { name, points, duration }: LimiterOptions) {
    this.points = points;
    this.#limiter = new RateLimiterRedis({
      storeClient: {
        eval: (script: string, options: { keys: string[]; arguments: string[] }) =>
          store.ask((client) => client.eval(script, options)),
      },
      useRedisPackage: true,
      keyPrefix: name,
      points,
      duration,
      inMemoryBlockOnConsumed: points,
      insuranceLimiter: new RateLimiterMemory({ points, duration }),
    });
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
      return await this.#limiter.consume(caller, points);
    } catch (refused) {
      const { consumedPoints, msBeforeNext } = refused as RateLimiterRes;
      // Known to have used its limit up, it is not counted any more, and none of these fits in.
      return { consumedPoints: consumedPoints || this.points + points + 1, msBeforeNext };
    }
  }
}
