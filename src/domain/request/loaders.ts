import DataLoader from 'dataloader';
import { type FieldNode, type GraphQLResolveInfo, Kind, type SelectionNode } from 'graphql';
import { AppError } from '../../kernel/errors/app-error.ts';
import type { Database } from '../tables.ts';

/** Fields that the nested lists of one response may have together. */
const maxFields = 150_000;

/**
 * A batched read, as a plain function beside the feature's queries: it returns one value for each key, in the order of the
 * keys. Keys are ids or objects; objects with the same `keyId` are the same key.
 */
export interface Batch<Key, Value> {
  load(db: Database, keys: readonly Key[]): Promise<ArrayLike<Value | Error>>;
  keyId?(key: Key): string | number;
}

/** The DataLoaders of one request: one for each batch, created on first use. */
export class Loaders {
  readonly #db: Database;
  readonly #loaders = new Map<unknown, unknown>();
  #fields = 0;

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

  /**
   * A list of the response that callers can make longer than its cost was estimated. Throws `query_too_complex` when such
   * lists have too many fields together, each counted wherever it appears.
   */
  async list<Key, Entry>(batch: Batch<Key, Entry[]>, key: Key, info: GraphQLResolveInfo): Promise<Entry[]> {
    const entries = await this.of(batch).load(key);
    this.#fields += entries.length * fieldsOf(info);
    if (this.#fields > maxFields)
      throw new AppError('query_too_complex', { values: { limit: 'cost', max: maxFields } });
    return entries;
  }

  /** Forgets everything that was read. Called after a write, so that the same request reads the new state. */
  reset(): void {
    this.#loaders.clear();
  }
}

const fieldCounts = new WeakMap<readonly FieldNode[], number>();

/** The fields that each entry of a list has, at all levels below it; 1 for a scalar. */
function fieldsOf({ fieldNodes, fragments }: GraphQLResolveInfo): number {
  const count = (selection: SelectionNode): number => {
    if (selection.kind === Kind.FRAGMENT_SPREAD) return total(fragments[selection.name.value]?.selectionSet.selections);
    return total(selection.selectionSet?.selections) + (selection.kind === Kind.FIELD ? 1 : 0);
  };
  const total = (selections: readonly SelectionNode[] = []) => selections.reduce((sum, each) => sum + count(each), 0);
  const known = fieldCounts.get(fieldNodes);
  const fields = known ?? Math.max(1, total(fieldNodes.flatMap((node) => node.selectionSet?.selections ?? [])));
  if (known === undefined) fieldCounts.set(fieldNodes, fields);
  return fields;
}
