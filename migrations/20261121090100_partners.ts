import { type Kysely, sql } from 'kysely';

// A suspended partner or company keeps its data, and the service rejects its tokens.
export async function up(db: Kysely<unknown>): Promise<void> {
  await identityTable(db, 'companies')
    .addColumn('name_en', 'text', (column) => column.notNull())
    .addColumn('name_ar', 'text', (column) => column.notNull())
    .addColumn('address_line', 'text')
    .addColumn('city_id', 'integer', (column) => column.notNull().references('cities.id'))
    .addColumn('suspended_at', 'timestamptz')
    .execute();

  // The primary key begins with the company, because every statement filters by it.
  await db.schema
    .createTable('branches')
    .addColumn('id', 'integer', (column) => column.generatedByDefaultAsIdentity())
    .addColumn('company_id', 'integer', (column) => column.notNull().references('companies.id'))
    .addColumn('name_en', 'text', (column) => column.notNull())
    .addColumn('name_ar', 'text', (column) => column.notNull())
    .addColumn('address_line', 'text')
    .addColumn('city_id', 'integer', (column) => column.notNull().references('cities.id'))
    .addPrimaryKeyConstraint('branches_pkey', ['company_id', 'id'])
    .execute();

  await db.schema
    .createTable('branch_services')
    .addColumn('company_id', 'integer', (column) => column.notNull())
    .addColumn('branch_id', 'integer', (column) => column.notNull())
    .addColumn('service_id', 'integer', (column) => column.notNull().references('services.id'))
    .addPrimaryKeyConstraint('branch_services_pkey', ['company_id', 'branch_id', 'service_id'])
    .addForeignKeyConstraint(
      'branch_services_branch',
      ['company_id', 'branch_id'],
      'branches',
      ['company_id', 'id'],
      // The services of a branch are part of it.
      (key) => key.onDelete('cascade'),
    )
    .execute();

  await identityTable(db, 'partners')
    // Operators name partners in commands.
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('default_company_id', 'integer', (column) => column.notNull().references('companies.id'))
    .addColumn('suspended_at', 'timestamptz')
    // Deferrable, because an import may swap the names of two partners.
    .addUniqueConstraint('partners_name_key', ['name'], (unique) => unique.deferrable().initiallyImmediate())
    .execute();

  // Deleting a partner deletes its tokens. The check (SHA-256 in hexadecimal) rejects unhashed tokens.
  await identityTable(db, 'partner_tokens')
    .addColumn('partner_id', 'integer', (column) => column.notNull().references('partners.id').onDelete('cascade'))
    .addColumn('token_hash', 'text', (column) => column.notNull().unique().check(sql`token_hash ~ '^[0-9a-f]{64}$'`))
    .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .addColumn('expires_at', 'timestamptz')
    .addColumn('revoked_at', 'timestamptz')
    .addColumn('last_used_at', 'timestamptz')
    .addColumn('label', 'text')
    .execute();
  await db.schema.createIndex('partner_tokens_partner_id').on('partner_tokens').column('partner_id').execute();

  // The response of a write by the caller's key, inserted in the transaction of the write. Deleting the company or
  // partner deletes its keys, because it can no longer retry. The checks match the API: the key's length, SHA-256.
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
  // Serves the deletion of expired keys.
  await db.schema.createIndex('idempotency_keys_created_at').on('idempotency_keys').column('created_at').execute();

  // The changes that operators made by command. Without foreign keys, so that entries outlive the rows they name.
  await identityTable(db, 'admin_log')
    .addColumn('at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .addColumn('actor', 'text', (column) => column.notNull())
    .addColumn('command', 'text', (column) => column.notNull())
    .addColumn('details', 'jsonb', (column) => column.notNull())
    .execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const table of [
    'admin_log',
    'idempotency_keys',
    'partner_tokens',
    'partners',
    'branch_services',
    'branches',
    'companies',
  ]) {
    await db.schema.dropTable(table).execute();
  }
}

function identityTable(db: Kysely<unknown>, name: string) {
  return db.schema
    .createTable(name)
    .addColumn('id', 'integer', (column) => column.primaryKey().generatedByDefaultAsIdentity());
}
