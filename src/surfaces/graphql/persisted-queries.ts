import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { entryOverhead, memoryBounds } from '../../kernel/memory-bounds.ts';
import type { SharedStore } from '../../platform/redis/shared-store.ts';
import { type DocumentLimits, excessOf } from './document-limits.ts';

/** Longest document that is stored, in characters: anyone may store one, and clients send shorter ones. */
const maxLength = 16_384;

/**
 * The documents that clients request by their SHA-256 alone (automatic persisted queries), as Apollo's cache. They are
 * stored for `ttl` seconds; replicas find each other's documents in the shared store, whose failures are misses: the client then
 * sends the document with its hash.
 */
export function createPersistedQueries(ttl: number, limits: DocumentLimits, store: SharedStore | undefined) {
  const known = new LRUCache<string, string>({
    maxSize: memoryBounds.persistedQueries,
    sizeCalculation: (text, key) => 2 * (text.length + key.length) + entryOverhead,
    ttl: ttl * 1_000,
  });

  // The store is outside of the process, and another replica may have other limits: its documents pass the same checks as a client's.
  async function getShared(key: string): Promise<string | undefined> {
    const [, hash] = /^apq:([0-9a-f]{64})$/.exec(key) ?? [];
    if (store === undefined || hash === undefined) return undefined;
    const text = await store.ask((client) => client.get(key)).catch(() => null);
    if (text === null || createHash('sha256').update(text).digest('hex') !== hash) return undefined;
    if (excessOf(text, limits) !== undefined) return undefined;
    known.set(key, text);
    return text;
  }

  return {
    async get(key: string): Promise<string | undefined> {
      return known.get(key) ?? getShared(key);
    },
    async set(key: string, text: string): Promise<void> {
      if (text.length > maxLength) return;
      known.set(key, text);
      await store?.ask((client) => client.set(key, text, { EX: ttl })).catch(() => {});
    },
    async delete(key: string): Promise<void> {
      known.delete(key);
    },
  };
}
