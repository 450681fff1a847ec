import DataLoader from 'dataloader';
import type { Caller } from '../partner/tokens/tokens.ts';
import type { Database } from '../tables.ts';
import type { Batch, BatchKey } from './batches.ts';

/** The DataLoaders of one request for the data of its caller's company. */
export class Loaders {
  readonly #db: Database;
  readonly #requireCaller: () => Promise<Caller>;
  readonly #loaders = new Map<unknown, unknown>();
  /** By noun and id. */
  readonly #rows = new Map<string, Map<number, unknown>>();

  constructor(db: Database, requireCaller: () => Promise<Caller>) {
    this.#db = db;
    this.#requireCaller = requireCaller;
  }

  /** The loader of a batch, one for each request: the keys of one iteration of the event loop share a statement. */
  of<Key extends BatchKey, Value>(batch: Batch<Key, Value>): DataLoader<Key, Value, number | string> {
    const known = this.#loaders.get(batch) as DataLoader<Key, Value, number | string> | undefined;
    if (known !== undefined) return known;
    const loader = new DataLoader((keys: readonly Key[]) => this.#read(batch, keys), { cacheKeyFn });
    this.#loaders.set(batch, loader);
    return loader;
  }

  /**
   * The first row of an entry that the request has read: it stands for the entry everywhere, so that a tag has one version. The
   * items of a tag are read after it, so that an update with an old version fails. `one` is the noun for the entry.
   */
  remember<Row extends { id: number }>(one: string, row: Row): Row {
    const known = this.#rows.get(one) ?? new Map<number, unknown>();
    const first = (known.get(row.id) as Row | undefined) ?? row;
    this.#rows.set(one, known.set(row.id, first));
    return first;
  }

  /** Clears the caches after a write, so that the rest of the request reads the new state. */
  reset(): void {
    this.#loaders.clear();
    this.#rows.clear();
  }

  async #read<Key extends BatchKey, Value>(batch: Batch<Key, Value>, keys: readonly Key[]): Promise<Value[]> {
    const { companyId } = await this.#requireCaller();
    return batch(this.#db, { companyId, keys });
  }
}

function cacheKeyFn(key: BatchKey): number | string {
  return typeof key === 'number' ? key : Object.values(key).join(' ');
}
