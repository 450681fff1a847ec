import type { Database } from '../tables.ts';

/** A read of reference data, a plain function beside its feature: rows, or what follows from those of other reads. */
export type ReferenceRead<Value> = (snapshot: ReferenceSnapshot) => Promise<Value>;

/** The reference data as it is at one version: each read is done once, when it is first asked for. */
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

  /** The next one, with all that this one has read. */
  async renewed(): Promise<ReferenceSnapshot> {
    const next = new ReferenceSnapshot(this.db);
    await Promise.all([...this.#values.keys()].map((read) => next.of(read)));
    return next;
  }
}
