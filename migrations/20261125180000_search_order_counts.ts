import { type Kysely, sql } from 'kysely';

// Combining marks, tatweel and the hamza after compatibility decomposition, and characters without a glyph.
const ignored =
  '\u0300-\u036F\u0483-\u0489\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7\u0610-\u061A\u0621\u0640\u064B-\u065F' +
  '\u0670\u06D6-\u06DC\u06DF-\u06E4\u06E7\u06E8\u06EA-\u06ED\u08CA-\u08E1\u08E3-\u08FF\u1AB0-\u1AFF\u1DC0-\u1DFF' +
  '\u20D0-\u20FF\uFE00-\uFE0F\uFE20-\uFE2F\u00AD\u061C\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFEFF';

// Letters that decomposition keeps apart, after lowercasing, and the digits of Arabic.
const letters = { from: 'ةىیکٱςıøłđ٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹', to: 'هييكاσiold01234567890123456789' };

const collation = sql`collate "und-x-icu"`;

export async function up(db: Kysely<unknown>): Promise<void> {
  // PostgreSQL resolves names in this form of body now, so that dumps restore with any search_path.
  await sql`create function search_form(value text) returns text language sql immutable strict parallel safe
    return translate(
      lower(regexp_replace(normalize(value, nfkd), ${sql.lit(`[${ignored}]`)}, '', 'g') ${collation}),
      ${sql.lit(letters.from)}, ${sql.lit(letters.to)}
    )`.execute(db);
  await addSearchText(db, sql`search_form(name_en || E'\n' || name_ar)`);
  // Products without a tag are found in these indexes alone.
  await sql`create index items_name_en on items (company_id, name_en ${collation}, id) include (item_type)`.execute(db);
  await sql`create index items_name_ar on items (company_id, name_ar ${collation}, id) include (item_type)`.execute(db);

  // Not generated: PostgreSQL would compute it again for each new version.
  await sql`alter table product_tags add column search_text text not null default '',
    add column item_count integer not null default 0`.execute(db);
  await sql`update product_tags set search_text = search_form(concat_ws(E'\n', name_en, name_ar)), item_count = (
    select count(*) from product_taggings as link
    where link.company_id = product_tags.company_id and link.product_tag_id = product_tags.id
  )`.execute(db);
  await sql`create function set_search_text() returns trigger language plpgsql
    set search_path to ${await schemaOf(db)}, pg_temp as $$
    begin
      new.search_text = search_form(concat_ws(E'\n', new.name_en, new.name_ar));
      return new;
    end
  $$`.execute(db);
  await sql`create trigger product_tags_search_text before insert or update of name_en, name_ar on product_tags
    for each row execute function set_search_text()`.execute(db);
  await sql`create index product_tags_name_en on product_tags (company_id, name_en ${collation}, id)`.execute(db);
  await sql`create index product_tags_name_ar
    on product_tags (company_id, (coalesce(name_ar, name_en) ${collation}), id)`.execute(db);

  for (const { event, links, count, condition } of linkChanges) {
    // The count follows the lock in a statement of its own, so that it sees the links that others committed before.
    await replaceLinkTrigger(
      db,
      event,
      links,
      sql`perform from product_tags
        where company_id = changed.company_id and id = changed.product_tag_id for no key update;
        counted = ${sql.raw(count)};
        update product_tags set version = gen_random_uuid(), item_count = counted
        where company_id = changed.company_id and id = changed.product_tag_id ${sql.raw(condition)};`,
    );
  }
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const { event, links } of linkChanges) {
    await replaceLinkTrigger(
      db,
      event,
      links,
      sql`update product_tags set version = gen_random_uuid()
        where company_id = changed.company_id and id = changed.product_tag_id;`,
    );
  }
  await sql`drop trigger product_tags_search_text on product_tags`.execute(db);
  await sql`drop function set_search_text`.execute(db);
  await sql`drop index items_name_en, items_name_ar, product_tags_name_en, product_tags_name_ar`.execute(db);
  await sql`alter table product_tags drop column search_text, drop column item_count`.execute(db);
  await addSearchText(db, sql`lower(name_en || E'\\n' || name_ar)`);
  await sql`drop function search_form`.execute(db);
}

// PostgreSQL before 17 cannot change the expression of a generated column.
async function addSearchText(db: Kysely<unknown>, expression: ReturnType<typeof sql>): Promise<void> {
  await sql`alter table items drop column search_text`.execute(db);
  await sql`alter table items add column search_text text not null generated always as (${expression}) stored`.execute(
    db,
  );
}

async function replaceLinkTrigger(
  db: Kysely<unknown>,
  event: string,
  links: string,
  change: ReturnType<typeof sql>,
): Promise<void> {
  await sql`create or replace function ${sql.id(`change_versions_${event}`)}() returns trigger language plpgsql
    set search_path to ${await schemaOf(db)}, pg_temp as $$
      declare
        changed record;
        counted integer;
      begin
        for changed in select distinct company_id, product_tag_id from (${sql.raw(links)}) as links order by 1, 2 loop
          ${change}
        end loop;
        return null;
      end
    $$`.execute(db);
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
  // New links change the count, except in such a restore, which keeps the versions.
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
