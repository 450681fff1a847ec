import { listCities } from './cities.ts';
import { listCountries } from './countries.ts';
import { listLookups } from './lookups.ts';
import type { Operation } from './operation.ts';
import { createProductTag, updateProductTag } from './product-tags.ts';
import { listServices } from './services.ts';
import { listTimezones } from './timezones.ts';

/** Every route of v1: what is served and what is described are the same list. */
export const operations: readonly Operation[] = [
  listLookups,
  listCountries,
  listCities,
  listTimezones,
  listServices,
  createProductTag,
  updateProductTag,
];
