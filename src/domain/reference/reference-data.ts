import { statement } from '../../platform/database/statement.ts';
import type { Database } from '../tables.ts';

/** A read of reference data, a plain function beside its feature: rows, or what follows from those of other reads. */
export type ReferenceRead<Value> = (snapshot: ReferenceSnapshot) => Promise<Value>;

/** The reference data at one version: each read runs once, when it is first needed. */
export class ReferenceSnapshot {
  readonly db: Database;
  readonly #values = new Map<ReferenceRead<unknown>, Promise<unknown>>();

  constructor(db: Database) {
    this.db = db;
  }

  of<Value>(read: ReferenceRead<Value>): Promise<Value> {
    const known = this.#values.get(read) as Promise<Value> | undefined;
    if (known !== undefined) return known;
    const value = read(this);
    this.#values.set(read, value);
    value.catch(() => this.#values.delete(read));
    return value;
  }

  /** The next snapshot, with every read that this one has done. */
  async renewed(): Promise<ReferenceSnapshot> {
    const next = new ReferenceSnapshot(this.db);
    await Promise.all([...this.#values.keys()].map((read) => next.of(read)));
    return next;
  }
}

/**
 * The reference data that this process serves. It is read again as a whole when its version has changed; until that has
 * succeeded, and while the database is away, the last snapshot stays.
 */
export class ReferenceData {
  readonly #db: Database;
  #current: ReferenceSnapshot;
  #version: number | undefined;
  #seenAt = performance.now();
  #looking: Promise<void> | undefined;

  constructor(db: Database) {
    this.#db = db;
    this.#current = new ReferenceSnapshot(db);
  }

  /** What a request reads from, from its begin to its end; another object after each change. */
  get current(): ReferenceSnapshot {
    return this.#current;
  }

  /** The version that is served, and the time since it was last compared with the database, in ms. */
  get state() {
    return { version: this.#version, age: performance.now() - this.#seenAt };
  }

  /** Compares the version and reads the data again when it has changed; calls during a comparison share it. */
  refresh(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  // The version first: the next look then finds what changes while the rows are read.
  async #look(): Promise<void> {
    const version = await getReferenceVersion(this.#db);
    if (version !== this.#version) {
      this.#current = await this.#current.renewed();
      this.#version = version;
    }
    this.#seenAt = performance.now();
  }
}

const selectVersion = statement((db: Database) => db.selectFrom('referenceVersion').select('version'));

/** The version of the reference data; every change raises it. */
export async function getReferenceVersion(db: Database): Promise<number> {
  const [row] = await selectVersion(db, {});
  if (row === undefined) throw new Error('The table reference_version has no row');
  return row.version;
}
