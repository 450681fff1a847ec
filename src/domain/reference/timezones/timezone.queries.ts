import { rowsInOrder } from '../../request/batches.ts';

/** Every time zone, by name. Sorted in the process: the order of the database depends on its collation. */
export const timezonesInOrder = rowsInOrder(
  (db) => db.selectFrom('timezones').select(['id', 'name']).execute(),
  (rows) => rows.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
);
