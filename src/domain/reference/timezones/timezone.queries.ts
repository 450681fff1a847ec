import type { Database } from '../../tables.ts';

export function selectTimezones(db: Database) {
  return db.selectFrom('timezones').select(['id', 'name']);
}

/** By name; in the database, the order would depend on its collation. */
export function sortTimezones<Row extends { name: string }>(rows: Row[]): Row[] {
  return rows.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

const supported = new Set(Intl.supportedValuesOf('timeZone'));

/** Whether this Node knows a time zone. The name may be an alias, such as Zulu. */
export function isTimeZone(name: string): boolean {
  // A format takes a millisecond.
  if (supported.has(name)) return true;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
