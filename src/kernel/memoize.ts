import { LRUCache } from 'lru-cache';
import { entryOverhead } from './memory-bounds.ts';

/** Results of longer texts are not cached: a few would displace all others. */
const maxLength = 200;

/** Adds a cache of at most `maxSize` bytes to a function whose results are about as long as their texts. */
export function memoize<Result extends object | string>(
  maxSize: number,
  compute: (text: string) => Result,
): (text: string) => Result {
  const cache = new LRUCache<string, Result>({
    maxSize,
    // A text and a result of the same length, two bytes for each character.
    sizeCalculation: (_, text) => 4 * text.length + entryOverhead,
    memoMethod: compute,
  });
  return (text) => (text.length > maxLength ? compute(text) : cache.memo(text));
}
