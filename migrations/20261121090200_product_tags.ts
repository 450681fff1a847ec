import { type Kysely, sql } from 'kysely';

// The tagging rules hold whatever the code does: a link repeats its company and the item's type, so that composite
// foreign keys refuse another company's item and the check refuses anything but a product.
//
// Every key begins with the company, as every statement does: beside a key without it, PostgreSQL's generic plan for a tag's
// links read all of the company's. Ids are unique over all companies too, as they come from one sequence; the import of items,
// which also takes ids from elsewhere, looks for itself.
export async function up(db: Kysely<unknown>): Promise<void> {
  await identityTable(db, 'items')
    // The types of the platform; a check is easier to extend than a type of PostgreSQL.
    .addColumn('item_type', 'text', (column) =>
      column.notNull().check(sql`item_type in ('product', 'modifier_group', 'modifier')`),
    )
    .addColumn('name_en', 'text', (column) => column.notNull())
    .addColumn('name_ar', 'text', (column) => column.notNull())
    // Lowering the names of 100,000 items for each search takes longer than the search itself.
    .addColumn('search_text', 'text', (column) =>
      column.notNull().generatedAlwaysAs(sql`lower(name_en || E'\\n' || name_ar)`).stored(),
    )
    .addPrimaryKeyConstraint('items_pkey', ['company_id', 'id'])
    // For the foreign key of the links.
    .addUniqueConstraint('items_company_id_id_item_type', ['company_id', 'id', 'item_type'])
    .execute();

  // The limits of REST v1, in code points. Only the English name is required.
  await identityTable(db, 'product_tags')
    .addColumn('name_en', 'text', (column) => column.notNull().check(sql`char_length(name_en) between 3 and 50`))
    .addColumn('name_ar', 'text', (column) => column.check(sql`char_length(name_ar) between 3 and 50`))
    .addColumn('version', 'uuid', (column) => column.notNull().defaultTo(sql`gen_random_uuid()`))
    .addPrimaryKeyConstraint('product_tags_pkey', ['company_id', 'id'])
    .execute();

  await db.schema
    .createTable('product_taggings')
    .addColumn('company_id', 'integer', (column) => column.notNull())
    .addColumn('product_tag_id', 'integer', (column) => column.notNull())
    .addColumn('item_id', 'integer', (column) => column.notNull())
    .addColumn('item_type', 'text', (column) => column.notNull().defaultTo('product').check(sql`item_type = 'product'`))
    .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .addPrimaryKeyConstraint('product_taggings_pkey', ['company_id', 'product_tag_id', 'item_id'])
    .addForeignKeyConstraint(
      'product_taggings_product_tag',
      ['company_id', 'product_tag_id'],
      'product_tags',
      ['company_id', 'id'],
      // A deleted tag takes its links along, as does a deleted item.
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
  // For an item's tags, by id.
  await db.schema
    .createIndex('product_taggings_item_id')
    .on('product_taggings')
    .columns(['company_id', 'item_id', 'product_tag_id'])
    .execute();
  await createVersionTriggers(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const table of ['product_taggings', 'product_tags', 'items']) {
    await db.schema.dropTable(table).execute();
  }
  const functions = ['change_version', ...linkChanges.map(({ event }) => `change_versions_${event}`)];
  await sql`drop function ${sql.join(functions.map((name) => sql.id(name)))}`.execute(db);
}

// A tag gets another version whenever its names or items change, whoever changes them; a write of the same values keeps it.
async function createVersionTriggers(db: Kysely<unknown>): Promise<void> {
  await sql`create function change_version() returns trigger language plpgsql as $$
    begin
      new.version = gen_random_uuid();
      return new;
    end
  $$`.execute(db);
  await sql`create trigger product_tags_version before update on product_tags for each row
    when ((old.name_en, old.name_ar) is distinct from (new.name_en, new.name_ar))
    execute function change_version()`.execute(db);
  for (const { event, tables, links } of linkChanges) {
    const name = sql.id(`change_versions_${event}`);
    await sql`create function ${name}() returns trigger language plpgsql as $$
      begin
        update product_tags set version = gen_random_uuid()
        from (select distinct company_id, product_tag_id from (${sql.raw(links)}) as links) as changed
        where product_tags.company_id = changed.company_id and product_tags.id = changed.product_tag_id;
        return null;
      end
    $$`.execute(db);
    // What truncate removes is seen before it alone.
    await sql`create trigger ${sql.id(`product_taggings_${event}_version`)}
      ${sql.raw(event === 'truncate' ? 'before' : 'after')} ${sql.raw(event)} on product_taggings ${sql.raw(tables)}
      for each statement execute function ${name}()`.execute(db);
  }
}

const link = 'company_id, product_tag_id, item_id';
const linkChanges = [
  { event: 'insert', tables: 'referencing new table as added', links: 'table added' },
  { event: 'delete', tables: 'referencing old table as removed', links: 'table removed' },
  {
    event: 'update',
    tables: 'referencing old table as removed new table as added',
    links: `(select ${link} from removed except select ${link} from added)
      union all (select ${link} from added except select ${link} from removed)`,
  },
  { event: 'truncate', tables: '', links: 'table product_taggings' },
];

// Id 0 is before the first page, and on REST stands for ids beyond 32 bits.
function identityTable(db: Kysely<unknown>, name: string) {
  return db.schema
    .createTable(name)
    .addColumn('id', 'integer', (column) => column.generatedByDefaultAsIdentity().check(sql`id > 0`))
    .addColumn('company_id', 'integer', (column) => column.notNull().references('companies.id'));
}
