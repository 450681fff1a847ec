import { type Kysely, sql } from 'kysely';

// The database enforces the tagging rules: a link repeats its company and the item's type, so that composite foreign
// keys reject another company's item, and the check rejects anything but a product.
//
// Every key begins with the company, because every statement filters by it. With an additional key on the id alone,
// PostgreSQL's generic plan for a tag's links read all links of the company. Ids are unique across companies, because
// they come from one sequence; the import, which accepts other ids, checks this itself.
export async function up(db: Kysely<unknown>): Promise<void> {
  await identityTable(db, 'items')
    // The types of the platform. A check is easier to extend than an enum of PostgreSQL.
    .addColumn('item_type', 'text', (column) =>
      column.notNull().check(sql`item_type in ('product', 'modifier_group', 'modifier')`),
    )
    .addColumn('name_en', 'text', (column) => column.notNull())
    .addColumn('name_ar', 'text', (column) => column.notNull())
    // Stored, because lowercasing the names of 100,000 items takes longer than searching them.
    .addColumn('search_text', 'text', (column) =>
      column.notNull().generatedAlwaysAs(sql`lower(name_en || E'\\n' || name_ar)`).stored(),
    )
    .addPrimaryKeyConstraint('items_pkey', ['company_id', 'id'])
    // Target of the links' foreign key.
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
      // Deleting a tag or an item deletes its links.
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
  // Serves the tags of an item, by id.
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

// Triggers give a tag a new version whenever its names or items change. Writing equal values keeps the version.
async function createVersionTriggers(db: Kysely<unknown>): Promise<void> {
  await sql`create function change_version() returns trigger language plpgsql as $$
    begin
      new.version = gen_random_uuid();
      return new;
    end
  $$`.execute(db);
  await sql`create trigger product_tags_version before update of name_en, name_ar on product_tags for each row
    when ((old.name_en, old.name_ar) is distinct from (new.name_en, new.name_ar))
    execute function change_version()`.execute(db);
  for (const { event, tables, links } of linkChanges) {
    const name = sql.id(`change_versions_${event}`);
    // One update per tag, because PostgreSQL plans a single one, for a few tags too, as a scan of the whole table.
    await sql`create function ${name}() returns trigger language plpgsql as $$
      declare
        changed record;
      begin
        for changed in select distinct company_id, product_tag_id from (${sql.raw(links)}) as links order by 1, 2 loop
          update product_tags set version = gen_random_uuid()
          where company_id = changed.company_id and id = changed.product_tag_id;
        end loop;
        return null;
      end
    $$`.execute(db);
    // Only a trigger before `truncate` sees the rows that it removes.
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

// Id 0 is reserved: pages begin after it, and on REST it stands for ids above 32 bits.
function identityTable(db: Kysely<unknown>, name: string) {
  return db.schema
    .createTable(name)
    .addColumn('id', 'integer', (column) => column.generatedByDefaultAsIdentity().check(sql`id > 0`))
    .addColumn('company_id', 'integer', (column) => column.notNull().references('companies.id'));
}
