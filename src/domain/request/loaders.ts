import DataLoader from 'dataloader';
import { type FieldNode, type GraphQLResolveInfo, Kind, type SelectionNode } from 'graphql';
import { AppError } from '../../kernel/errors/app-error.ts';
import { currentDeadline, currentScope } from '../../kernel/request/scope.ts';
import { Turns } from '../../kernel/turns.ts';
import type { Database } from '../tables.ts';
import type { Batch } from './batches.ts';

/** Fields that the nested lists of one response may have together. */
const maxFields = 150_000;

/** Rows that a batch of nested lists reads: one more than a response may have. */
export const maxRows = maxFields + 1;

/** The rows of a batch. Throws `query_too_complex` when there are as many as it may read, so that no list is cut short. */
export function ensureAllRows<Row>(rows: Row[]): Row[] {
  if (rows.length < maxRows) return rows;
  throw new AppError('query_too_complex', { values: { limit: 'cost', max: maxFields } });
}

/** Beyond so many fields a response is long. It then waits for its turn: one response of a partner at a time, two of the process. */
const longResponse = 20_000;
const turnsOfPartner = new Turns<number | undefined>(1, 4);
const turnsOfProcess = new Turns<'process'>(2);

/** The DataLoaders of one request: one for each batch, created on first use. */
export class Loaders {
  readonly #db: Database;
  readonly #loaders = new Map<unknown, unknown>();
  #fields = 0;
  #turn: Promise<() => void> | undefined;
  #hasEnded = false;
  #excess: AppError | undefined;

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
   * lists have too many fields together, each counted wherever it appears, and `overloaded` when a long response cannot begin
   * before the request's deadline.
   */
  async list<Key, Entry>(batch: Batch<Key, Entry[]>, key: Key, info: GraphQLResolveInfo): Promise<Entry[]> {
    const entries = await this.of(batch)
      .load(key)
      .catch((error) => {
        if (!(error instanceof AppError && error.code === 'query_too_complex')) throw error;
        this.#excess = error;
        return [];
      });
    this.#fields += entries.length * fieldsOf(info);
    // Thousands of lists may follow, and an error for each would take more memory than the response.
    if (this.#excess !== undefined) return [];
    if (this.#fields > maxFields) {
      this.#excess = new AppError('query_too_complex', { values: { limit: 'cost', max: maxFields } });
      throw this.#excess;
    }
    if (this.#fields > longResponse && !this.#hasEnded) {
      this.#turn ??= takeTurn();
      await this.#turn;
    }
    return entries;
  }

  /** Ends the turn of a long response. Called once its operation was executed; returns the error of one that is too long. */
  end(): AppError | undefined {
    this.#hasEnded = true;
    this.#turn?.then(
      (end) => end(),
      () => {},
    );
    return this.#excess;
  }

  /** Forgets everything that was read. Called after a write, so that the same request reads the new state. */
  reset(): void {
    this.#loaders.clear();
  }
}

// First among the partner's requests, then among the partners: another partner has at most one long response ahead.
async function takeTurn(): Promise<() => void> {
  const deadline = currentDeadline();
  const timeLeft = () => deadline && Math.max(0, deadline - performance.now());
  const late = () => new AppError('overloaded');
  const endOfPartner = await turnsOfPartner.take(currentScope()?.partner, timeLeft(), late);
  try {
    const endOfProcess = await turnsOfProcess.take('process', timeLeft(), late);
    return () => {
      endOfProcess();
      endOfPartner();
    };
  } catch (error) {
    endOfPartner();
    throw error;
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
