import { LRUCache } from 'lru-cache';

/** Longer texts are not remembered: whoever sends them could fill the memory with them. */
const maxLength = 200;

/** The function, with its results for the `max` texts remembered that it was called with last. */
export function remember<Result>(max: number, compute: (text: string) => Result): (text: string) => Result {
  const known = new LRUCache<string, { result: Result }>({ max });
  return (text) => {
    if (text.length > maxLength) return compute(text);
    const before = known.get(text);
    if (before !== undefined) return before.result;
    const result = compute(text);
    known.set(text, { result });
    return result;
  };
}
