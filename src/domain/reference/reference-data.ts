import type { Database } from '../tables.ts';
import { ReferenceLoaders } from './reference-loaders.ts';

/**
 * The reference data that this process serves. All lists are read again when their version has changed; until that has
 * succeeded, and while the database is away, the last ones stay.
 */
export class ReferenceData {
  readonly #db: Database;
  #current: ReferenceLoaders | undefined;
  #version: number | undefined;
  #seenAt = performance.now();
  #looking: Promise<void> | undefined;

  constructor(db: Database) {
    this.#db = db;
  }

  /** What a request reads from, from its begin to its end; another object after each change. Needs a first `refresh`. */
  get current(): ReferenceLoaders {
    return this.#current as ReferenceLoaders;
  }

  /** The version that is served, and the time since it was last compared with the database, in ms. */
  get state() {
    return { version: this.#version, age: performance.now() - this.#seenAt };
  }

  /** Compares the version and reads the lists again when it has changed; calls during a comparison share it. */
  refresh(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  // Between two equal versions nothing has changed, so the lists fit one another: no city lacks its country.
  async #look(): Promise<void> {
    let version = await getReferenceVersion(this.#db);
    while (version !== this.#version) {
      const loaders = new ReferenceLoaders();
      await loaders.fill(this.#db);
      const before = version;
      version = await getReferenceVersion(this.#db);
      if (version !== before) continue;
      this.#current = loaders;
      this.#version = version;
    }
    this.#seenAt = performance.now();
  }
}

/** The version of the reference data; every change raises it. */
export async function getReferenceVersion(db: Database): Promise<number> {
  return (await db.selectFrom('referenceVersion').select('version').executeTakeFirstOrThrow()).version;
}
