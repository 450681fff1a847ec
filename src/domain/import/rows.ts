import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../tables.ts';
import type { Mistakes } from './mistakes.ts';

type Row = Record<string, unknown>;

/**
 * Rows as a table that a statement can select from, named `file`: one array for each column, so that the statement's text does
 * not depend on their number.
 */
export function rowsOf(rows: readonly Row[], types: Record<string, 'integer' | 'text'>): RawBuilder<unknown> {
  const columns = Object.entries(types);
  const arrays = columns.map(([name, type]) => sql`${rows.map((row) => row[name] ?? null)}::${sql.raw(type)}[]`);
  return sql`unnest(${sql.join(arrays)}) as file (${sql.join(columns.map(([name]) => sql.id(name)))})`;
}

/** Rows in batches, each small enough for one statement; stops when the signal is aborted. */
export function* batchesOf<Item>(rows: readonly Item[], signal: AbortSignal, size = 10_000): Generator<Item[]> {
  for (let start = 0; start < rows.length; start += size) {
    signal.throwIfAborted();
    yield rows.slice(start, start + size);
  }
}

/** Moves the sequence of a table past its highest id. A rollback does not undo it, so it comes last. */
export async function advanceSequence(transaction: Database, table: string): Promise<void> {
  const sequence = sql`pg_get_serial_sequence(${table}, 'id')::regclass`;
  await sql`select setval(${sequence}, max(id)) from ${sql.table(table)}
    having max(id) > coalesce(pg_sequence_last_value(${sequence}),
      (select seqstart - 1 from pg_sequence where seqrelid = ${sequence}))`.execute(transaction);
}

/** Keeps other writers of a table away until the transaction ends; readers go on. */
export async function lockTable(transaction: Database, table: string): Promise<void> {
  await sql`lock table ${sql.table(table)} in share row exclusive mode`.execute(transaction);
}

/** Reports ids that an earlier record has. */
export function rejectRepeatedIds(
  records: readonly { id: number | null; line: number }[],
  mistakes: Mistakes,
  file?: string,
): void {
  const lines = new Map<number, number>();
  for (const { id, line } of records) {
    if (id === null) continue;
    const other = lines.get(id);
    if (other === undefined) lines.set(id, line);
    else mistakes.add({ file, line, column: 'id', message: `${id} is on line ${other} already` });
  }
}
