/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** Values of a new tag. */
export type CreateProductTagInput = {
  /** Products of the partner's company to tag (ITEM_NOT_FOUND, ITEM_NOT_PRODUCT), at most 10,000 (TOO_MANY_ITEMS). Null or absent: none. Duplicates count once. */
  itemIds?: Array<number> | null | undefined;
  /** Optional Arabic name; the rules of `nameEn` apply. */
  nameAr?: string | null | undefined;
  /** English name: 3 to 50 characters after trimming (INVALID_LENGTH), no control characters (INVALID_CHARACTERS). */
  nameEn: string;
};

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

export type DropdownsQueryVariables = Exact<{ [key: string]: never; }>;


export type DropdownsQuery = { brandTypes: Array<{ value: string, name: string }>, weekDays: Array<{ value: string, name: string }>, countries: Array<{ id: number, name: string }> };

export type ProductsQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type ProductsQuery = { items: { nodes: Array<{ id: number, name: string, tags: { totalCount: number, nodes: Array<{ id: number, name: string | null }> } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type ReadTagQueryVariables = Exact<{
  id: number;
}>;


export type ReadTagQuery = { productTag: { id: number, nameEn: string, nameAr: string | null, itemIds: Array<number>, version: string } | null };

export type CreateTagMutationVariables = Exact<{
  input: CreateProductTagInput;
  idempotencyKey: string;
}>;


export type CreateTagMutation = { createProductTag: { productTag: { id: number, nameEn: string, nameAr: string | null, itemIds: Array<number>, version: string } | null, userErrors: Array<{ code: UserErrorCode, field: Array<string> | null, message: string, itemIds: Array<number> | null }> } | null };

export type UpdateTagMutationVariables = Exact<{
  id: number;
  input: UpdateProductTagInput;
  ifMatch: string;
}>;


export type UpdateTagMutation = { updateProductTag: { productTag: { id: number, nameEn: string, nameAr: string | null, itemIds: Array<number>, version: string } | null, userErrors: Array<{ code: UserErrorCode, field: Array<string> | null, message: string, itemIds: Array<number> | null }> } | null };

export type TagFragment = { id: number, nameEn: string, nameAr: string | null, itemIds: Array<number>, version: string };

export type RejectionFragment = { code: UserErrorCode, field: Array<string> | null, message: string, itemIds: Array<number> | null };

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
export const TagFragmentDoc = new TypedDocumentString(`
    fragment Tag on ProductTag {
  id
  nameEn
  nameAr
  itemIds
  version
}
    `, {"fragmentName":"Tag"}) as unknown as TypedDocumentString<TagFragment, unknown>;
export const RejectionFragmentDoc = new TypedDocumentString(`
    fragment Rejection on UserError {
  code
  field
  message
  itemIds
}
    `, {"fragmentName":"Rejection"}) as unknown as TypedDocumentString<RejectionFragment, unknown>;
export const DropdownsDocument = new TypedDocumentString(`
    query Dropdowns {
  brandTypes: lookups(key: BRAND_TYPES) {
    value
    name
  }
  weekDays: lookups(key: WEEK_DAYS) {
    value
    name
  }
  countries {
    id
    name
  }
}
    `) as unknown as TypedDocumentString<DropdownsQuery, DropdownsQueryVariables>;
export const ProductsDocument = new TypedDocumentString(`
    query Products($after: String) {
  items(first: 100, after: $after, itemType: PRODUCT) {
    nodes {
      id
      name
      tags {
        totalCount
        nodes {
          id
          name
        }
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<ProductsQuery, ProductsQueryVariables>;
export const ReadTagDocument = new TypedDocumentString(`
    query ReadTag($id: Int!) {
  productTag(id: $id) {
    ...Tag
  }
}
    fragment Tag on ProductTag {
  id
  nameEn
  nameAr
  itemIds
  version
}`) as unknown as TypedDocumentString<ReadTagQuery, ReadTagQueryVariables>;
export const CreateTagDocument = new TypedDocumentString(`
    mutation CreateTag($input: CreateProductTagInput!, $idempotencyKey: String!) {
  createProductTag(input: $input, idempotencyKey: $idempotencyKey) {
    productTag {
      ...Tag
    }
    userErrors {
      ...Rejection
    }
  }
}
    fragment Tag on ProductTag {
  id
  nameEn
  nameAr
  itemIds
  version
}
fragment Rejection on UserError {
  code
  field
  message
  itemIds
}`) as unknown as TypedDocumentString<CreateTagMutation, CreateTagMutationVariables>;
export const UpdateTagDocument = new TypedDocumentString(`
    mutation UpdateTag($id: Int!, $input: UpdateProductTagInput!, $ifMatch: String!) {
  updateProductTag(id: $id, input: $input, ifMatch: $ifMatch) {
    productTag {
      ...Tag
    }
    userErrors {
      ...Rejection
    }
  }
}
    fragment Tag on ProductTag {
  id
  nameEn
  nameAr
  itemIds
  version
}
fragment Rejection on UserError {
  code
  field
  message
  itemIds
}`) as unknown as TypedDocumentString<UpdateTagMutation, UpdateTagMutationVariables>;