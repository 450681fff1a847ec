import { type Kysely, sql } from 'kysely';

// `pg_dump` restores data with an empty search_path, in which functions would not find their tables.
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(db);
  for (const { schema } of rows) await alterAll(db, sql`set search_path to ${sql.id(schema)}, pg_temp`);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await alterAll(db, sql`reset search_path`);
}

async function alterAll(db: Kysely<unknown>, change: ReturnType<typeof sql>): Promise<void> {
  for (const name of functions) await sql`alter function ${sql.id(name)}() ${change}`.execute(db);
}

const functions = [
  'raise_reference_version',
  'change_version',
  'change_versions_insert',
  'change_versions_delete',
  'change_versions_update',
  'change_versions_truncate',
];
