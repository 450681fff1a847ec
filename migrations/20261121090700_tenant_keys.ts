import { type Kysely, sql } from 'kysely';

// Every key of a company's rows begins with the company: what is unique within it can be held to be so wherever its rows are,
// and all of them together. Ids stay unique over all companies as they come from one sequence; the import of items, which also
// takes ids from elsewhere, looks for itself.
export async function up(db: Kysely<unknown>): Promise<void> {
  await replaceKey(db, 'items', ['company_id', 'id']);
  await replaceKey(db, 'branch_services', ['company_id', 'branch_id', 'service_id']);
  for (const { table, unique, child, columns, name } of references) {
    await db.schema.alterTable(child).dropConstraint(name).execute();
    await db.schema.alterTable(table).dropConstraint(unique).execute();
    await replaceKey(db, table, ['company_id', 'id']);
    await addReference(db, child, name, columns, table);
  }
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const { table, unique, child, columns, name } of references.toReversed()) {
    await db.schema.alterTable(child).dropConstraint(name).execute();
    await replaceKey(db, table, ['id']);
    await db.schema.alterTable(table).addUniqueConstraint(unique, ['company_id', 'id']).execute();
    await addReference(db, child, name, columns, table);
  }
  await replaceKey(db, 'branch_services', ['branch_id', 'service_id']);
  await replaceKey(db, 'items', ['id']);
}

const references = [
  {
    table: 'product_tags',
    unique: 'product_tags_company_id_id',
    child: 'product_taggings',
    columns: ['company_id', 'product_tag_id'],
    name: 'product_taggings_product_tag',
  },
  {
    table: 'branches',
    unique: 'branches_company_id_id',
    child: 'branch_services',
    columns: ['company_id', 'branch_id'],
    name: 'branch_services_branch',
  },
];

async function replaceKey(db: Kysely<unknown>, table: string, columns: string[]): Promise<void> {
  const name = sql.id(`${table}_pkey`);
  await sql`alter table ${sql.table(table)} drop constraint ${name},
    add constraint ${name} primary key (${sql.join(columns.map((column) => sql.ref(column)))})`.execute(db);
}

async function addReference(db: Kysely<unknown>, child: string, name: string, columns: string[], table: string) {
  await db.schema
    .alterTable(child)
    .addForeignKeyConstraint(name, columns, table, ['company_id', 'id'], (key) => key.onDelete('cascade'))
    .execute();
}
