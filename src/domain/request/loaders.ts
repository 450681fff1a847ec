import DataLoader from 'dataloader';
import type { Caller } from '../partner/tokens/token.queries.ts';
import type { Database } from '../tables.ts';
import type { Batch, PageKey } from './batches.ts';

/** The DataLoaders of one request for the data of its caller's company. */
export class Loaders {
  readonly #db: Database;
  readonly #requireCaller: () => Promise<Caller>;
  readonly #loaders = new Map<unknown, unknown>();

  constructor(db: Database, requireCaller: () => Promise<Caller>) {
    this.#db = db;
    this.#requireCaller = requireCaller;
  }

  /** The loader of a batch, one for each request: the keys of one turn share a statement. */
  of<Key extends number | PageKey, Value>(batch: Batch<Key, Value>): DataLoader<Key, Value, number | string> {
    const known = this.#loaders.get(batch) as DataLoader<Key, Value, number | string> | undefined;
    if (known !== undefined) return known;
    const loader = new DataLoader((keys: readonly Key[]) => this.#read(batch, keys), { cacheKeyFn });
    this.#loaders.set(batch, loader);
    return loader;
  }

  /** Clears the caches after a write, so that the rest of the request reads the new state. */
  reset(): void {
    this.#loaders.clear();
  }

  async #read<Key extends number | PageKey, Value>(batch: Batch<Key, Value>, keys: readonly Key[]): Promise<Value[]> {
    const { companyId } = await this.#requireCaller();
    return batch(this.#db, { companyId, keys });
  }
}

function cacheKeyFn(key: number | PageKey): number | string {
  return typeof key === 'number' ? key : `${key.id} ${key.after} ${key.limit}`;
}
