import { LRUCache } from 'lru-cache';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { entryOverhead, memoryBounds } from '../../kernel/memory-bounds.ts';

/** Forgets the least recently seen callers beyond its memory bound. */
export class MemoryLimiter extends RateLimiterMemory {
  readonly #callers = new LRUCache<string, true>({
    maxSize: memoryBounds.rateLimit,
    // A count and its timer take twice as much memory as an entry of this cache.
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
