/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** What a new tag is. */
export type CreateProductTagInput = {
  /** The products to tag, at most 10,000 (TOO_MANY_ITEMS); none when absent, null is refused (INVALID_TYPE). A repeated id counts once. */
  itemIds?: Array<number> | null | undefined;
  /** Arabic name, 3 to 50 characters (INVALID_LENGTH), or none. */
  nameAr?: string | null | undefined;
  /** English name, 3 to 50 characters after trimming (INVALID_LENGTH). */
  nameEn: string;
};

/** What an item is. */
export type ItemType =
  /** A choice within a modifier group. */
  | 'MODIFIER'
  /** A group of modifiers, such as sizes. */
  | 'MODIFIER_GROUP'
  /** Sold by itself. Only products can be tagged. */
  | 'PRODUCT';

/** What a tag becomes. */
export type UpdateProductTagInput = {
  /** The products that the tag ends up with, exactly, at most 10,000 (TOO_MANY_ITEMS): absent leaves them as they are, [] unlinks all, null is refused (INVALID_TYPE). A repeated id counts once. */
  itemIds?: Array<number> | null | undefined;
  /** Arabic name. Absent leaves it as it is, null unsets it. */
  nameAr?: string | null | undefined;
  /** English name, 3 to 50 characters after trimming (INVALID_LENGTH). */
  nameEn: string;
};

/** Why a mutation was refused. */
export type UserErrorCode =
  /** An idempotency key of a request that is still in progress: try again in a second. */
  | 'IDEMPOTENCY_KEY_IN_USE'
  /** An idempotency key that another request had in the last 24 hours. */
  | 'IDEMPOTENCY_KEY_REUSED'
  /** A name with control characters, or with no visible one. */
  | 'INVALID_CHARACTERS'
  /** A name without 3 to 50 characters. */
  | 'INVALID_LENGTH'
  /** Null where a list was due. */
  | 'INVALID_TYPE'
  /** Items that the partner's company does not have; they are in `itemIds`. */
  | 'ITEM_NOT_FOUND'
  /** Items that are no products; they are in `itemIds`. */
  | 'ITEM_NOT_PRODUCT'
  /** A tag that the partner's company does not have. */
  | 'PRODUCT_TAG_NOT_FOUND'
  /** More than 10,000 items. */
  | 'TOO_MANY_ITEMS'
  /** The tag has another version than `ifMatch` says. */
  | 'VERSION_MISMATCH';

export type CreateProductTagMutationVariables = Exact<{
  input: CreateProductTagInput;
  idempotencyKey?: string | null | undefined;
}>;


export type CreateProductTagMutation = { createProductTag: ProductTagOutcomeFragment };

export type UpdateProductTagMutationVariables = Exact<{
  id: number;
  input: UpdateProductTagInput;
  ifMatch?: string | null | undefined;
}>;


export type UpdateProductTagMutation = { updateProductTag: ProductTagOutcomeFragment };

export type DeleteProductTagMutationVariables = Exact<{
  id: number;
}>;


export type DeleteProductTagMutation = { deleteProductTag: { deletedProductTagId: number | null, userErrors: Array<UserErrorFieldsFragment> } };

export type ProductTagOutcomeFragment = { productTag: { id: number, nameEn: string, nameAr: string | null, name: string | null, itemIds: Array<number>, version: string } | null, userErrors: Array<UserErrorFieldsFragment> };

export type UserErrorFieldsFragment = { code: UserErrorCode, field: Array<string> | null, message: string, itemIds: Array<number> | null };

export type CountriesQueryVariables = Exact<{ [key: string]: never; }>;


export type CountriesQuery = { countries: Array<{ id: number, nameEn: string, nameAr: string, name: string }> };

export type CitiesQueryVariables = Exact<{
  countryId?: number | null | undefined;
}>;


export type CitiesQuery = { cities: Array<{ id: number, nameEn: string, nameAr: string, name: string, countryId: number, country: { nameEn: string, nameAr: string, dialCode: string, shortCode: string } }> };

export type TimezonesQueryVariables = Exact<{ [key: string]: never; }>;


export type TimezonesQuery = { timezones: Array<{ id: number, name: string, utcOffset: string }> };

export type ServicesQueryVariables = Exact<{ [key: string]: never; }>;


export type ServicesQuery = { services: Array<{ id: number, code: string, nameEn: string, nameAr: string, name: string }> };

export type LookupsQueryVariables = Exact<{
  page?: number;
}>;


export type LookupsQuery = { lookups: { brandTypes: Array<LookupEntryFragment>, cuisineTypes: Array<LookupEntryFragment>, services: Array<LookupEntryFragment>, applications: Array<LookupEntryFragment>, weekDays: Array<LookupEntryFragment> } };

export type LookupEntryFragment = { key: string, value: string, name: string };

export type NamesInBothLanguagesQueryVariables = Exact<{ [key: string]: never; }>;


export type NamesInBothLanguagesQuery = { countries: Array<{ nameEn: string, nameAr: string, name: string, english: string, arabic: string }>, cities: Array<{ nameEn: string, nameAr: string, name: string, english: string, arabic: string }>, services: Array<{ nameEn: string, nameAr: string, name: string, english: string, arabic: string }> };

export type ViewerQueryVariables = Exact<{ [key: string]: never; }>;


export type ViewerQuery = { viewer: { partner: { id: number, name: string }, company: { id: number, nameEn: string, nameAr: string, name: string, address: AddressFieldsFragment, branches: Array<{ id: number, nameEn: string, nameAr: string, name: string, address: AddressFieldsFragment, services: Array<{ id: number, code: string }> }> } } };

export type ViewerItemsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  itemType?: ItemType | null | undefined;
}>;


export type ViewerItemsQuery = { viewer: { items: { edges: Array<{ cursor: string, node: { id: number } }>, nodes: Array<{ id: number, itemType: ItemType }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } };

export type ViewerItemQueryVariables = Exact<{
  id: number;
}>;


export type ViewerItemQuery = { viewer: { item: { id: number, itemType: ItemType, nameEn: string, nameAr: string, name: string, tags: Array<{ id: number, nameEn: string, nameAr: string | null, name: string | null, itemIds: Array<number>, items: { nodes: Array<{ id: number }> } }> } | null } };

export type AddressFieldsFragment = { line: string | null, city: { id: number, nameEn: string, countryId: number }, country: { nameEn: string, nameAr: string, dialCode: string, shortCode: string } };

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
export const UserErrorFieldsFragmentDoc = new TypedDocumentString(`
    fragment UserErrorFields on UserError {
  code
  field
  message
  itemIds
}
    `, {"fragmentName":"UserErrorFields"}) as unknown as TypedDocumentString<UserErrorFieldsFragment, unknown>;
export const ProductTagOutcomeFragmentDoc = new TypedDocumentString(`
    fragment ProductTagOutcome on ProductTagPayload {
  productTag {
    id
    nameEn
    nameAr
    name
    itemIds
    version
  }
  userErrors {
    ...UserErrorFields
  }
}
    fragment UserErrorFields on UserError {
  code
  field
  message
  itemIds
}`, {"fragmentName":"ProductTagOutcome"}) as unknown as TypedDocumentString<ProductTagOutcomeFragment, unknown>;
export const LookupEntryFragmentDoc = new TypedDocumentString(`
    fragment LookupEntry on LookupEntry {
  key
  value
  name
}
    `, {"fragmentName":"LookupEntry"}) as unknown as TypedDocumentString<LookupEntryFragment, unknown>;
export const AddressFieldsFragmentDoc = new TypedDocumentString(`
    fragment AddressFields on Address {
  line
  city {
    id
    nameEn
    countryId
  }
  country {
    nameEn
    nameAr
    dialCode
    shortCode
  }
}
    `, {"fragmentName":"AddressFields"}) as unknown as TypedDocumentString<AddressFieldsFragment, unknown>;
export const CreateProductTagDocument = new TypedDocumentString(`
    mutation CreateProductTag($input: CreateProductTagInput!, $idempotencyKey: String) {
  createProductTag(input: $input, idempotencyKey: $idempotencyKey) {
    ...ProductTagOutcome
  }
}
    fragment ProductTagOutcome on ProductTagPayload {
  productTag {
    id
    nameEn
    nameAr
    name
    itemIds
    version
  }
  userErrors {
    ...UserErrorFields
  }
}
fragment UserErrorFields on UserError {
  code
  field
  message
  itemIds
}`) as unknown as TypedDocumentString<CreateProductTagMutation, CreateProductTagMutationVariables>;
export const UpdateProductTagDocument = new TypedDocumentString(`
    mutation UpdateProductTag($id: Int!, $input: UpdateProductTagInput!, $ifMatch: String) {
  updateProductTag(id: $id, input: $input, ifMatch: $ifMatch) {
    ...ProductTagOutcome
  }
}
    fragment ProductTagOutcome on ProductTagPayload {
  productTag {
    id
    nameEn
    nameAr
    name
    itemIds
    version
  }
  userErrors {
    ...UserErrorFields
  }
}
fragment UserErrorFields on UserError {
  code
  field
  message
  itemIds
}`) as unknown as TypedDocumentString<UpdateProductTagMutation, UpdateProductTagMutationVariables>;
export const DeleteProductTagDocument = new TypedDocumentString(`
    mutation DeleteProductTag($id: Int!) {
  deleteProductTag(id: $id) {
    deletedProductTagId
    userErrors {
      ...UserErrorFields
    }
  }
}
    fragment UserErrorFields on UserError {
  code
  field
  message
  itemIds
}`) as unknown as TypedDocumentString<DeleteProductTagMutation, DeleteProductTagMutationVariables>;
export const CountriesDocument = new TypedDocumentString(`
    query Countries {
  countries {
    id
    nameEn
    nameAr
    name
  }
}
    `) as unknown as TypedDocumentString<CountriesQuery, CountriesQueryVariables>;
export const CitiesDocument = new TypedDocumentString(`
    query Cities($countryId: Int) {
  cities(countryId: $countryId) {
    id
    nameEn
    nameAr
    name
    countryId
    country {
      nameEn
      nameAr
      dialCode
      shortCode
    }
  }
}
    `) as unknown as TypedDocumentString<CitiesQuery, CitiesQueryVariables>;
export const TimezonesDocument = new TypedDocumentString(`
    query Timezones {
  timezones {
    id
    name
    utcOffset
  }
}
    `) as unknown as TypedDocumentString<TimezonesQuery, TimezonesQueryVariables>;
export const ServicesDocument = new TypedDocumentString(`
    query Services {
  services {
    id
    code
    nameEn
    nameAr
    name
  }
}
    `) as unknown as TypedDocumentString<ServicesQuery, ServicesQueryVariables>;
export const LookupsDocument = new TypedDocumentString(`
    query Lookups($page: Int! = 1) {
  lookups {
    brandTypes(page: $page) {
      ...LookupEntry
    }
    cuisineTypes(page: $page) {
      ...LookupEntry
    }
    services(page: $page) {
      ...LookupEntry
    }
    applications(page: $page) {
      ...LookupEntry
    }
    weekDays {
      ...LookupEntry
    }
  }
}
    fragment LookupEntry on LookupEntry {
  key
  value
  name
}`) as unknown as TypedDocumentString<LookupsQuery, LookupsQueryVariables>;
export const NamesInBothLanguagesDocument = new TypedDocumentString(`
    query NamesInBothLanguages {
  countries {
    nameEn
    nameAr
    name
    english: name(locale: EN)
    arabic: name(locale: AR)
  }
  cities {
    nameEn
    nameAr
    name
    english: name(locale: EN)
    arabic: name(locale: AR)
  }
  services {
    nameEn
    nameAr
    name
    english: name(locale: EN)
    arabic: name(locale: AR)
  }
}
    `) as unknown as TypedDocumentString<NamesInBothLanguagesQuery, NamesInBothLanguagesQueryVariables>;
export const ViewerDocument = new TypedDocumentString(`
    query Viewer {
  viewer {
    partner {
      id
      name
    }
    company {
      id
      nameEn
      nameAr
      name
      address {
        ...AddressFields
      }
      branches {
        id
        nameEn
        nameAr
        name
        address {
          ...AddressFields
        }
        services {
          id
          code
        }
      }
    }
  }
}
    fragment AddressFields on Address {
  line
  city {
    id
    nameEn
    countryId
  }
  country {
    nameEn
    nameAr
    dialCode
    shortCode
  }
}`) as unknown as TypedDocumentString<ViewerQuery, ViewerQueryVariables>;
export const ViewerItemsDocument = new TypedDocumentString(`
    query ViewerItems($first: Int, $after: String, $itemType: ItemType) {
  viewer {
    items(first: $first, after: $after, itemType: $itemType) {
      edges {
        cursor
        node {
          id
        }
      }
      nodes {
        id
        itemType
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ViewerItemsQuery, ViewerItemsQueryVariables>;
export const ViewerItemDocument = new TypedDocumentString(`
    query ViewerItem($id: Int!) {
  viewer {
    item(id: $id) {
      id
      itemType
      nameEn
      nameAr
      name
      tags {
        id
        nameEn
        nameAr
        name
        itemIds
        items {
          nodes {
            id
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ViewerItemQuery, ViewerItemQueryVariables>;