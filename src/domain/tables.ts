import type { ColumnType, Generated, Kysely, RawBuilder } from 'kysely';

/** Every table by its name, camelCased (the connection's CamelCasePlugin writes snake_case SQL). */
export interface Tables {
  adminLog: AdminLogTable;
  applications: ApplicationsTable;
  branches: BranchesTable;
  branchServices: BranchServicesTable;
  brandTypes: NamedTable;
  cities: CitiesTable;
  companies: CompaniesTable;
  countries: CountriesTable;
  cuisineTypes: NamedTable;
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

/** A time that the database sets. */
type SetTime = ColumnType<Date, never, never>;

/** Since when the tokens of a partner, or of a company's partners, are rejected. */
type SuspendedAt = ColumnType<Date | null, never, RawBuilder<Date> | null>;

interface NamedTable {
  id: Generated<number>;
  nameEn: string;
  nameAr: string;
}

export interface CountriesTable extends NamedTable {
  /** ISO 3166-1, two letters. */
  shortCode: string;
  dialCode: string;
}

export interface CitiesTable extends NamedTable {
  code: string;
  countryId: number;
}

export interface TimezonesTable {
  id: Generated<number>;
  /** IANA name. */
  name: string;
}

export interface ServicesTable extends NamedTable {
  code: string;
}

interface ApplicationsTable {
  id: Generated<number>;
  name: string;
}

/** One row; triggers on the tables of reference data raise its version with every change. */
interface ReferenceVersionTable {
  version: ColumnType<number, never, never>;
}

export interface CompaniesTable extends NamedTable {
  addressLine: string | null;
  cityId: number;
  suspendedAt: SuspendedAt;
}

export interface PartnersTable {
  id: Generated<number>;
  name: string;
  defaultCompanyId: number;
  suspendedAt: SuspendedAt;
}

interface PartnerTokensTable {
  id: Generated<number>;
  partnerId: number;
  /** SHA-256 of the token, in hex. */
  tokenHash: string;
  createdAt: SetTime;
  expiresAt: Date | null;
  revokedAt: Date | null;
  /** To the minute: it is written now and then, not with each request. */
  lastUsedAt: Date | null;
}

export interface BranchesTable extends NamedTable {
  companyId: number;
  addressLine: string | null;
  cityId: number;
}

interface BranchServicesTable {
  companyId: number;
  branchId: number;
  serviceId: number;
}

export const itemTypes = ['product', 'modifier_group', 'modifier'] as const;

export type ItemTypeValue = (typeof itemTypes)[number];

export interface ItemsTable extends NamedTable {
  companyId: number;
  itemType: ItemTypeValue;
}

export interface ProductTagsTable {
  id: Generated<number>;
  companyId: number;
  nameEn: string;
  nameAr: string | null;
}

interface ProductTaggingsTable {
  companyId: number;
  productTagId: number;
  itemId: number;
  itemType: Generated<'product'>;
  createdAt: SetTime;
}

export interface IdempotencyKeysTable {
  companyId: number;
  partnerId: number;
  key: string;
  /** SHA-256 of the request, in hex. */
  requestHash: string;
  /** The response to the request, as JSON. */
  answer: ColumnType<unknown, string, string>;
  createdAt: ColumnType<Date, never, Date>;
}

/** Changes that operators made through the command line. */
interface AdminLogTable {
  id: Generated<number>;
  at: SetTime;
  /** Who made the change. */
  actor: string;
  /** The command, without its arguments. */
  command: string;
  details: ColumnType<LogDetails, string, never>;
}

export interface LogDetails {
  arguments: string[];
  options: Record<string, unknown>;
  result: Record<string, unknown>;
}
