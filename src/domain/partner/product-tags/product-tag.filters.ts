import { sql } from 'kysely';
import { anyOf } from '../../../platform/database/statement.ts';
import type { Filters } from '../../lists/filters.ts';
import { search } from '../../lists/search.ts';

export const productTagFilters = {
  search,
  updatedAfter: {
    type: 'time',
    description: 'Only tags that were created, or whose names or items changed, after this time.',
    reads: 'all',
    condition: (where, time) => where('updatedAt', '>', sql<Date>`${time}::timestamptz`),
  },
  ids: {
    type: 'ids',
    description:
      'Only tags with these ids, at most 100 (BAD_USER_INPUT otherwise), in the order of the list. Unknown ids are ignored.',
    reads: 'given',
    condition: (where, ids) => where('id', '=', anyOf(ids)),
  },
} satisfies Filters<'productTags'>;
