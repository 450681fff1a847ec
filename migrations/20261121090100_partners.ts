import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await identityTable(db, 'companies')
    .addColumn('name_en', 'text', (column) => column.notNull())
    .addColumn('name_ar', 'text', (column) => column.notNull())
    .addColumn('address_line', 'text')
    .addColumn('city_id', 'integer', (column) => column.notNull().references('cities.id'))
    .execute();

  await identityTable(db, 'branches')
    .addColumn('company_id', 'integer', (column) => column.notNull().references('companies.id'))
    .addColumn('name_en', 'text', (column) => column.notNull())
    .addColumn('name_ar', 'text', (column) => column.notNull())
    .addColumn('address_line', 'text')
    .addColumn('city_id', 'integer', (column) => column.notNull().references('cities.id'))
    .addUniqueConstraint('branches_company_id_id', ['company_id', 'id'])
    .execute();

  await db.schema
    .createTable('branch_services')
    .addColumn('company_id', 'integer', (column) => column.notNull())
    .addColumn('branch_id', 'integer', (column) => column.notNull())
    .addColumn('service_id', 'integer', (column) => column.notNull().references('services.id'))
    .addPrimaryKeyConstraint('branch_services_pkey', ['branch_id', 'service_id'])
    .addForeignKeyConstraint(
      'branch_services_branch',
      ['company_id', 'branch_id'],
      'branches',
      ['company_id', 'id'],
      (key) => key.onDelete('cascade'),
    )
    .execute();

  await identityTable(db, 'partners')
    .addColumn('name', 'text', (column) => column.notNull().unique())
    .addColumn('default_company_id', 'integer', (column) => column.notNull().references('companies.id'))
    .execute();

  await identityTable(db, 'partner_tokens')
    .addColumn('partner_id', 'integer', (column) => column.notNull().references('partners.id').onDelete('cascade'))
    .addColumn('token_hash', 'text', (column) => column.notNull().unique().check(sql`token_hash ~ '^[0-9a-f]{64}$'`))
    .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .addColumn('expires_at', 'timestamptz')
    .addColumn('revoked_at', 'timestamptz')
    .execute();
  await db.schema.createIndex('partner_tokens_partner_id').on('partner_tokens').column('partner_id').execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const table of ['partner_tokens', 'partners', 'branch_services', 'branches', 'companies']) {
    await db.schema.dropTable(table).execute();
  }
}

function identityTable(db: Kysely<unknown>, name: string) {
  return db.schema
    .createTable(name)
    .addColumn('id', 'integer', (column) => column.primaryKey().generatedByDefaultAsIdentity());
}
