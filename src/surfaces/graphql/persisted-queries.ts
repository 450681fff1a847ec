import { LRUCache } from 'lru-cache';
import { entryOverhead, memoryBounds } from '../../kernel/memory-bounds.ts';

/** Longest document that is stored, in characters: anyone may store one, and clients send shorter ones. */
const maxLength = 16_384;

/**
 * The documents that clients request by their SHA-256 alone (automatic persisted queries), as Apollo's cache. Each process
 * stores its own for `ttl` seconds; after a miss, the client sends the document with its hash.
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
