import { type RawBuilder, sql } from 'kysely';
import { OperatorError } from '../kernel/errors/operator-error.ts';
import { advanceSequence, readJsonRows } from './files/rows.ts';
import { tenantFiles } from './partner/tenant-files.ts';
import { referenceListNames } from './reference/lists.ts';
import type { Database } from './tables.ts';

const linkTables = tenantFiles.flatMap(({ links }) => links?.table ?? []);

const tablesWithoutId: readonly string[] = [...linkTables, 'idempotency_keys'];

/** The tables to copy; each follows the tables it references. */
const copiedTables = [
  ...referenceListNames,
  ...tenantFiles.map(({ table }) => table),
  ...linkTables,
  'idempotency_keys',
  'admin_log',
];

/** Data to leave out of the copy. */
interface Excluded {
  /** Names of partners; their tokens and idempotency keys are left out too. */
  partners: string[];
  tokenHash?: string | undefined;
}

/**
 * Copies all data, all or nothing, to a migrated database without companies, and replaces its reference lists and log.
 * Throws if the row counts differ at the end. Returns the number of rows of each table.
 */
export async function copyDatabase(
  source: Database,
  target: Database,
  without: Excluded,
  onProgress: (state: string) => void,
): Promise<Record<string, number>> {
  const from = source.withoutPlugins().transaction().setIsolationLevel('repeatable read');
  return target
    .withoutPlugins()
    .transaction()
    .execute((writing) => from.execute((reading) => copyTables(reading, writing, without, onProgress)));
}

async function copyTables(source: Database, target: Database, without: Excluded, onProgress: (state: string) => void) {
  const excluded = sql`(select id from partners where name = any(${without.partners}))`;
  const conditions: Record<string, RawBuilder<unknown>> = {
    partners: sql`where id not in ${excluded}`,
    partner_tokens: sql`where partner_id not in ${excluded} and token_hash <> ${without.tokenHash ?? ''}`,
    idempotency_keys: sql`where partner_id not in ${excluded}`,
  };
  // All partner data belongs to a company.
  if ((await count(target, 'companies')) > 0)
    throw new OperatorError('The target has companies. Copy to a database without partners.');
  for (const table of ['admin_log', ...referenceListNames.toReversed()]) {
    await sql`delete from ${sql.table(table)}`.execute(target);
  }
  const counts: Record<string, number> = {};
  for (const table of copiedTables) {
    const rowType = sql`null::${sql.table(table)}`;
    const columns = await writableColumns(target, table);
    let copied = 0;
    for await (const rows of readJsonRows(source, rowsOf(table, conditions[table]))) {
      await sql`insert into ${sql.table(table)} (${columns})
        select ${columns} from json_populate_recordset(${rowType}, ${`[${rows}]`}::json)`.execute(target);
      copied += rows.length;
      onProgress(`${table}: ${copied} rows`);
    }
    const [expected, actual] = [await count(source, table, conditions[table]), await count(target, table)];
    if (expected !== actual)
      throw new OperatorError(`${table} has ${expected} rows, and ${actual} in the copy. Nothing was copied.`);
    if (!tablesWithoutId.includes(table))
      await advanceSequence(target, table, sql`${await lastId(source, table)}::integer`);
    counts[table] = actual;
  }
  // Inserting links gave the tags new versions and times: restore the old ones.
  for await (const rows of readJsonRows(source, rowsOf('product_tags'))) {
    await sql`update product_tags set version = source.version, updated_at = source.updated_at
      from json_populate_recordset(null::product_tags, ${`[${rows}]`}::json) as source
      where product_tags.company_id = source.company_id and product_tags.id = source.id`.execute(target);
  }
  return counts;
}

function rowsOf(table: string, condition = sql``): RawBuilder<unknown> {
  return sql`select * from ${sql.table(table)} ${condition}`;
}

// PostgreSQL fills generated columns itself.
async function writableColumns(db: Database, table: string): Promise<RawBuilder<unknown>> {
  const { rows } = await sql<{ name: string }>`select attname as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''`.execute(db);
  return sql.join(rows.map(({ name }) => sql.id(name)));
}

// Never reuse the ids of deleted rows.
async function lastId(db: Database, table: string): Promise<number | null> {
  const { rows } = await sql<{ last: number | null }>`
    select pg_sequence_last_value(pg_get_serial_sequence(${table}, 'id')::regclass)::integer as last`.execute(db);
  return rows[0]?.last ?? null;
}

async function count(db: Database, table: string, condition = sql``): Promise<number> {
  const query = sql<{ count: number }>`select count(*)::integer as count from ${sql.table(table)} ${condition}`;
  return (await query.execute(db)).rows[0]?.count ?? 0;
}
