import { type Kysely, sql } from 'kysely';

// The tagging rules hold whatever the code does: a link repeats its company and the item's type, so that composite
// foreign keys refuse another company's item and the check refuses anything but a product.
export async function up(db: Kysely<unknown>): Promise<void> {
  await identityTable(db, 'items')
    .addColumn('item_type', 'text', (column) =>
      column.notNull().check(sql`item_type in ('product', 'modifier_group', 'modifier')`),
    )
    .addColumn('name_en', 'text', (column) => column.notNull())
    .addColumn('name_ar', 'text', (column) => column.notNull())
    .addUniqueConstraint('items_company_id_id_item_type', ['company_id', 'id', 'item_type'])
    .execute();

  await identityTable(db, 'product_tags')
    .addColumn('name_en', 'text', (column) => column.notNull().check(sql`char_length(name_en) between 3 and 50`))
    .addColumn('name_ar', 'text', (column) => column.check(sql`char_length(name_ar) between 3 and 50`))
    .addUniqueConstraint('product_tags_company_id_id', ['company_id', 'id'])
    .execute();

  await db.schema
    .createTable('product_taggings')
    .addColumn('company_id', 'integer', (column) => column.notNull())
    .addColumn('product_tag_id', 'integer', (column) => column.notNull())
    .addColumn('item_id', 'integer', (column) => column.notNull())
    .addColumn('item_type', 'text', (column) => column.notNull().defaultTo('product').check(sql`item_type = 'product'`))
    .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .addPrimaryKeyConstraint('product_taggings_pkey', ['product_tag_id', 'item_id'])
    .addForeignKeyConstraint(
      'product_taggings_product_tag',
      ['company_id', 'product_tag_id'],
      'product_tags',
      ['company_id', 'id'],
      (key) => key.onDelete('cascade'),
    )
    .addForeignKeyConstraint(
      'product_taggings_item',
      ['company_id', 'item_id', 'item_type'],
      'items',
      ['company_id', 'id', 'item_type'],
      (key) => key.onDelete('cascade'),
    )
    .execute();
  await db.schema
    .createIndex('product_taggings_item_id')
    .on('product_taggings')
    .columns(['company_id', 'item_id'])
    .execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const table of ['product_taggings', 'product_tags', 'items']) {
    await db.schema.dropTable(table).execute();
  }
}

function identityTable(db: Kysely<unknown>, name: string) {
  return db.schema
    .createTable(name)
    .addColumn('id', 'integer', (column) => column.primaryKey().generatedByDefaultAsIdentity().check(sql`id > 0`))
    .addColumn('company_id', 'integer', (column) => column.notNull().references('companies.id'));
}
