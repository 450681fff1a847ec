import { LRUCache } from 'lru-cache';
import { entryOverhead } from './memory-bounds.ts';

/** Longer texts are computed each time: few of them would displace all others. */
const maxLength = 200;

/** The function, with a cache of its latest results of at most `maxSize` bytes; the results are short. */
export function remember<Result>(maxSize: number, compute: (text: string) => Result): (text: string) => Result {
  const known = new LRUCache<string, { result: Result }>({
    maxSize,
    // The text and a result as long, with two bytes a character.
    sizeCalculation: (_, text) => 4 * text.length + entryOverhead,
  });
  return (text) => {
    if (text.length > maxLength) return compute(text);
    const before = known.get(text);
    if (before !== undefined) return before.result;
    const result = compute(text);
    known.set(text, { result });
    return result;
  };
}
