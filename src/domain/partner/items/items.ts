import { type ExpressionBuilder, sql } from 'kysely';
import type { z } from 'zod';
import { plannedEachTime } from '../../../platform/database/prepared-plans.ts';
import { anyOf } from '../../../platform/database/queries.ts';
import { type Columns, id, names, oneOf, optional, snakeCased } from '../../files/columns.ts';
import { companyList } from '../../lists/company-list.ts';
import type { Items } from '../../tables.generated.ts';
import { type ItemTypeValue, itemTypes, type Tables } from '../../tables.ts';

const { name_en: nameEn, name_ar: nameAr } = names();

/** The columns of items in lists and files, except for the company, in their order. */
const cells = {
  id: optional(id),
  itemType: oneOf(itemTypes),
  nameEn,
  nameAr,
} satisfies Partial<Record<keyof Items, z.ZodType>>;

const links = ({ selectFrom }: ExpressionBuilder<Tables, 'items'>, companyId: number) =>
  selectFrom('productTaggings')
    .select(sql.lit(1).as('one'))
    .where('productTaggings.companyId', '=', companyId)
    .whereRef('productTaggings.itemId', '=', 'items.id');

export type ItemRow = NonNullable<Awaited<ReturnType<typeof items.byId>>[number]>;

export const items = companyList({
  table: 'items',
  one: 'item',
  many: 'items',
  description: "The items of the partner's company that meet all given conditions, in pages.",
  columns: Object.keys(cells) as (keyof typeof cells)[],
  filters: {
    itemType: {
      type: 'enum',
      description: 'Only items of this type.',
      reads: 'allByName',
      condition: (where, type) => where('itemType', '=', type as ItemTypeValue),
    },
    tagged: {
      type: 'boolean',
      description: 'True: only items with a tag. False: only products without a tag.',
      reads: 'all',
      condition(where, isTagged, companyId) {
        const hasTag = where.exists(links(where, companyId));
        return isTagged ? hasTag : where.and([where('itemType', '=', 'product'), where.not(hasTag)]);
      },
    },
    productTagIds: {
      type: 'ids',
      description:
        'Only items with any of these tags, at most 100 (BAD_USER_INPUT otherwise). Unknown tags have no items.',
      reads: 'all',
      condition: (where, tags, companyId) =>
        where.exists(links(where, companyId).where('productTagId', '=', anyOf(tags))),
    },
    exceptProductTagIds: {
      type: 'ids',
      description:
        'Only items with none of these tags, at most 100 (BAD_USER_INPUT otherwise). Unknown tags have no items.',
      reads: 'all',
      // As a join beside that of `tagged`, PostgreSQL would compare all links with all links.
      condition: (where, tags, companyId) =>
        where
          .case()
          .when(where.exists(links(where, companyId).where('productTagId', '=', anyOf(tags))))
          .then(sql.lit(false))
          .else(sql.lit(true))
          .end(),
    },
    updatedAfter: {
      type: 'time',
      description:
        'Only items added or changed after this time. Finds those of the same millisecond again, because responses have no microseconds.',
      reads: 'all',
      // The time decides which index is better. It is safe in the text, because the filter's parser wrote it. The index has `company_id + 0`, so that no other
      // statement uses it in place of the primary key.
      condition: (where, time, companyId) =>
        where.and([
          where(sql`items.company_id + 0`, '=', sql`${companyId}::integer`),
          where('updatedAt', '>', sql<Date>`${sql.lit(time)}::timestamptz ${plannedEachTime}`),
        ]),
    },
  },
  file: {
    columns: snakeCased(cells) as Columns,
    isDeletable: true,
    keyColumn: 'item_type',
    rules: [
      sql`select line, 'item_type', 'the item is tagged, so it stays a product'
        from file
        where item_type <> 'product' and exists (
          select from product_taggings as link where link.company_id = file.company_id and item_id = file.id
        )`,
      // Rejects a file without ids that was imported before.
      sql`select line, null, format('is the same as line %s; to add it, give it an id', first)
        from (
          select line, min(line) over (partition by company_id, item_type, name_en, name_ar) as first
          from file where id is null
        ) as each
        where line > first`,
      sql`select distinct on (line) line, null, format('is the same as item %s; to add it, give it an id', items.id)
        from file join items using (company_id, item_type, name_en, name_ar)
        where file.id is null`,
    ],
  },
});
