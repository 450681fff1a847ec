import { LRUCache } from 'lru-cache';
import { entryOverhead } from './memory-bounds.ts';

/** A few longer texts would displace all others. */
const maxLength = 200;

/** Caches at most `maxSize` bytes; results must be about as long as their texts. */
export function memoize<Result extends object | string>(
  maxSize: number,
  compute: (text: string) => Result,
): (text: string) => Result {
  const cache = new LRUCache<string, Result>({
    maxSize,
    sizeCalculation: (_, text) => 4 * text.length + entryOverhead,
    memoMethod: compute,
  });
  return (text) => (text.length > maxLength ? compute(text) : cache.memo(text));
}
