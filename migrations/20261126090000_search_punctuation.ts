import { type Kysely, type RawBuilder, sql } from 'kysely';

// Combining marks, tatweel and the hamza after compatibility decomposition, and characters without a glyph.
const ignored =
  '\u0300-\u036F\u0483-\u0489\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7\u0610-\u061A\u0621\u0640\u064B-\u065F' +
  '\u0670\u06D6-\u06DC\u06DF-\u06E4\u06E7\u06E8\u06EA-\u06ED\u08CA-\u08E1\u08E3-\u08FF\u1AB0-\u1AFF\u1DC0-\u1DFF' +
  '\u20D0-\u20FF\uFE00-\uFE0F\uFE20-\uFE2F\u00AD\u061C\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFEFF';

// Letters that decomposition keeps apart, after lowercasing, and the digits of Arabic.
const letters = { from: 'ةىیکٱςıøłđ٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹', to: 'هييكاσiold01234567890123456789' };

// Forms of ', " and -, with letters and accents that are typed as apostrophes. PostgreSQL reads the ranges. Two apostrophes
// or primes are a quote.
const forms = {
  apostrophe:
    '[\u0060\u00B4\u02B9\u02BB-\u02BF\u02C8\u02CA\u02CB\u0374\u0384\u055A\u05F3\u1FBD\u1FBF\u1FEF\u1FFD\u1FFE' +
    '\u2018-\u201B\u2032\u2035\u2039\u203A\u275B\u275C\uA78B\uA78C\uFF07\uFF40]',
  quote:
    '[\u00AB\u00BB\u02BA\u02EE\u05F4\u201C-\u201F\u2033\u2034\u2036\u2037\u2057\u275D\u275E\u2E42\u301D-\u301F\uFF02]' +
    "|''",
  hyphen:
    '[\u02D7\u058A\u05BE\u1400\u1806\u2010-\u2015\u2043\u207B\u208B\u2212\u2796\u2E17\u2E1A\u2E3A\u2E3B\u2E40\u2E5D' +
    '\u301C\u3030\u30A0\uFE31\uFE32\uFE58\uFE63\uFF0D]',
};

const affected = Object.values(forms).join('|');

export async function up(db: Kysely<unknown>): Promise<void> {
  // A long list for `translate` would take three times as long as these.
  const apostrophes = sql`regexp_replace(value, ${sql.lit(forms.apostrophe)}, '''', 'g')`;
  const quotes = sql`regexp_replace(${apostrophes}, ${sql.lit(forms.quote)}, '"', 'g')`;
  await replaceFunction(db, sql`regexp_replace(${quotes}, ${sql.lit(forms.hyphen)}, '-', 'g')`);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await replaceFunction(db, sql`value`);
}

// Replacing the function keeps the generated column that uses it: to add another would lock and rewrite all items. An
// update of the names computes it again, and changes neither the versions of tags nor other columns.
async function replaceFunction(db: Kysely<unknown>, value: RawBuilder<unknown>): Promise<void> {
  await sql`create or replace function search_form(value text) returns text
    language sql immutable strict parallel safe return translate(
      lower(regexp_replace(normalize(${value}, nfkd), ${sql.lit(`[${ignored}]`)}, '', 'g') collate "und-x-icu"),
      ${sql.lit(letters.from)}, ${sql.lit(letters.to)}
    )`.execute(db);
  await sql`update items set name_en = name_en
    where name_en || E'\n' || name_ar ~ ${sql.lit(affected)}`.execute(db);
  await sql`update product_tags set search_text = search_form(concat_ws(E'\n', name_en, name_ar))
    where concat_ws(E'\n', name_en, name_ar) ~ ${sql.lit(affected)}`.execute(db);
}
