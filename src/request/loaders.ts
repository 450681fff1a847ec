import DataLoader from 'dataloader';
import type { Database } from '../database/database.ts';

/**
 * One batched read, a plain function beside the feature's queries: an answer a key, in the keys' order. Keys are ids or
 * objects; `keyId` says which objects mean the same.
 */
export interface Batch<Key, Value> {
  load(db: Database, keys: readonly Key[]): Promise<ArrayLike<Value | Error>>;
  keyId?(key: Key): string | number;
}

/** The DataLoaders of one request: one a batch, made on first use, so that a feature needs no wiring to batch. */
export class Loaders {
  readonly #db: Database;
  readonly #loaders = new Map<unknown, unknown>();

  constructor(db: Database) {
    this.#db = db;
  }

  of<Key, Value>(batch: Batch<Key, Value>): DataLoader<Key, Value, unknown> {
    const known = this.#loaders.get(batch) as DataLoader<Key, Value, unknown> | undefined;
    if (known !== undefined) return known;
    const loader = new DataLoader<Key, Value, unknown>((keys) => batch.load(this.#db, keys), {
      cacheKeyFn: batch.keyId?.bind(batch) ?? ((key) => key),
    });
    this.#loaders.set(batch, loader);
    return loader;
  }

  /** Forgets all that was read: called after a write, so that what the same request reads next is fresh. */
  reset(): void {
    this.#loaders.clear();
  }
}
