import type { Database } from '../tables.ts';
import { ReferenceSnapshot } from './reference-snapshot.ts';
import { getReferenceVersion } from './reference-version.queries.ts';

/**
 * The reference data that this process knows. It is read anew as a whole when its version has changed; until that has
 * succeeded, and while the database is away, the last one is served on.
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

  /** The version that it is served in, and for how long nothing newer was looked for with success, in ms. */
  get state() {
    return { version: this.#version, age: performance.now() - this.#seenAt };
  }

  /** Compares the version and reads anew what has changed; calls during a comparison share it. */
  refresh(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  // The version first: what changes while the rows are read is then found by the next look.
  async #look(): Promise<void> {
    const version = await getReferenceVersion(this.#db);
    if (version !== this.#version) {
      this.#current = await this.#current.renewed();
      this.#version = version;
    }
    this.#seenAt = performance.now();
  }
}
