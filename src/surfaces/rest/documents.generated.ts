/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** Values of a new tag. */
export type CreateProductTagInput = {
  /** Products of the partner's company to tag (ITEM_NOT_FOUND, ITEM_NOT_PRODUCT), at most 10,000 (TOO_MANY_ITEMS). Absent means none; null is rejected (INVALID_TYPE). A repeated id counts once. */
  itemIds?: Array<number> | null | undefined;
  /** Optional Arabic name; the rules of `nameEn` apply. */
  nameAr?: string | null | undefined;
  /** English name: 3 to 50 characters after trimming (INVALID_LENGTH), no control characters (INVALID_CHARACTERS). */
  nameEn: string;
};

/** New values for a tag. */
export type UpdateProductTagInput = {
  /** Products of the partner's company that replace the tag's items (ITEM_NOT_FOUND, ITEM_NOT_PRODUCT), at most 10,000 (TOO_MANY_ITEMS). Absent keeps the items, [] unlinks all, null is rejected (INVALID_TYPE). A repeated id counts once. */
  itemIds?: Array<number> | null | undefined;
  /** Arabic name; the rules of `nameEn` apply. Absent keeps it, null removes it. */
  nameAr?: string | null | undefined;
  /** English name: 3 to 50 characters after trimming (INVALID_LENGTH), no control characters (INVALID_CHARACTERS). */
  nameEn: string;
};

export type V1CreateProductTagMutationVariables = Exact<{
  input: CreateProductTagInput;
}>;


export type V1CreateProductTagMutation = { outcome: V1ProductTagOutcomeFragment };

export type V1UpdateProductTagMutationVariables = Exact<{
  id: number;
  input: UpdateProductTagInput;
}>;


export type V1UpdateProductTagMutation = { outcome: V1ProductTagOutcomeFragment };

export type V1ProductTagOutcomeFragment = { productTag: { id: number, name: string | null, version: string, name_en: string, name_ar: string | null, item_ids: Array<number> } | null };

export type V1CountriesQueryVariables = Exact<{ [key: string]: never; }>;


export type V1CountriesQuery = { countries: Array<{ id: number, name: string, name_en: string, name_ar: string }> };

export type V1CitiesQueryVariables = Exact<{
  countryId?: number | null | undefined;
}>;


export type V1CitiesQuery = { cities: Array<{ id: number, name: string, name_en: string, name_ar: string, country_id: number, country: { name_en: string, name_ar: string, dial_code: string, short_code: string } }> };

export type V1TimezonesQueryVariables = Exact<{ [key: string]: never; }>;


export type V1TimezonesQuery = { timezones: Array<{ id: number, name: string, utc_offset: string }> };

export type V1ServicesQueryVariables = Exact<{ [key: string]: never; }>;


export type V1ServicesQuery = { services: Array<{ id: number, code: string, name: string, name_en: string, name_ar: string }> };

export type V1LookupsQueryVariables = Exact<{
  brand_types: number;
  cuisine_types: number;
  services: number;
  applications: number;
}>;


export type V1LookupsQuery = { lookups: { brand_types: Array<V1LookupEntryFragment>, cuisine_types: Array<V1LookupEntryFragment>, services: Array<V1LookupEntryFragment>, applications: Array<V1LookupEntryFragment>, week_days: Array<V1LookupEntryFragment> } };

export type V1LookupEntryFragment = { key: string, value: string, name: string };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}
export const V1ProductTagOutcomeFragmentDoc = new TypedDocumentString(`
    fragment V1ProductTagOutcome on ProductTagPayload {
  productTag {
    id
    name_en: nameEn
    name_ar: nameAr
    name
    item_ids: itemIds
    version
  }
}
    `, {"fragmentName":"V1ProductTagOutcome"}) as unknown as TypedDocumentString<V1ProductTagOutcomeFragment, unknown>;
export const V1LookupEntryFragmentDoc = new TypedDocumentString(`
    fragment V1LookupEntry on LookupEntry {
  key
  value
  name
}
    `, {"fragmentName":"V1LookupEntry"}) as unknown as TypedDocumentString<V1LookupEntryFragment, unknown>;
export const V1CreateProductTagDocument = new TypedDocumentString(`
    mutation V1CreateProductTag($input: CreateProductTagInput!) {
  outcome: createProductTag(input: $input) {
    ...V1ProductTagOutcome
  }
}
    fragment V1ProductTagOutcome on ProductTagPayload {
  productTag {
    id
    name_en: nameEn
    name_ar: nameAr
    name
    item_ids: itemIds
    version
  }
}`) as unknown as TypedDocumentString<V1CreateProductTagMutation, V1CreateProductTagMutationVariables>;
export const V1UpdateProductTagDocument = new TypedDocumentString(`
    mutation V1UpdateProductTag($id: Int!, $input: UpdateProductTagInput!) {
  outcome: updateProductTag(id: $id, input: $input) {
    ...V1ProductTagOutcome
  }
}
    fragment V1ProductTagOutcome on ProductTagPayload {
  productTag {
    id
    name_en: nameEn
    name_ar: nameAr
    name
    item_ids: itemIds
    version
  }
}`) as unknown as TypedDocumentString<V1UpdateProductTagMutation, V1UpdateProductTagMutationVariables>;
export const V1CountriesDocument = new TypedDocumentString(`
    query V1Countries {
  countries {
    id
    name_en: nameEn
    name_ar: nameAr
    name
  }
}
    `) as unknown as TypedDocumentString<V1CountriesQuery, V1CountriesQueryVariables>;
export const V1CitiesDocument = new TypedDocumentString(`
    query V1Cities($countryId: Int) {
  cities(countryId: $countryId) {
    id
    name_en: nameEn
    name_ar: nameAr
    name
    country_id: countryId
    country {
      name_en: nameEn
      name_ar: nameAr
      dial_code: dialCode
      short_code: shortCode
    }
  }
}
    `) as unknown as TypedDocumentString<V1CitiesQuery, V1CitiesQueryVariables>;
export const V1TimezonesDocument = new TypedDocumentString(`
    query V1Timezones {
  timezones {
    id
    name
    utc_offset: utcOffset
  }
}
    `) as unknown as TypedDocumentString<V1TimezonesQuery, V1TimezonesQueryVariables>;
export const V1ServicesDocument = new TypedDocumentString(`
    query V1Services {
  services {
    id
    code
    name_en: nameEn
    name_ar: nameAr
    name
  }
}
    `) as unknown as TypedDocumentString<V1ServicesQuery, V1ServicesQueryVariables>;
export const V1LookupsDocument = new TypedDocumentString(`
    query V1Lookups($brand_types: Int!, $cuisine_types: Int!, $services: Int!, $applications: Int!) {
  lookups {
    brand_types: brandTypes(page: $brand_types) {
      ...V1LookupEntry
    }
    cuisine_types: cuisineTypes(page: $cuisine_types) {
      ...V1LookupEntry
    }
    services(page: $services) {
      ...V1LookupEntry
    }
    applications(page: $applications) {
      ...V1LookupEntry
    }
    week_days: weekDays {
      ...V1LookupEntry
    }
  }
}
    fragment V1LookupEntry on LookupEntry {
  key
  value
  name
}`) as unknown as TypedDocumentString<V1LookupsQuery, V1LookupsQueryVariables>;