import { type Kysely, sql } from 'kysely';

// Marks above and below letters, and tatweel.
const marks = '[\u0610-\u061A\u0640\u064B-\u065F\u0670\u06D6-\u06DC\u06DF-\u06E4\u06E7\u06E8\u06EA-\u06ED]';

// The spellings of alef, waw, yeh and teh. The hamza alone is a letter.
const letters = { from: 'أإآٱؤئىة', to: 'ااااوييت' };

// Words of the scripts that Unicode sorts before Arabic. U+FFFF sorts after all letters.
const otherWords = '[A-Za-z\u00AA\u00B5\u00BA\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u05FF]+';

const collation = sql`collate "und-x-icu"`;

export async function up(db: Kysely<unknown>): Promise<void> {
  const folded = sql`translate(regexp_replace(value, ${sql.lit(marks)}, '', 'g'), ${sql.lit(letters.from)}, ${sql.lit(letters.to)})`;
  await sql`create function arabic_order(value text) returns text language sql immutable strict parallel safe
    return regexp_replace(${folded}, ${sql.lit(otherWords)}, chr(65535) || '\\&', 'g')`.execute(db);
  // The version before orders by the indexes of names alone. Products without a tag are found in these.
  await sql`create index items_arabic_order
    on items (company_id, (arabic_order(name_ar) ${collation}), name_ar ${collation}, id) include (item_type)`.execute(
    db,
  );
  await sql`create index product_tags_arabic_order on product_tags (
      company_id, (arabic_order(coalesce(name_ar, name_en)) ${collation}), (coalesce(name_ar, name_en) ${collation}), id
    )`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index items_arabic_order, product_tags_arabic_order`.execute(db);
  await sql`drop function arabic_order`.execute(db);
}
