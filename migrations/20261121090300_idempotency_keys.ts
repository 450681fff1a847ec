import { type Kysely, sql } from 'kysely';

// A write and the answer to it, under the key that its caller gave it: inserted in the transaction of the write itself.
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('idempotency_keys')
    .addColumn('company_id', 'integer', (column) => column.notNull().references('companies.id').onDelete('cascade'))
    .addColumn('partner_id', 'integer', (column) => column.notNull().references('partners.id').onDelete('cascade'))
    .addColumn('key', 'text', (column) => column.notNull().check(sql`char_length(key) between 1 and 255`))
    .addColumn('request_hash', 'text', (column) => column.notNull().check(sql`request_hash ~ '^[0-9a-f]{64}$'`))
    .addColumn('answer', 'json', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .addPrimaryKeyConstraint('idempotency_keys_pkey', ['company_id', 'partner_id', 'key'])
    .execute();
  await db.schema.createIndex('idempotency_keys_created_at').on('idempotency_keys').column('created_at').execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('idempotency_keys').execute();
}
