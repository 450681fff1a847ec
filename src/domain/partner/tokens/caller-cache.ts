import { LRUCache } from 'lru-cache';
import { entryOverhead, memoryBounds } from '../../../kernel/memory-bounds.ts';
import { retryRead } from '../../../platform/database/transaction.ts';
import type { Database } from '../../tables.ts';
import { type Caller, findCaller } from './tokens.ts';

/** Revocation, expiry and suspension take effect within this time. */
const ttlMs = 1_000;

/** By token hash; caches unknown tokens too. */
export class CallerCache {
  readonly #db: Database;
  readonly #lookups = new LRUCache<string, Promise<Caller | undefined>>({
    ttl: ttlMs,
    maxSize: memoryBounds.callers,
    // A caller and its promise take as much as an entry.
    sizeCalculation: (_, tokenHash) => tokenHash.length + 3 * entryOverhead,
  });

  constructor(db: Database) {
    this.#db = db;
  }

  find(tokenHash: string): Promise<Caller | undefined> {
    const cached = this.#lookups.get(tokenHash);
    if (cached !== undefined) return cached;
    const lookup = retryRead(() => findCaller(this.#db, tokenHash));
    this.#lookups.set(tokenHash, lookup);
    lookup.catch(() => this.#lookups.delete(tokenHash));
    return lookup;
  }
}
