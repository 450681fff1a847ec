import type { ExpressionBuilder } from 'kysely';
import { sql } from 'kysely';
import { anyOf } from '../../../platform/database/statement.ts';
import type { Filters } from '../../lists/filters.ts';
import { search } from '../../lists/search.ts';
import type { Tables } from '../../tables.ts';

const links = ({ selectFrom }: ExpressionBuilder<Tables, 'items'>, companyId: number) =>
  selectFrom('productTaggings')
    .select(sql.lit(1).as('one'))
    .where('productTaggings.companyId', '=', companyId)
    .whereRef('productTaggings.itemId', '=', 'items.id');

export const itemFilters = {
  itemType: {
    type: 'itemType',
    description: 'Only items of this type.',
    reads: 'allByName',
    condition: (where, type) => where('itemType', '=', type),
  },
  search,
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
    description: 'Only items that were added or changed after this time.',
    reads: 'all',
    needsValue: true,
    // The time is safe in the text, because the filter's parser wrote it. The index has `company_id + 0`, so that no other
    // statement uses it in place of the primary key.
    condition: (where, time, companyId) =>
      where.and([
        where(sql`items.company_id + 0`, '=', sql`${companyId}::integer`),
        where('updatedAt', '>', sql<Date>`${sql.lit(time)}::timestamptz`),
      ]),
  },
  ids: {
    type: 'ids',
    description:
      'Only items with these ids, at most 100 (BAD_USER_INPUT otherwise), in the order of the list. Unknown ids are ignored.',
    reads: 'given',
    condition: (where, ids) => where('id', '=', anyOf(ids)),
  },
} satisfies Filters<'items'>;
