import { LRUCache } from 'lru-cache';
import { entryOverhead, memoryBounds } from '../../../kernel/memory-bounds.ts';
import { retryRead } from '../../../platform/database/transaction.ts';
import type { Database } from '../../tables.ts';
import { type Caller, findCaller } from './tokens.ts';

/** How long a lookup counts, in ms: revocation, expiry and suspension take effect within this time. */
const ttl = 1_000;

/** Looks callers up by the hash of their token, each at most once a second; unknown tokens too. */
export class CallerCache {
  readonly #db: Database;
  readonly #lookups = new LRUCache<string, Promise<Caller | undefined>>({
    ttl,
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
