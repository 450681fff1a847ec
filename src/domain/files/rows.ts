import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../tables.ts';

/** Number of rows that a statement reads or writes. The process handles signals between statements. */
export const batchSize = 5_000;

/** SQL for any number of rows as a table named `file`, with one parameter. */
export function fileRows(table: string, rows: readonly object[]): RawBuilder<unknown> {
  return sql`json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::json) as file`;
}

/** SQL for whether a file lacks the row `present`. PostgreSQL joins this; `not in` would scan the file for each row. */
export function isAbsent(file = sql.table('file')): RawBuilder<boolean> {
  return sql`not exists (select from ${file} as file where file.id = present.id)`;
}

/** Advances the sequence of a table past its highest id and past `past`. A rollback does not undo it. */
export async function advanceSequence(transaction: Database, table: string, past: RawBuilder<unknown>): Promise<void> {
  const sequence = sql`pg_get_serial_sequence(${table}, 'id')::regclass`;
  const highest = sql`greatest(max(id), ${past})`;
  await sql`select setval(${sequence}, ${highest}) from ${sql.table(table)}
    having ${highest} > coalesce(pg_sequence_last_value(${sequence}),
      (select seqstart - 1 from pg_sequence where seqrelid = ${sequence}))`.execute(transaction);
}

/** Reads the rows of a query as JSON in batches. Needs a transaction. */
export async function* readJsonRows(transaction: Database, query: RawBuilder<unknown>): AsyncGenerator<string[]> {
  await sql`declare json_rows cursor for select row_to_json(source)::text as row from (${query}) as source`.execute(
    transaction,
  );
  for (;;) {
    const { rows } = await sql<{ row: string }>`fetch ${sql.lit(batchSize)} from json_rows`.execute(transaction);
    if (rows.length === 0) break;
    yield rows.map(({ row }) => row);
  }
  await sql`close json_rows`.execute(transaction);
}
