import type { Logger } from 'pino';
import { retryRead } from '../../platform/database/transaction.ts';
import type { Database } from '../tables.ts';
import { loadReferenceLists, type ReferenceLists } from './reference-lists.ts';

/** Serves the last lists until newer ones are loaded, and while the database is unavailable. */
export class ReferenceData {
  readonly #db: Database;
  readonly #log: Logger;
  readonly #reportedTimezones = new Set<string>();
  #current: ReferenceLists | undefined;
  #version: number | undefined;
  #comparedAt = performance.now();
  #refreshing: Promise<void> | undefined;

  constructor(db: Database, log: Logger) {
    this.#db = db;
    this.#log = log;
  }

  /** Read it once per request, after the first `refresh`. */
  get current(): ReferenceLists {
    return this.#current as ReferenceLists;
  }

  /** `age` is the time in ms since the version was compared with the database. */
  get state() {
    return { version: this.#version, age: performance.now() - this.#comparedAt };
  }

  refresh(): Promise<void> {
    this.#refreshing ??= this.#reload().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  // An unchanged version before and after loading means consistent lists.
  async #reload(): Promise<void> {
    let version = await getReferenceVersion(this.#db);
    while (version !== this.#version) {
      const lists = await loadReferenceLists(this.#db);
      const previousVersion = version;
      version = await getReferenceVersion(this.#db);
      if (version !== previousVersion) continue;
      this.#warnOfUnknownTimezones(lists);
      this.#current = lists;
      this.#version = version;
    }
    this.#comparedAt = performance.now();
  }

  #warnOfUnknownTimezones({ unknownTimezones }: ReferenceLists): void {
    const timezones = unknownTimezones.filter((name) => !this.#reportedTimezones.has(name));
    if (timezones.length === 0) return;
    this.#log.warn({ timezones }, 'lists omit time zones that this version of Node.js does not support');
    for (const name of timezones) this.#reportedTimezones.add(name);
  }
}

export async function getReferenceVersion(db: Database): Promise<number> {
  const row = await retryRead(() => db.selectFrom('referenceVersion').select('version').executeTakeFirst());
  if (row === undefined) throw new Error('The table reference_version is empty.');
  return row.version;
}
