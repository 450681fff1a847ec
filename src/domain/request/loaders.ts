import DataLoader from 'dataloader';
import { AppError } from '../../kernel/errors/app-error.ts';
import type { Database } from '../tables.ts';

/** Most entries that all nested lists of one answer may have together, however often each is repeated in it. */
const maxEntries = 150_000;

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
  #entries = 0;

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

  /** A list of the answer. Throws `query_too_complex` when the lists of the answer have too many entries together. */
  list<Key, Entry>(batch: Batch<Key, Entry[]>, key: Key): Promise<Entry[]> {
    return this.of(batch).load(key).then(this.#count);
  }

  // One function for all lists, as an answer has many.
  readonly #count = <Entry>(entries: Entry[]): Entry[] => {
    this.#entries += entries.length;
    if (this.#entries <= maxEntries) return entries;
    throw new AppError('query_too_complex', { values: { limit: 'cost', max: maxEntries } });
  };

  /** Forgets all that was read: called after a write, so that what the same request reads next is fresh. */
  reset(): void {
    this.#loaders.clear();
  }
}
