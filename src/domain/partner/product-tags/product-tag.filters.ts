import type { Filters } from '../../lists/filters.ts';
import { search } from '../../lists/search.ts';

export const productTagFilters = { search } satisfies Filters<'productTags'>;
