import DataLoader from 'dataloader';
import { type FieldNode, type GraphQLResolveInfo, Kind, type SelectionNode } from 'graphql';
import { AppError } from '../../kernel/errors/app-error.ts';
import { currentDeadline, currentScope } from '../../kernel/request/scope.ts';
import { Turns } from '../../kernel/turns.ts';
import type { Caller } from '../partner/tokens/token.queries.ts';
import type { Database } from '../tables.ts';
import type { Batch, ListBatch } from './batches.ts';

/** Fields that the nested lists of one response may have together; each list counts as ten, as it takes as long. */
const maxFields = 150_000;
const fieldsOfList = 10;

/**
 * Beyond so many fields, or rows of one batch, a response is long. It then waits for its turn before it reads the rest: one
 * response of a partner at a time, two of the process.
 */
const longResponse = { fields: 20_000, rows: 5_000 };
const turns = new Turns<number | undefined>({ perKey: 1, total: 2, maxWaiting: 4 });

/** What one request reads of its caller's company, each thing once. */
export class Loaders {
  readonly #db: Database;
  readonly #requireCaller: () => Promise<Caller>;
  readonly #known = new Map<unknown, unknown>();
  #fields = 0;
  #turn: Promise<() => void> | undefined;
  #hasEnded = false;
  #failure: AppError | undefined;

  constructor(db: Database, requireCaller: () => Promise<Caller>) {
    this.#db = db;
    this.#requireCaller = requireCaller;
  }

  /** What a statement returns for the caller. */
  own<Row>(read: (db: Database, caller: Caller) => Promise<Row[]>): Promise<Row[]> {
    return this.#once(read, async () => read(this.#db, await this.#requireCaller()));
  }

  /** The loader of a batch. */
  of<Value>(batch: Batch<Value>): DataLoader<number, Value> {
    return this.#once(batch, () => {
      return new DataLoader(async (ids) => batch(this.#db, { companyId: await this.#companyId(), ids }));
    });
  }

  /**
   * A list of the response that callers can make longer than its cost was estimated. It is empty once the response has failed
   * as a whole: with an error of `keyOf`, which checks the list's arguments; with `query_too_complex` when such lists have too
   * many fields together, each counted wherever it appears; with `overloaded` when a long response cannot begin before the
   * request's deadline.
   */
  async list<Key, Entry>(batch: ListBatch<Key, Entry>, keyOf: () => Key, info: GraphQLResolveInfo): Promise<Entry[]> {
    if (this.#failure !== undefined) return [];
    try {
      this.#count(fieldsOfList);
      const loader = this.#once(batch, () => {
        return new DataLoader<Key, Entry[], unknown>((keys) => this.#readLists(batch, keys), {
          cacheKeyFn: batch.keyId ?? ((same) => same),
        });
      });
      const entries = await loader.load(keyOf());
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
    this.#hasEnded = true;
    this.#turn?.then(
      (end) => end(),
      () => {},
    );
    return this.#failure;
  }

  /** Forgets everything that was read. Called after a write, so that the same request reads the new state. */
  reset(): void {
    this.#known.clear();
  }

  #once<Value>(read: unknown, make: () => Value): Value {
    const known = this.#known.get(read) as Value | undefined;
    if (known !== undefined) return known;
    const made = make();
    this.#known.set(read, made);
    return made;
  }

  async #companyId(): Promise<number> {
    return (await this.#requireCaller()).companyId;
  }

  // A response that waits for its turn holds no rows meanwhile.
  async #readLists<Key, Entry>(batch: ListBatch<Key, Entry>, keys: readonly Key[]): Promise<Entry[][]> {
    const companyId = await this.#companyId();
    const read = async (maxRows: number) => {
      const lists = await batch.load(this.#db, companyId, keys, maxRows + 1);
      return lists.reduce((rows, list) => rows + list.length, 0) > maxRows ? undefined : lists;
    };
    const few = this.#turn === undefined ? await read(longResponse.rows) : undefined;
    if (few !== undefined) return few;
    await this.#beginLong();
    const lists = await read(maxFields);
    if (lists === undefined) throw tooLong();
    return lists;
  }

  #count(fields: number): void {
    this.#fields += fields;
    if (this.#fields > maxFields) throw tooLong();
  }

  async #beginLong(): Promise<void> {
    if (!this.#hasEnded) this.#turn ??= takeTurn();
    await this.#turn;
  }
}

function tooLong(): AppError {
  return new AppError('query_too_complex', { values: { limit: 'cost', max: maxFields } });
}

// First among the partner's requests, then among the partners: another partner has at most one long response ahead.
function takeTurn(): Promise<() => void> {
  const deadline = currentDeadline();
  const timeLeft = deadline && Math.max(1, deadline - performance.now());
  return turns.take(currentScope()?.partner, timeLeft, () => new AppError('overloaded'));
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
