import { type RawBuilder, sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { sharedApp } from './support/app.ts';
import { companyRows, surfaces, type Tag } from './support/product-tag.ts';
import { createTenant, type Tenant } from './support/tenant.ts';

// SQLSTATE, as PostgreSQL's manual lists them.
const foreignKey = '23503';
const unique = '23505';
const check = '23514';

let own: Tenant;
let other: Tenant;
let tag: Tag;
let otherTag: Tag;
let tagged: number;
let untagged: number;
const app = await sharedApp();
beforeEach(async () => {
  own = await createTenant(app.db);
  other = await createTenant(app.db);
  [tagged = 0, untagged = 0] = own.products;
  tag = await surfaces.REST.create(app.client, { name_en: 'Spicy', item_ids: [tagged] }, own);
  otherTag = await surfaces.REST.create(app.client, { name_en: 'Theirs' }, other);
});

const link = (companyId: number, tagId: number, itemId: number | undefined) =>
  sql`insert into product_taggings (company_id, product_tag_id, item_id) values (${companyId}, ${tagId}, ${itemId})`;
const linkTyped = (itemId: number, itemType: string) => sql`
  insert into product_taggings (company_id, product_tag_id, item_id, item_type)
  values (${own.companyId}, ${tag.id}, ${itemId}, ${itemType})`;
const insertTag = (nameEn: string | null, nameAr: string | null) =>
  sql`insert into product_tags (company_id, name_en, name_ar) values (${own.companyId}, ${nameEn}, ${nameAr})`;

const broken: { what: string; code: string; statement(): RawBuilder<unknown> }[] = [
  { what: 'a modifier is tagged', code: foreignKey, statement: () => link(own.companyId, tag.id, own.modifier) },
  { what: 'a group is tagged', code: foreignKey, statement: () => link(own.companyId, tag.id, own.modifierGroup) },
  { what: 'a modifier is tagged as such', code: check, statement: () => linkTyped(own.modifier, 'modifier') },
  { what: 'a group is tagged as such', code: check, statement: () => linkTyped(own.modifierGroup, 'modifier_group') },
  { what: 'a product is tagged as a modifier', code: check, statement: () => linkTyped(untagged, 'modifier') },
  {
    what: "another company's item is tagged",
    code: foreignKey,
    statement: () => link(own.companyId, tag.id, other.products[0]),
  },
  {
    what: "another company's item is tagged under its own company",
    code: foreignKey,
    statement: () => link(other.companyId, tag.id, other.products[0]),
  },
  {
    what: "another company's tag is given to an item",
    code: foreignKey,
    statement: () => link(own.companyId, otherTag.id, untagged),
  },
  {
    what: "another company's tag is given to an item under its own company",
    code: foreignKey,
    statement: () => link(other.companyId, otherTag.id, untagged),
  },
  { what: 'an item that does not exist is tagged', code: foreignKey, statement: () => link(own.companyId, tag.id, -1) },
  { what: 'a tag that does not exist is given', code: foreignKey, statement: () => link(own.companyId, -1, untagged) },
  { what: 'a pair exists twice', code: unique, statement: () => link(own.companyId, tag.id, tagged) },
  {
    what: 'a tagged product becomes a modifier',
    code: foreignKey,
    statement: () => sql`update items set item_type = 'modifier' where id = ${tagged}`,
  },
  {
    what: 'a tagged product moves to another company',
    code: foreignKey,
    statement: () => sql`update items set company_id = ${other.companyId} where id = ${tagged}`,
  },
  {
    what: 'a tag in use moves to another company',
    code: foreignKey,
    statement: () => sql`update product_tags set company_id = ${other.companyId} where id = ${tag.id}`,
  },
  {
    what: 'an item has an unknown type',
    code: check,
    statement: () => sql`update items set item_type = 'combo' where id = ${untagged}`,
  },
  { what: 'an English name is missing', code: '23502', statement: () => insertTag(null, null) },
  { what: 'an English name has 2 characters', code: check, statement: () => insertTag('ab', null) },
  { what: 'an English name has 51 characters', code: check, statement: () => insertTag('x'.repeat(51), null) },
  { what: 'an Arabic name has 2 characters', code: check, statement: () => insertTag('Spicy', '🌶🌶') },
  { what: 'an Arabic name has 51 characters', code: check, statement: () => insertTag('Spicy', '🌶'.repeat(51)) },
  {
    what: 'a tag is renamed to 2 characters',
    code: check,
    statement: () => sql`update product_tags set name_en = 'ab' where id = ${tag.id}`,
  },
];

describe('the database itself refuses a write by which', () => {
  test.each(broken)('$what', async ({ code, statement }) => {
    const before = await Promise.all([own, other].map(({ companyId }) => companyRows(app.db, companyId)));
    await expect(statement().execute(app.db)).rejects.toMatchObject({ code });
    const after = await Promise.all([own, other].map(({ companyId }) => companyRows(app.db, companyId)));
    expect(after).toEqual(before);
  });
});

describe('the database itself takes', () => {
  test.each([
    { what: 'a product of the same company', statement: () => link(own.companyId, tag.id, untagged) },
    { what: 'names of 3 characters', statement: () => insertTag('abc', '🌶🌶🌶') },
    { what: 'names of 50 characters', statement: () => insertTag('x'.repeat(50), '🌶'.repeat(50)) },
    {
      what: 'another type of a product without tags',
      statement: () => sql`update items set item_type = 'modifier' where id = ${untagged}`,
    },
  ])('$what', async ({ statement }) => {
    expect((await statement().execute(app.db)).numAffectedRows).toBe(1n);
  });

  test('the deletion of a tag, which removes its links and leaves the items', async () => {
    const before = await companyRows(app.db, own.companyId);
    await sql`delete from product_tags where id = ${tag.id}`.execute(app.db);
    expect(await companyRows(app.db, own.companyId)).toEqual({ items: before.items, tags: [], taggings: [] });
  });
});
