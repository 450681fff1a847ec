import { type RawBuilder, sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { companyRows, surfaces } from '../support/product-tag.ts';
import { sharedApp } from '../support/test-app.ts';

// As PostgreSQL's manual lists them.
const sqlStates = { foreignKey: '23503', unique: '23505', check: '23514', notNull: '23502' };

const app = await sharedApp();
const own = await app.createTenant();
const other = await app.createTenant();
const [tagged = 0, untagged = 0] = own.products;
const tag = await surfaces.REST.create(app.client, { name_en: 'Spicy', item_ids: [tagged] }, own);
const otherTag = await surfaces.REST.create(app.client, { name_en: 'Theirs' }, other);

const link = (companyId: number, tagId: number, itemId: number | undefined) =>
  sql`insert into product_taggings (company_id, product_tag_id, item_id) values (${companyId}, ${tagId}, ${itemId})`;
const linkTyped = (itemId: number, itemType: string) => sql`
  insert into product_taggings (company_id, product_tag_id, item_id, item_type)
  values (${own.companyId}, ${tag.id}, ${itemId}, ${itemType})`;
const insertTag = (nameEn: string | null, nameAr: string | null) =>
  sql`insert into product_tags (company_id, name_en, name_ar) values (${own.companyId}, ${nameEn}, ${nameAr})`;

type Statement = () => RawBuilder<unknown>;
const broken: Record<keyof typeof sqlStates, Record<string, Statement>> = {
  foreignKey: {
    'a modifier is tagged': () => link(own.companyId, tag.id, own.modifier),
    "another company's item is tagged": () => link(own.companyId, tag.id, other.products[0]),
    "another company's tag is given to an item": () => link(own.companyId, otherTag.id, untagged),
    'an item that does not exist is tagged': () => link(own.companyId, tag.id, -1),
    'a tag that does not exist is given': () => link(own.companyId, -1, untagged),
    'a tagged product becomes a modifier': () => sql`update items set item_type = 'modifier' where id = ${tagged}`,
    'a tagged product changes its company': () =>
      sql`update items set company_id = ${other.companyId} where id = ${tagged}`,
    'a tag in use changes its company': () =>
      sql`update product_tags set company_id = ${other.companyId} where id = ${tag.id}`,
  },
  check: {
    'a modifier is tagged as such': () => linkTyped(own.modifier, 'modifier'),
    'a product is tagged as a modifier': () => linkTyped(untagged, 'modifier'),
    'an item has an unknown type': () => sql`update items set item_type = 'combo' where id = ${untagged}`,
    'an English name has 2 characters': () => insertTag('ab', null),
    'an English name has 51 characters': () => insertTag('x'.repeat(51), null),
    'an Arabic name has 2 characters': () => insertTag('Spicy', '🌶🌶'),
    'an Arabic name has 51 characters': () => insertTag('Spicy', '🌶'.repeat(51)),
    'a tag is renamed to 2 characters': () => sql`update product_tags set name_en = 'ab' where id = ${tag.id}`,
  },
  unique: { 'a pair exists twice': () => link(own.companyId, tag.id, tagged) },
  notNull: { 'an English name is missing': () => insertTag(null, null) },
};

describe.each(Object.entries(broken))('the database rejects by %s', (rule, statements) => {
  test.each(Object.entries(statements))('%s', async (_what, statement) => {
    const rows = () => Promise.all([own, other].map(({ companyId }) => companyRows(app.db, companyId)));
    const before = await rows();
    const code = sqlStates[rule as keyof typeof broken];
    await expect(statement().execute(app.db)).rejects.toMatchObject({ code });
    expect(await rows()).toEqual(before);
  });
});

test.each<[what: string, Statement]>([
  ['names of 50 characters', () => insertTag('x'.repeat(50), '🌶'.repeat(50))],
  ['another type of an untagged product', () => sql`update items set item_type = 'modifier' where id = ${untagged}`],
])('the database accepts %s', async (_what, statement) => {
  expect((await statement().execute(app.db)).numAffectedRows).toBe(1n);
});
