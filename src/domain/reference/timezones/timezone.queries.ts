import type { Selectable } from 'kysely';
import type { ReferenceSnapshot } from '../reference-snapshot.ts';
import type { TimezonesTable } from './timezone.table.ts';

/** Every time zone, by name. */
export async function timezoneListing({ db }: ReferenceSnapshot): Promise<Selectable<TimezonesTable>[]> {
  const rows = await db.selectFrom('timezones').select(['id', 'name']).execute();
  // In the process: what order the database gives depends on its collation.
  return rows.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
