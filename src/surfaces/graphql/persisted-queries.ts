import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { entryOverhead, memoryBounds } from '../../kernel/memory-bounds.ts';
import type { SharedStore } from '../../platform/redis/shared-store.ts';

/** Longest document that is stored, in characters: anyone may store one, and clients send shorter ones. */
const maxLength = 16_384;

const keyPattern = /^apq:([0-9a-f]{64})$/;

interface Options {
  /** Seconds that a document is stored. */
  ttl: number;
  /** Whether a document from the shared store may run: another replica may have other limits. */
  isAllowed: (text: string) => boolean;
  /** Where replicas find each other's documents. */
  store: SharedStore | undefined;
}

/**
 * The documents that clients request by their SHA-256 alone (Apollo's automatic persisted queries), as Apollo's cache.
 * Failures of the shared store are misses: the client then sends the document with its hash.
 */
export class PersistedQueries {
  readonly #options: Options;
  readonly #known: LRUCache<string, string>;

  constructor(options: Options) {
    this.#options = options;
    this.#known = new LRUCache({
      maxSize: memoryBounds.persistedQueries,
      sizeCalculation: (text, key) => 2 * (text.length + key.length) + entryOverhead,
      ttl: options.ttl * 1_000,
    });
  }

  async get(key: string): Promise<string | undefined> {
    return this.#known.get(key) ?? this.#getShared(key);
  }

  async set(key: string, text: string): Promise<void> {
    if (text.length > maxLength) return;
    this.#known.set(key, text);
    const { store, ttl } = this.#options;
    await store?.ask((client) => client.set(key, text, { EX: ttl })).catch(() => {});
  }

  async delete(key: string): Promise<void> {
    this.#known.delete(key);
  }

  // The store is outside of the process: its documents pass the same checks as a client's.
  async #getShared(key: string): Promise<string | undefined> {
    const { store, isAllowed } = this.#options;
    const hash = keyPattern.exec(key)?.[1];
    if (store === undefined || hash === undefined) return undefined;
    const text = await store.ask((client) => client.get(key)).catch(() => null);
    if (text === null || createHash('sha256').update(text).digest('hex') !== hash || !isAllowed(text)) return undefined;
    this.#known.set(key, text);
    return text;
  }
}
