import type { Database } from '../tables.ts';

/** Where a change of reference data is announced (PostgreSQL's NOTIFY); it is a hint, and may be lost. */
export const referenceChannel = 'reference_version';

/** The version of the reference data: another one after every change. */
export async function getReferenceVersion(db: Database): Promise<number> {
  const { version } = await db.selectFrom('referenceVersion').select('version').executeTakeFirstOrThrow();
  return version;
}
