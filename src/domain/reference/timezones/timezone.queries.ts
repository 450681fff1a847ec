import type { Database } from '../../tables.ts';

export function selectTimezones(db: Database) {
  return db.selectFrom('timezones').select(['id', 'name']);
}

/** By name; in the database, the order would depend on its collation. */
export function sortTimezones<Row extends { name: string }>(rows: Row[]): Row[] {
  return rows.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
