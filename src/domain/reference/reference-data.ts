import type { Logger } from 'pino';
import { retryRead } from '../../platform/database/transaction.ts';
import type { Database } from '../tables.ts';
import { loadReferenceLists, type ReferenceLists } from './reference-lists.ts';

/**
 * The reference data that this process serves. Reloads all lists after their version changes. Until that succeeds, and
 * while the database is down, serves the last lists.
 */
export class ReferenceData {
  readonly #db: Database;
  readonly #log: Logger;
  readonly #reportedTimezones = new Set<string>();
  #current: ReferenceLists | undefined;
  #version: number | undefined;
  #seenAt = performance.now();
  #refreshing: Promise<void> | undefined;

  constructor(db: Database, log: Logger) {
    this.#db = db;
    this.#log = log;
  }

  /** The lists of the served version. Read this once per request, after the first `refresh`. */
  get current(): ReferenceLists {
    return this.#current as ReferenceLists;
  }

  /** The served version, and the time since its last comparison with the database, in ms. */
  get state() {
    return { version: this.#version, age: performance.now() - this.#seenAt };
  }

  /** Reloads the lists if the version has changed. Concurrent calls share one check. */
  refresh(): Promise<void> {
    this.#refreshing ??= this.#reload().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  // If the version is the same before and after loading, the lists are consistent: no city lacks its country.
  async #reload(): Promise<void> {
    let version = await getReferenceVersion(this.#db);
    while (version !== this.#version) {
      const lists = await loadReferenceLists(this.#db);
      const before = version;
      version = await getReferenceVersion(this.#db);
      if (version !== before) continue;
      this.#report(lists);
      this.#current = lists;
      this.#version = version;
    }
    this.#seenAt = performance.now();
  }

  #report({ unknownTimezones }: ReferenceLists): void {
    const timezones = unknownTimezones.filter((name) => !this.#reportedTimezones.has(name));
    if (timezones.length === 0) return;
    this.#log.warn({ timezones }, 'time zones left out of lists, because this version of Node.js does not know them');
    for (const name of timezones) this.#reportedTimezones.add(name);
  }
}

/** Every change of reference data raises its version. */
export async function getReferenceVersion(db: Database): Promise<number> {
  const row = await retryRead(() => db.selectFrom('referenceVersion').select('version').executeTakeFirst());
  if (row === undefined) throw new Error('The table reference_version is empty.');
  return row.version;
}
