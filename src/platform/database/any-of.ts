import { type RawBuilder, sql } from 'kysely';

/** `= any($1)` for a list of ids: the statement's text stays the same however long the list is. */
export function anyOf(ids: readonly number[]): RawBuilder<number> {
  return sql<number>`any(${ids}::integer[])`;
}
