import { type Kysely, sql } from 'kysely';

// `now()` first, because it is one value for all rows: PostgreSQL stores it once and does not write the tables again.
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of tables) {
    await sql`alter table ${sql.table(table)}
      add column created_at timestamptz not null default now(),
      add column updated_at timestamptz not null default now()`.execute(db);
    await sql`alter table ${sql.table(table)}
      alter column created_at set default clock_timestamp(),
      alter column updated_at set default clock_timestamp()`.execute(db);
  }
  const schema = await schemaOf(db);
  await sql`create function change_updated_at() returns trigger language plpgsql
    set search_path to ${schema}, pg_temp as $$
    begin
      new.updated_at = clock_timestamp();
      return new;
    end
  $$`.execute(db);
  await sql`create trigger items_updated_at before update of item_type, name_en, name_ar on items for each row
    when ((old.item_type, old.name_en, old.name_ar) is distinct from (new.item_type, new.name_en, new.name_ar))
    execute function change_updated_at()`.execute(db);
  // None for tags: with an index on the column, every change of a tag's items would write all of its indexes.
  // An expression: before an import has filled the table, PostgreSQL would plan statements by ids and the checks of the links'
  // foreign keys with an index on the company, and then read all of its rows for each link.
  await sql`create index items_updated_at on items ((company_id + 0), updated_at)`.execute(db);
  await replaceVersionTriggers(db, {
    change: 'new.updated_at = clock_timestamp();',
    set: ', updated_at = clock_timestamp()',
  });
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await replaceVersionTriggers(db, { change: '', set: '' });
  await sql`drop trigger items_updated_at on items`.execute(db);
  await sql`drop function change_updated_at()`.execute(db);
  await sql`drop index items_updated_at`.execute(db);
  for (const table of tables)
    await sql`alter table ${sql.table(table)} drop column created_at, drop column updated_at`.execute(db);
}

const tables = ['items', 'product_tags'];

/** The triggers that change the version of a tag, with what else they change. */
async function replaceVersionTriggers(
  db: Kysely<unknown>,
  { change, set }: Record<'change' | 'set', string>,
): Promise<void> {
  const schema = await schemaOf(db);
  await sql`create or replace function change_version() returns trigger language plpgsql
    set search_path to ${schema}, pg_temp as $$
    begin
      new.version = gen_random_uuid();
      ${sql.raw(change)}
      return new;
    end
  $$`.execute(db);
  for (const { event, links, count, condition } of linkChanges) {
    // The count follows the lock in a statement of its own, so that it sees the links that others committed before.
    await sql`create or replace function ${sql.id(`change_versions_${event}`)}() returns trigger language plpgsql
      set search_path to ${schema}, pg_temp as $$
      declare
        changed record;
        counted integer;
      begin
        for changed in select distinct company_id, product_tag_id from (${sql.raw(links)}) as links order by 1, 2 loop
          perform from product_tags
          where company_id = changed.company_id and id = changed.product_tag_id for no key update;
          counted = ${sql.raw(count)};
          update product_tags set version = gen_random_uuid(), item_count = counted ${sql.raw(set)}
          where company_id = changed.company_id and id = changed.product_tag_id ${sql.raw(condition)};
        end loop;
        return null;
      end
    $$`.execute(db);
  }
}

async function schemaOf(db: Kysely<unknown>) {
  const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(db);
  return sql.id(rows[0]?.schema ?? 'public');
}

const link = 'company_id, product_tag_id, item_id';

// Counting, unlike adding, is right for a restore of data alone too, whose tags have their counts before their links.
const links = `(select count(*) from product_taggings
  where company_id = changed.company_id and product_tag_id = changed.product_tag_id)`;

const linkChanges = [
  // New links change the count, except in such a restore, which keeps the versions and times.
  { event: 'insert', links: 'table added', count: links, condition: 'and item_count <> counted' },
  { event: 'delete', links: 'table removed', count: links, condition: '' },
  {
    event: 'update',
    links: `(select ${link} from removed except select ${link} from added)
      union all (select ${link} from added except select ${link} from removed)`,
    count: links,
    condition: '',
  },
  // It runs before the rows are removed.
  { event: 'truncate', links: 'table product_taggings', count: '0', condition: '' },
];
