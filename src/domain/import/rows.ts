import { setImmediate } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../tables.ts';
import type { Mistakes } from './mistakes.ts';

/** What imports of a company's rows have in common. */
export interface ImportOptions {
  company: number;
  /** Whether to return the counts after the checks, and write nothing. */
  dryRun?: boolean | undefined;
  /** Whether the company's items are changed by their ids; otherwise they are a mistake. */
  update?: boolean;
  /** Called now and then with how far the import has come. */
  onProgress(state: string): void;
}

/** Rows of a table as one that a statement can select from, named `file`: one parameter, however many they are. */
export function fileRows(table: string, rows: readonly object[]): RawBuilder<unknown> {
  return sql`json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::json) as file`;
}

const batchSize = 5_000;

/** Writes rows in batches, each small enough for one statement. Signals are handled between them. */
export async function inBatches<Row>(
  rows: readonly Row[],
  { onProgress }: Pick<ImportOptions, 'onProgress'>,
  write: (batch: Row[]) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < rows.length; start += batchSize) {
    const batch = rows.slice(start, start + batchSize);
    await write(batch);
    onProgress(`${start + batch.length} of ${rows.length} rows written`);
    // The embedded database works in microtasks, which keep the event loop waiting.
    await setImmediate();
  }
}

/** Moves the sequence of a table past its highest id, and past another one. A rollback does not undo it. */
export async function advanceSequence(transaction: Database, table: string, past = 0): Promise<void> {
  const sequence = sql`pg_get_serial_sequence(${table}, 'id')::regclass`;
  const highest = sql`greatest(max(id), ${past}::integer)`;
  await sql`select setval(${sequence}, ${highest}) from ${sql.table(table)}
    having ${highest} > coalesce(pg_sequence_last_value(${sequence}),
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
  const lines = new Map<number | null, number>();
  for (const { id, line } of records) {
    const other = lines.get(id);
    if (other === undefined) lines.set(id, line);
    else if (id !== null) mistakes.add({ file, line, column: 'id', message: `${id} is on line ${other} already` });
  }
}
