import DataLoader, { type BatchLoadFn } from 'dataloader';
import { type FieldNode, type GraphQLResolveInfo, Kind, type SelectionNode } from 'graphql';
import { AppError } from '../../kernel/errors/app-error.ts';
import { currentDeadline, currentScope } from '../../kernel/request/scope.ts';
import { Semaphore } from '../../kernel/semaphore.ts';
import type { Caller } from '../partner/tokens/token.queries.ts';
import type { Database } from '../tables.ts';
import type { Batch } from './batches.ts';

/** Fields that the nested lists of one response may have together; each list counts as ten, as it takes as long. */
const maxFields = 150_000;
const fieldsOfList = 10;

/**
 * Beyond so many fields, or rows of one batch, a response is long. It then waits for its turn before it reads the rest: one
 * response of a partner at a time, two of the process.
 */
const longResponse = { fields: 20_000, rows: 5_000 };
const turns = new Semaphore<number | undefined>({ perKey: 1, total: 2, maxWaiting: 4 });

/** What one request reads of its caller's company, each thing once. */
export class Loaders {
  readonly #db: Database;
  readonly #requireCaller: () => Promise<Caller>;
  readonly #loaders = new Map<unknown, unknown>();
  #fields = 0;
  #turn: Promise<() => void> | undefined;
  #failure: AppError | undefined;

  constructor(db: Database, requireCaller: () => Promise<Caller>) {
    this.#db = db;
    this.#requireCaller = requireCaller;
  }

  /** The loader of a batch with a row for each key. */
  of<Key, Value>(batch: Batch<Key, Value>): DataLoader<Key, Value, string> {
    return this.#loader<Key, Value>(batch, (keys) => this.#read(batch, keys, keys.length));
  }

  /**
   * A list of the response that callers can make longer than its cost was estimated. It is empty once the response has failed
   * as a whole: with an error of `keyOf`, which checks the list's arguments; with `query_too_complex` when such lists have too
   * many fields together, each counted wherever it appears; with `overloaded` when a long response cannot begin before the
   * request's deadline.
   */
  async list<Key, Entry>(batch: Batch<Key, Entry[]>, keyOf: () => Key, info: GraphQLResolveInfo): Promise<Entry[]> {
    if (this.#failure !== undefined) return [];
    try {
      this.#count(fieldsOfList);
      const entries = await this.#loader<Key, Entry[]>(batch, (keys) => this.#readLists(batch, keys)).load(keyOf());
      this.#count(entries.length * fieldsOf(info));
      if (this.#fields > longResponse.fields) await this.#beginLong();
      return this.#failure === undefined ? entries : [];
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      // Thousands of lists may follow, and an error for each would take more memory than the response.
      this.#failure ??= error;
      return [];
    }
  }

  /** Ends the turn of a long response. Called once its operation was executed; returns the error if it failed as a whole. */
  end(): AppError | undefined {
    // What still runs after an error takes no turn.
    this.#turn ??= Promise.resolve(() => {});
    this.#turn.then(
      (end) => end(),
      () => {},
    );
    return this.#failure;
  }

  /** Forgets everything that was read. Called after a write, so that the same request reads the new state. */
  reset(): void {
    this.#loaders.clear();
  }

  #loader<Key, Value>(source: unknown, read: BatchLoadFn<Key, Value>): DataLoader<Key, Value, string> {
    const known = this.#loaders.get(source) as DataLoader<Key, Value, string> | undefined;
    const loader = known ?? new DataLoader(read, { cacheKeyFn: JSON.stringify });
    this.#loaders.set(source, loader);
    return loader;
  }

  async #read<Key, Value>(batch: Batch<Key, Value>, keys: readonly Key[], limit: number): Promise<Value[]> {
    const { companyId } = await this.#requireCaller();
    return batch(this.#db, { companyId, keys, limit });
  }

  // A response that waits for its turn holds no rows meanwhile.
  async #readLists<Key, Entry>(batch: Batch<Key, Entry[]>, keys: readonly Key[]): Promise<Entry[][]> {
    if (this.#turn === undefined) {
      const lists = await this.#read(batch, keys, longResponse.rows + 1);
      if (lists.flat().length <= longResponse.rows) return lists;
    }
    await this.#beginLong();
    // One more than a response may have, so that the count below rejects it.
    return this.#read(batch, keys, maxFields + 1);
  }

  #count(fields: number): void {
    this.#fields += fields;
    if (this.#fields <= maxFields) return;
    throw new AppError('query_too_complex', { values: { limit: 'cost', max: maxFields } });
  }

  // First among the partner's requests, then among the partners: another partner has at most one long response ahead.
  async #beginLong(): Promise<void> {
    this.#turn ??= turns.acquire(currentScope()?.partner, currentDeadline(), () => new AppError('overloaded'));
    await this.#turn;
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
