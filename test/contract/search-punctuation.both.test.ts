import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createMigrator } from '../../src/platform/database/migrate.ts';
import { copyTemplate, openDatabase, sharedApp } from '../support/test-app.ts';

const app = await sharedApp();
const own = await app.createTenant({ products: 1 });

const typographic = ['Chef’s Coca‑Cola', 'قرآن – «خاص»'] as const;
const plain = ["Chef's Coca-Cola", 'ʿAsir Qurʾan 12″ “x”'] as const;
const accented = ['Chef´s Coca—Cola', "12'' 6′ −2"] as const;
const all = [typographic, plain, accented];

const rows = all.map(([nameEn, nameAr]) => ({ companyId: own.companyId, nameEn, nameAr }));
await app.db
  .insertInto('items')
  .values(rows.map((row) => ({ ...row, itemType: 'product' as const })))
  .execute();
await app.db.insertInto('productTags').values(rows).execute();

const document = `query ($search: String) {
  items(search: $search) { nodes { nameEn } } productTags(search: $search) { nodes { nameEn } } }`;

test.each<[form: string, searches: string[], expected: (readonly [string, string])[]]>([
  ['an apostrophe', ["chef's", 'chef’s', 'CHEF‘S', 'chef＇s', 'chefʼs', 'chef`s', 'chef′s', 'chef‛s', 'chef´s'], all],
  ['a hyphen', ['coca-cola', 'coca‐cola', 'coca‑cola', 'coca–cola', 'coca―cola', 'coca−cola', 'coca－cola'], all],
  ['a double prime', ['12"', "12''", '12″', '12”', '12′′', '12＂'], [plain, accented]],
  ['a quote', ['"خاص"', '“خاص„', '«خاص»'], [typographic]],
  ['a half ring', ['qur\'an \'asir "x"'], [plain]],
  ['a minus', ["6' -2"], [accented]],
  ['no other character', ['cocacola', 'chefs', 'coca_cola', "coca'cola"], []],
])('a search ignores variants of %s: %j', async (_form, searches, expected) => {
  const nodes = expected.map(([nameEn]) => ({ nameEn }));
  for (const search of searches) {
    const { body } = await app.client.graphql(document, { search }, own);
    expect([search, body.data]).toEqual([search, { items: { nodes }, productTags: { nodes } }]);
  }
});

test('the migration rewrites only affected rows, keeps versions, and is reversible', async () => {
  await using database = await copyTemplate();
  await using opened = await openDatabase(database.env);
  const { db } = opened;
  const migrator = await createMigrator(db);
  await migrator.migrateTo('20261125180000_search_order_counts');
  await db
    .insertInto('items')
    .values({ companyId: 1, itemType: 'product', nameEn: typographic[0], nameAr: typographic[1] })
    .execute();
  await db.insertInto('productTags').values({ companyId: 1, nameEn: typographic[0] }).execute();
  const list = async (table: 'items' | 'product_tags') => {
    const { rows } = await sql<{ row: string; text: string; nameEn: string }>`
      select ctid::text || xmin::text as row, search_text as text, name_en, to_jsonb(${sql.table(table)}) - 'search_text' as others
      from ${sql.table(table)} order by id`.execute(db);
    return rows;
  };
  const before = { items: await list('items'), tags: await list('product_tags') };
  await migrator.migrateTo('20261126090000_search_punctuation');
  const after = { items: await list('items'), tags: await list('product_tags') };
  expect(after.items.at(-1)).toMatchObject({ text: 'chef\'s coca-cola\nقران - "خاص"' });
  expect(after.tags.at(-1)).toMatchObject({ text: "chef's coca-cola" });
  for (const kind of ['items', 'tags'] as const) {
    expect(after[kind].slice(0, -1)).toEqual(before[kind].slice(0, -1));
    expect(after[kind].at(-1)).toMatchObject({
      ...before[kind].at(-1),
      row: expect.anything(),
      text: expect.anything(),
    });
  }
  await migrator.migrateTo('20261125180000_search_order_counts');
  const texts = (rows: { text: string }[]) => rows.map(({ text }) => text);
  expect(texts(await list('items'))).toEqual(texts(before.items));
  expect(texts(await list('product_tags'))).toEqual(texts(before.tags));
});
