import DataLoader from 'dataloader';
import { retryRead } from '../../platform/database/transaction.ts';
import type { Caller } from '../partner/tokens/tokens.ts';
import type { Database } from '../tables.ts';
import type { Batch, BatchKey } from './batches.ts';

/** Loaders do not cache: what is read later, such as the items of a tag after its version, is never older. */
export class Loaders {
  readonly #db: Database;
  readonly #requireCaller: () => Promise<Caller>;
  readonly #loaders = new Map<unknown, unknown>();

  constructor(db: Database, requireCaller: () => Promise<Caller>) {
    this.#db = db;
    this.#requireCaller = requireCaller;
  }

  /** The keys of one iteration of the event loop share a statement. */
  of<Key extends BatchKey, Value>(batch: Batch<Key, Value>): DataLoader<Key, Value> {
    const existing = this.#loaders.get(batch) as DataLoader<Key, Value> | undefined;
    if (existing !== undefined) return existing;
    const loader = new DataLoader((keys: readonly Key[]) => this.#read(batch, keys), { cache: false });
    this.#loaders.set(batch, loader);
    return loader;
  }

  async #read<Key extends BatchKey, Value>(batch: Batch<Key, Value>, keys: readonly Key[]): Promise<Value[]> {
    const { companyId } = await this.#requireCaller();
    const distinct = new Map(keys.map((key) => [toMapKey(key), key]));
    const values = await retryRead(() => batch(this.#db, { companyId, keys: [...distinct.values()] }));
    if (distinct.size === keys.length) return values;
    const byKey = new Map([...distinct.keys()].map((mapKey, index) => [mapKey, values[index] as Value]));
    return keys.map((key) => byKey.get(toMapKey(key)) as Value);
  }
}

function toMapKey(key: BatchKey): number | string {
  return typeof key === 'number' ? key : Object.values(key).join(' ');
}
