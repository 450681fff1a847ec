import type { Migration } from 'kysely/migration';
import * as referenceData from './20261121090000_reference_data.ts';
import * as partners from './20261121090100_partners.ts';
import * as productTags from './20261121090200_product_tags.ts';
import * as searchPaths from './20261125090000_search_paths.ts';
import * as searchOrderCounts from './20261125180000_search_order_counts.ts';
import * as searchPunctuation from './20261126090000_search_punctuation.ts';
import * as idsOfOneCompany from './20261126090100_ids_of_one_company.ts';
import * as times from './20261126180000_times.ts';

/** All migrations in order. Never edit a released migration: add a new one. */
export const migrations: Record<string, Migration> = {
  '20261121090000_reference_data': referenceData,
  '20261121090100_partners': partners,
  '20261121090200_product_tags': productTags,
  '20261125090000_search_paths': searchPaths,
  '20261125180000_search_order_counts': searchOrderCounts,
  '20261126090000_search_punctuation': searchPunctuation,
  '20261126090100_ids_of_one_company': idsOfOneCompany,
  '20261126180000_times': times,
};
