import type { Kysely } from 'kysely';
import type { AdminLogTable } from './admin-log.ts';
import type { BranchesTable, BranchServicesTable } from './partner/companies/branch.table.ts';
import type { CompaniesTable } from './partner/companies/company.table.ts';
import type { IdempotencyKeysTable } from './partner/idempotency/idempotency-key.table.ts';
import type { ItemsTable } from './partner/items/item.table.ts';
import type { PartnersTable } from './partner/partners/partner.table.ts';
import type { ProductTaggingsTable, ProductTagsTable } from './partner/product-tags/product-tag.table.ts';
import type { PartnerTokensTable } from './partner/tokens/partner-token.table.ts';
import type { CitiesTable } from './reference/cities/city.table.ts';
import type { CountriesTable } from './reference/countries/country.table.ts';
import type { ApplicationsTable, BrandTypesTable, CuisineTypesTable } from './reference/lookups/lookup.table.ts';
import type { ReferenceVersionTable } from './reference/reference-version.table.ts';
import type { ServicesTable } from './reference/services/service.table.ts';
import type { TimezonesTable } from './reference/timezones/timezone.table.ts';

/** Every table by its name, camelCased (the connection's CamelCasePlugin writes snake_case SQL). */
export interface Tables {
  adminLog: AdminLogTable;
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
