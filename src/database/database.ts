import type { Kysely } from 'kysely';
import type { PartnerTokensTable } from '../auth/partner-token.table.ts';
import type { CitiesTable } from '../cities/city.table.ts';
import type { BranchesTable, BranchServicesTable } from '../companies/branch.table.ts';
import type { CompaniesTable } from '../companies/company.table.ts';
import type { CountriesTable } from '../countries/country.table.ts';
import type { IdempotencyKeysTable } from '../idempotency/idempotency-key.table.ts';
import type { ItemsTable } from '../items/item.table.ts';
import type { ApplicationsTable, BrandTypesTable, CuisineTypesTable } from '../lookups/lookup.table.ts';
import type { PartnersTable } from '../partners/partner.table.ts';
import type { ProductTaggingsTable, ProductTagsTable } from '../product-tags/product-tag.table.ts';
import type { ReferenceVersionTable } from '../reference-data/reference-version.table.ts';
import type { ServicesTable } from '../services/service.table.ts';
import type { TimezonesTable } from '../timezones/timezone.table.ts';

/** Every table by its name, camelCased (the connection's CamelCasePlugin writes snake_case SQL). */
export interface Tables {
  applications: ApplicationsTable;
  branches: BranchesTable;
  branchServices: BranchServicesTable;
  brandTypes: BrandTypesTable;
  cities: CitiesTable;
  companies: CompaniesTable;
  countries: CountriesTable;
  cuisineTypes: CuisineTypesTable;
  idempotencyKeys: IdempotencyKeysTable;
  items: ItemsTable;
  partners: PartnersTable;
  partnerTokens: PartnerTokensTable;
  productTaggings: ProductTaggingsTable;
  productTags: ProductTagsTable;
  referenceVersion: ReferenceVersionTable;
  services: ServicesTable;
  timezones: TimezonesTable;
}

/** A connection pool or a transaction: queries take either. */
export type Database = Kysely<Tables>;
