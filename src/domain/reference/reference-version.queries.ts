import { statement } from '../../platform/database/statement.ts';
import type { Database } from '../tables.ts';

const selectVersion = statement((db: Database) => db.selectFrom('referenceVersion').select('version'));

/** The version of the reference data; every change raises it. */
export async function getReferenceVersion(db: Database): Promise<number> {
  const [row] = await selectVersion(db, {});
  if (row === undefined) throw new Error('The table reference_version has no row');
  return row.version;
}
