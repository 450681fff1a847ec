import { type Kysely, sql } from 'kysely';

// A suspended partner, or a partner of a suspended company, keeps its data and its tokens are rejected.
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('partners').addColumn('suspended_at', 'timestamptz').execute();
  await db.schema.alterTable('companies').addColumn('suspended_at', 'timestamptz').execute();
  await db.schema
    .createTable('admin_log')
    .addColumn('id', 'integer', (column) => column.primaryKey().generatedByDefaultAsIdentity())
    .addColumn('at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .addColumn('actor', 'text', (column) => column.notNull())
    .addColumn('command', 'text', (column) => column.notNull())
    .addColumn('details', 'jsonb', (column) => column.notNull())
    .execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('admin_log').execute();
  await db.schema.alterTable('companies').dropColumn('suspended_at').execute();
  await db.schema.alterTable('partners').dropColumn('suspended_at').execute();
}
