import { LRUCache } from 'lru-cache';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { entryOverhead, memoryBounds } from '../../kernel/memory-bounds.ts';

/** Counts requests in this process. Beyond its bound, forgets the least recently seen callers. */
export class MemoryLimiter extends RateLimiterMemory {
  readonly #callers = new LRUCache<string, true>({
    maxSize: memoryBounds.rateLimit,
    // A count with its timer takes twice as much as an entry of this cache (measured).
    sizeCalculation: (_, caller) => 2 * caller.length + 3 * entryOverhead,
    dispose: (_, caller, reason) => {
      if (reason === 'evict') void this.delete(caller);
    },
  });

  override consume(...[caller, ...points]: Parameters<RateLimiterMemory['consume']>) {
    this.#callers.set(String(caller), true);
    return super.consume(caller, ...points);
  }
}
