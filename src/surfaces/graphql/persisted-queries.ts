import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { SharedStore } from '../../platform/redis/shared-store.ts';

/** Longest document that is kept, in characters: what frontends send is shorter, and anybody may have one kept. */
const maxLength = 16_384;

/** Most characters of documents that a process keeps. */
const maxSize = 4_000_000;

const keyPattern = /^apq:([0-9a-f]{64})$/;

interface Options {
  /** Seconds that a document is kept. */
  ttl: number;
  /** Whether a document that another replica, with other limits perhaps, has kept may run. */
  isAllowed: (text: string) => boolean;
  /** Where replicas find what another one has kept. */
  store: SharedStore | undefined;
}

/**
 * The documents that clients ask for by their SHA-256 alone (Apollo's automatic persisted queries), as Apollo's cache. What
 * cannot be had is a miss: the client then sends the document with its hash.
 */
export class PersistedQueries {
  readonly #options: Options;
  readonly #known: LRUCache<string, string>;

  constructor(options: Options) {
    this.#options = options;
    this.#known = new LRUCache({
      maxSize,
      sizeCalculation: (text, key) => text.length + key.length,
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

  // What is kept outside of the process is looked at as if the caller had sent it.
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
