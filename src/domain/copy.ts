import { sql } from 'kysely';
import { StartError } from '../kernel/errors/start-error.ts';
import { advanceSequence, type ImportOptions } from './import/rows.ts';
import { referenceListNames } from './reference/lists.ts';
import type { Database } from './tables.ts';

/** Tables of partners; a table comes after those that it refers to. */
const partnerTables = [
  'companies',
  'partners',
  'partner_tokens',
  'branches',
  'branch_services',
  'items',
  'product_tags',
  'product_taggings',
  'idempotency_keys',
] as const;

const tablesWithoutId: readonly string[] = ['branch_services', 'product_taggings', 'idempotency_keys'];

/** Every table that is copied. */
export const copiedTables = [...referenceListNames, ...partnerTables, 'admin_log'] as const;

const batchSize = 5_000;

type Options = Pick<ImportOptions, 'signal' | 'onProgress'>;

/**
 * Copies all data to a migrated database without partners, whose reference lists are replaced. All or nothing; throws when the
 * counts differ at the end. Returns the rows of each table.
 */
export async function copyDatabase(
  source: Database,
  target: Database,
  options: Options,
): Promise<Record<string, number>> {
  const [from, to] = [source.withoutPlugins(), target.withoutPlugins()];
  return to.transaction().execute(async (transaction) => {
    for (const table of partnerTables) {
      if ((await count(transaction, table)) === 0) continue;
      throw new StartError(`The table ${table} of the target has rows. Copy to a database without partners.`);
    }
    for (const table of referenceListNames.toReversed()) {
      await sql`delete from ${sql.table(table)}`.execute(transaction);
    }
    await sql`delete from admin_log`.execute(transaction);
    return from
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute((reading) => copyTables(reading, transaction, options));
  });
}

async function copyTables(source: Database, target: Database, { signal, onProgress }: Options) {
  const counts: Record<string, number> = {};
  for (const table of copiedTables) {
    const cursor = sql.id(`copy_${table}`);
    await sql`declare ${cursor} cursor for select row_to_json(source)::text as row from ${sql.table(table)} as source`.execute(
      source,
    );
    let copied = 0;
    for (;;) {
      signal.throwIfAborted();
      const { rows } = await sql<{ row: string }>`fetch ${sql.lit(batchSize)} from ${cursor}`.execute(source);
      if (rows.length === 0) break;
      const json = `[${rows.map(({ row }) => row).join(',')}]`;
      await sql`insert into ${sql.table(table)}
        select * from json_populate_recordset(null::${sql.table(table)}, ${json}::json)`.execute(target);
      copied += rows.length;
      onProgress(`${table}: ${copied} rows`);
    }
    await sql`close ${cursor}`.execute(source);
    const [expected, actual] = [await count(source, table), await count(target, table)];
    if (expected !== actual)
      throw new StartError(`${table} has ${expected} rows, and ${actual} in the copy. Nothing was copied.`);
    if (!tablesWithoutId.includes(table)) await copySequence(source, target, table);
    counts[table] = actual;
  }
  return counts;
}

// Where the source is: ids of rows that were deleted there are not given again.
async function copySequence(source: Database, target: Database, table: string): Promise<void> {
  const sequence = sql`pg_get_serial_sequence(${table}, 'id')::regclass`;
  const { rows } = await sql<{ last: string | null }>`select pg_sequence_last_value(${sequence}) as last`.execute(
    source,
  );
  const last = rows[0]?.last ?? null;
  if (last !== null) await sql`select setval(${sequence}, ${last}::bigint)`.execute(target);
  await advanceSequence(target, table);
}

async function count(db: Database, table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from ${sql.table(table)}`.execute(db);
  return rows[0]?.count ?? 0;
}
