import { LRUCache } from 'lru-cache';
import { entryOverhead, memoryBounds } from '../../kernel/memory-bounds.ts';

/** Longest stored document, in characters: anyone may store documents, and typical ones are shorter. */
const maxLength = 16_384;

/**
 * Apollo's cache of automatic persisted queries, which clients request by SHA-256 hash. Each process stores its own for
 * `ttl` seconds; after a miss, the client sends the document with its hash.
 */
export function createPersistedQueries(ttl: number) {
  const known = new LRUCache<string, string>({
    maxSize: memoryBounds.persistedQueries,
    sizeCalculation: (text, key) => 2 * (text.length + key.length) + entryOverhead,
    ttl: ttl * 1_000,
  });
  return {
    get: async (key: string) => known.get(key),
    set: async (key: string, text: string) => {
      if (text.length <= maxLength) known.set(key, text);
    },
    delete: async (key: string) => known.delete(key),
  };
}
