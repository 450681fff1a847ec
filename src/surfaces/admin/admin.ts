import type { Database } from '../../domain/tables.ts';
import type { Terminal } from './terminal.ts';

/** What every command is given. */
export interface Admin {
  terminal: Terminal;
  /** Aborted by Ctrl-C: whatever takes long gives up then, and undoes what it did. */
  signal: AbortSignal;
  /** Runs work on the database that the environment names; it is refused while migrations are missing, unless told so. */
  withDatabase<Result>(work: (db: Database) => Promise<Result>, options?: { migrated?: boolean }): Promise<Result>;
}
