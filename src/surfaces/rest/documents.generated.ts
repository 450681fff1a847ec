/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
/** Values of a new tag. */
export type CreateProductTagInput = {
  /** Products of the partner's company to tag (ITEM_NOT_FOUND, ITEM_NOT_PRODUCT), at most 10,000 (TOO_MANY_ITEMS). Null or absent: none. Duplicates count once. */
  itemIds?: Array<number> | null | undefined;
  /** Optional Arabic name; the rules of `nameEn` apply. */
  nameAr?: string | null | undefined;
  /** English name: 3 to 50 characters after trimming (INVALID_LENGTH), no control characters (INVALID_CHARACTERS). */
  nameEn: string;
};

/** A list for dropdowns. */
export type LookupKey =
  /** Partner applications of the platform; never translated. */
  | 'APPLICATIONS'
  /** Brand types assignable to a brand. */
  | 'BRAND_TYPES'
  /** Cuisine types assignable to a brand. */
  | 'CUISINE_TYPES'
  /** Services a branch can offer. */
  | 'SERVICES'
  /** The seven days of the week, from Sunday, for opening hours. */
  | 'WEEK_DAYS';

/** New values for a tag. */
export type UpdateProductTagInput = {
  /** Products of the partner's company that replace the tag's items (ITEM_NOT_FOUND, ITEM_NOT_PRODUCT), at most 10,000 (TOO_MANY_ITEMS); duplicates count once. Absent: unchanged. [] removes all. Null is rejected (INVALID_TYPE). */
  itemIds?: Array<number> | null | undefined;
  /** Arabic name; the rules of `nameEn` apply. Absent: unchanged. Null removes it. */
  nameAr?: string | null | undefined;
  /** English name: 3 to 50 characters after trimming (INVALID_LENGTH), no control characters (INVALID_CHARACTERS). Absent: unchanged. Null is rejected (INVALID_TYPE). */
  nameEn?: string | null | undefined;
};

/** Why a mutation was rejected. */
export type UserErrorCode =
  /** A name must have visible characters and no control characters. */
  | 'INVALID_CHARACTERS'
  /** A name must have 3 to 50 characters. */
  | 'INVALID_LENGTH'
  /** `nameEn` and `itemIds` cannot be null. */
  | 'INVALID_TYPE'
  /** The partner's company has no items with the ids in `itemIds`. */
  | 'ITEM_NOT_FOUND'
  /** The items in `itemIds` are not products. */
  | 'ITEM_NOT_PRODUCT'
  /** The partner's company has no tag with this id. */
  | 'PRODUCT_TAG_NOT_FOUND'
  /** More than 10,000 items, in the list or on the tag. */
  | 'TOO_MANY_ITEMS'
  /** The tag has changed since you read it: its version is not `ifMatch`. */
  | 'VERSION_MISMATCH';

export type V1CreateProductTagMutationVariables = Exact<{
  input: CreateProductTagInput;
}>;


export type V1CreateProductTagMutation = { payload: { replayed: boolean, productTag: V1ProductTagFragment | null, userErrors: Array<V1UserErrorFragment> } | null };

export type V1UpdateProductTagMutationVariables = Exact<{
  id: number;
  input: UpdateProductTagInput;
}>;


export type V1UpdateProductTagMutation = { payload: { productTag: V1ProductTagFragment | null, userErrors: Array<V1UserErrorFragment> } | null };

export type V1ProductTagFragment = { id: number, name: string | null, version: string, name_en: string, name_ar: string | null, item_ids: Array<number> };

export type V1UserErrorFragment = { code: UserErrorCode, field: Array<string> | null, itemIds: Array<number> | null };

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

export type V1LookupQueryVariables = Exact<{
  key: LookupKey;
  page: number;
}>;


export type V1LookupQuery = { lookups: Array<{ key: string, value: string, name: string }> };

export const V1ProductTagFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"V1ProductTag"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProductTag"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","alias":{"kind":"Name","value":"name_en"},"name":{"kind":"Name","value":"nameEn"}},{"kind":"Field","alias":{"kind":"Name","value":"name_ar"},"name":{"kind":"Name","value":"nameAr"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","alias":{"kind":"Name","value":"item_ids"},"name":{"kind":"Name","value":"itemIds"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}}]} as unknown as DocumentNode<V1ProductTagFragment, unknown>;
export const V1UserErrorFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"V1UserError"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"field"}},{"kind":"Field","name":{"kind":"Name","value":"itemIds"}}]}}]} as unknown as DocumentNode<V1UserErrorFragment, unknown>;
export const V1CreateProductTagDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"V1CreateProductTag"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateProductTagInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"payload"},"name":{"kind":"Name","value":"createProductTag"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"productTag"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"V1ProductTag"}}]}},{"kind":"Field","name":{"kind":"Name","value":"replayed"}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"V1UserError"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"V1ProductTag"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProductTag"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","alias":{"kind":"Name","value":"name_en"},"name":{"kind":"Name","value":"nameEn"}},{"kind":"Field","alias":{"kind":"Name","value":"name_ar"},"name":{"kind":"Name","value":"nameAr"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","alias":{"kind":"Name","value":"item_ids"},"name":{"kind":"Name","value":"itemIds"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"V1UserError"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"field"}},{"kind":"Field","name":{"kind":"Name","value":"itemIds"}}]}}]} as unknown as DocumentNode<V1CreateProductTagMutation, V1CreateProductTagMutationVariables>;
export const V1UpdateProductTagDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"V1UpdateProductTag"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UpdateProductTagInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"payload"},"name":{"kind":"Name","value":"updateProductTag"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"productTag"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"V1ProductTag"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"V1UserError"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"V1ProductTag"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProductTag"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","alias":{"kind":"Name","value":"name_en"},"name":{"kind":"Name","value":"nameEn"}},{"kind":"Field","alias":{"kind":"Name","value":"name_ar"},"name":{"kind":"Name","value":"nameAr"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","alias":{"kind":"Name","value":"item_ids"},"name":{"kind":"Name","value":"itemIds"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"V1UserError"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"field"}},{"kind":"Field","name":{"kind":"Name","value":"itemIds"}}]}}]} as unknown as DocumentNode<V1UpdateProductTagMutation, V1UpdateProductTagMutationVariables>;
export const V1CountriesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"V1Countries"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"countries"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","alias":{"kind":"Name","value":"name_en"},"name":{"kind":"Name","value":"nameEn"}},{"kind":"Field","alias":{"kind":"Name","value":"name_ar"},"name":{"kind":"Name","value":"nameAr"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]} as unknown as DocumentNode<V1CountriesQuery, V1CountriesQueryVariables>;
export const V1CitiesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"V1Cities"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"countryId"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cities"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"countryId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"countryId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","alias":{"kind":"Name","value":"name_en"},"name":{"kind":"Name","value":"nameEn"}},{"kind":"Field","alias":{"kind":"Name","value":"name_ar"},"name":{"kind":"Name","value":"nameAr"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","alias":{"kind":"Name","value":"country_id"},"name":{"kind":"Name","value":"countryId"}},{"kind":"Field","name":{"kind":"Name","value":"country"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"name_en"},"name":{"kind":"Name","value":"nameEn"}},{"kind":"Field","alias":{"kind":"Name","value":"name_ar"},"name":{"kind":"Name","value":"nameAr"}},{"kind":"Field","alias":{"kind":"Name","value":"dial_code"},"name":{"kind":"Name","value":"dialCode"}},{"kind":"Field","alias":{"kind":"Name","value":"short_code"},"name":{"kind":"Name","value":"shortCode"}}]}}]}}]}}]} as unknown as DocumentNode<V1CitiesQuery, V1CitiesQueryVariables>;
export const V1TimezonesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"V1Timezones"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"timezones"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","alias":{"kind":"Name","value":"utc_offset"},"name":{"kind":"Name","value":"utcOffset"}}]}}]}}]} as unknown as DocumentNode<V1TimezonesQuery, V1TimezonesQueryVariables>;
export const V1ServicesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"V1Services"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"services"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","alias":{"kind":"Name","value":"name_en"},"name":{"kind":"Name","value":"nameEn"}},{"kind":"Field","alias":{"kind":"Name","value":"name_ar"},"name":{"kind":"Name","value":"nameAr"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]} as unknown as DocumentNode<V1ServicesQuery, V1ServicesQueryVariables>;
export const V1LookupDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"V1Lookup"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"key"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"LookupKey"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"page"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"lookups"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"key"},"value":{"kind":"Variable","name":{"kind":"Name","value":"key"}}},{"kind":"Argument","name":{"kind":"Name","value":"page"},"value":{"kind":"Variable","name":{"kind":"Name","value":"page"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]} as unknown as DocumentNode<V1LookupQuery, V1LookupQueryVariables>;