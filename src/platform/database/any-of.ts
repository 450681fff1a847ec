import { type RawBuilder, sql } from 'kysely';

/** `= any($1)` for a list of ids: lists of any length share one statement text. */
export function anyOf(ids: readonly number[]): RawBuilder<number> {
  return sql<number>`any(${ids}::integer[])`;
}
