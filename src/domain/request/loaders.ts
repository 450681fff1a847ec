import DataLoader from 'dataloader';
import type { Caller } from '../partner/tokens/token.queries.ts';
import type { Database } from '../tables.ts';
import type { Batch, Page, PageBatch } from './batches.ts';

/** The DataLoaders of one request for the data of its caller's company. */
export class Loaders {
  readonly #db: Database;
  readonly #requireCaller: () => Promise<Caller>;
  /** By batch, and within it by page. */
  readonly #loaders = new Map<unknown, Map<string, DataLoader<number, unknown>>>();

  constructor(db: Database, requireCaller: () => Promise<Caller>) {
    this.#db = db;
    this.#requireCaller = requireCaller;
  }

  /** The loader of values by id. */
  of<Value>(batch: Batch<Value>): DataLoader<number, Value> {
    return this.#loaderOf(batch, '', batch);
  }

  /** The loader of one page of each list, by the id of the list's owner. */
  ofPage<Row>(batch: PageBatch<Row>, page: Page): DataLoader<number, Row[]> {
    return this.#loaderOf(batch, `${page.after} ${page.limit}`, (db, wanted) => batch(db, { ...wanted, ...page }));
  }

  /** Clears the caches after a write, so that the rest of the request reads the new state. */
  reset(): void {
    this.#loaders.clear();
  }

  #loaderOf<Value>(group: unknown, name: string, read: Batch<Value>): DataLoader<number, Value> {
    const loaders = this.#loaders.get(group) ?? new Map<string, DataLoader<number, unknown>>();
    this.#loaders.set(group, loaders);
    const known = loaders.get(name) as DataLoader<number, Value> | undefined;
    if (known !== undefined) return known;
    const loader = new DataLoader(async (keys: readonly number[]) => {
      const { companyId } = await this.#requireCaller();
      return read(this.#db, { companyId, keys });
    });
    loaders.set(name, loader);
    return loader;
  }
}
