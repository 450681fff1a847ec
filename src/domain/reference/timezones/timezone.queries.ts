import { rowsInOrder } from '../../request/batches.ts';

/** All time zones by name. Sorted here, because the database's order depends on its collation. */
export const timezonesInOrder = rowsInOrder(
  (db) => db.selectFrom('timezones').select(['id', 'name']).execute(),
  (rows) => rows.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
);
