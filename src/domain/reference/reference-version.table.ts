import type { ColumnType } from 'kysely';

/** One row; triggers on the tables of reference data raise its version with every change. */
export interface ReferenceVersionTable {
  version: ColumnType<number, never, never>;
}
