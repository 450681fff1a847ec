/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** Values of a new tag. */
export type CreateProductTagInput = {
  /** Products of the partner's company to tag (ITEM_NOT_FOUND, ITEM_NOT_PRODUCT), at most 10,000 (TOO_MANY_ITEMS). Absent or null means none. A repeated id counts once. */
  itemIds?: Array<number> | null | undefined;
  /** Optional Arabic name; the rules of `nameEn` apply. */
  nameAr?: string | null | undefined;
  /** English name: 3 to 50 characters after trimming (INVALID_LENGTH), no control characters (INVALID_CHARACTERS). */
  nameEn: string;
};

/** The type of an item. */
export type ItemType =
  /** A choice within a modifier group. */
  | 'MODIFIER'
  /** A group of modifiers, such as sizes. */
  | 'MODIFIER_GROUP'
  /** Sold by itself. Only products can be tagged. */
  | 'PRODUCT';

/** New values for a tag. */
export type UpdateProductTagInput = {
  /** Products of the partner's company that replace the tag's items (ITEM_NOT_FOUND, ITEM_NOT_PRODUCT), at most 10,000 (TOO_MANY_ITEMS). Absent keeps the items, [] unlinks all, null is rejected (INVALID_TYPE). A repeated id counts once. */
  itemIds?: Array<number> | null | undefined;
  /** Arabic name; the rules of `nameEn` apply. Absent keeps it, null removes it. */
  nameAr?: string | null | undefined;
  /** English name: 3 to 50 characters after trimming (INVALID_LENGTH), no control characters (INVALID_CHARACTERS). Absent keeps it, null is rejected (INVALID_TYPE). */
  nameEn?: string | null | undefined;
};

/** Why a mutation was rejected. */
export type UserErrorCode =
  /** A request with this idempotency key is still in progress: try again in a second. */
  | 'IDEMPOTENCY_KEY_IN_USE'
  /** Another request used this idempotency key in the last 24 hours. */
  | 'IDEMPOTENCY_KEY_REUSED'
  /** A name must have visible characters and no control characters. */
  | 'INVALID_CHARACTERS'
  /** A name must have 3 to 50 characters. */
  | 'INVALID_LENGTH'
  /** The English name or the list cannot be null. */
  | 'INVALID_TYPE'
  /** The partner's company does not have the items of `itemIds`. */
  | 'ITEM_NOT_FOUND'
  /** The items of `itemIds` are not products. */
  | 'ITEM_NOT_PRODUCT'
  /** The partner's company does not have the tag, or the tags of `productTagIds`. */
  | 'PRODUCT_TAG_NOT_FOUND'
  /** More than 10,000 items, in the list or on the tag. */
  | 'TOO_MANY_ITEMS'
  /** The tag has changed since you read it: its version is not `ifMatch`. */
  | 'VERSION_MISMATCH';

export type LookupsQueryVariables = Exact<{ [key: string]: never; }>;


export type LookupsQuery = { brandTypes: Array<{ value: string, name: string }>, weekDays: Array<{ value: string, name: string }> };

export type CountriesQueryVariables = Exact<{ [key: string]: never; }>;


export type CountriesQuery = { countries: Array<{ id: number, name: string, nameEn: string, nameAr: string }> };

export type CitiesQueryVariables = Exact<{
  countryId?: number | null | undefined;
}>;


export type CitiesQuery = { cities: Array<{ id: number, name: string }> };

export type TimezonesQueryVariables = Exact<{ [key: string]: never; }>;


export type TimezonesQuery = { timezones: Array<{ id: number, name: string, utcOffset: string }> };

export type ServicesQueryVariables = Exact<{ [key: string]: never; }>;


export type ServicesQuery = { services: Array<{ id: number, code: string, name: string }> };

export type BranchesQueryVariables = Exact<{ [key: string]: never; }>;


export type BranchesQuery = { partner: { id: number, name: string } | null, company: { id: number, name: string, branches: { nodes: Array<{ id: number, name: string, address: { line: string | null, city: { id: number, name: string }, country: { nameEn: string, nameAr: string, dialCode: string, shortCode: string } }, services: Array<{ id: number, name: string }> }> } } | null };

export type ItemsWithTagsQueryVariables = Exact<{ [key: string]: never; }>;


export type ItemsWithTagsQuery = { items: { nodes: Array<{ id: number, name: string, tags: { nodes: Array<{ id: number, name: string | null }> } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type CreateTagMutationVariables = Exact<{
  input: CreateProductTagInput;
}>;


export type CreateTagMutation = { createProductTag: { productTag: { id: number, name: string | null, itemIds: Array<number> } | null, userErrors: Array<{ code: UserErrorCode, message: string }> } | null };

export type UpdateTagMutationVariables = Exact<{
  id: number;
  input: UpdateProductTagInput;
}>;


export type UpdateTagMutation = { updateProductTag: { productTag: { id: number, name: string | null, itemIds: Array<number> } | null, userErrors: Array<{ code: UserErrorCode, message: string }> } | null };

export type FindItemsQueryVariables = Exact<{
  search?: string | null | undefined;
  tagged?: boolean | null | undefined;
}>;


export type FindItemsQuery = { items: { totalCount: number, nodes: Array<{ id: number, name: string }> } | null };

export type ItemQueryVariables = Exact<{
  itemId: number;
}>;


export type ItemQuery = { item: { id: number, name: string, itemType: ItemType, tags: { nodes: Array<{ id: number, name: string | null }> } } | null };

export type TagQueryVariables = Exact<{
  id: number;
}>;


export type TagQuery = { productTag: { id: number, name: string | null, version: string, itemIds: Array<number> } | null };

export type TagsQueryVariables = Exact<{ [key: string]: never; }>;


export type TagsQuery = { productTags: { totalCount: number, nodes: Array<{ id: number, name: string | null, itemCount: number }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type AddTagItemsMutationVariables = Exact<{
  id: number;
  itemIds: Array<number> | number;
}>;


export type AddTagItemsMutation = { addProductTagItems: { productTag: { id: number, itemIds: Array<number> } | null, userErrors: Array<{ code: UserErrorCode, message: string }> } | null };

export type RemoveTagItemsMutationVariables = Exact<{
  id: number;
  itemIds: Array<number> | number;
}>;


export type RemoveTagItemsMutation = { removeProductTagItems: { productTag: { id: number, itemIds: Array<number> } | null, userErrors: Array<{ code: UserErrorCode, message: string }> } | null };

export type SetItemTagsMutationVariables = Exact<{
  itemId: number;
  productTagIds: Array<number> | number;
}>;


export type SetItemTagsMutation = { setItemTags: { item: { id: number, tags: { nodes: Array<{ id: number, name: string | null }> } } | null, userErrors: Array<{ code: UserErrorCode, message: string, productTagIds: Array<number> | null }> } | null };

export type DeleteTagMutationVariables = Exact<{
  id: number;
}>;


export type DeleteTagMutation = { deleteProductTag: { productTag: { id: number, name: string | null } | null, userErrors: Array<{ code: UserErrorCode, message: string }> } | null };

export type InvalidPageQueryVariables = Exact<{ [key: string]: never; }>;


export type InvalidPageQuery = { lookups: Array<{ name: string }> };

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

export const LookupsDocument = new TypedDocumentString(`
    query Lookups {
  brandTypes: lookups(key: BRAND_TYPES) {
    value
    name
  }
  weekDays: lookups(key: WEEK_DAYS) {
    value
    name
  }
}
    `) as unknown as TypedDocumentString<LookupsQuery, LookupsQueryVariables>;
export const CountriesDocument = new TypedDocumentString(`
    query Countries {
  countries {
    id
    name
    nameEn
    nameAr
  }
}
    `) as unknown as TypedDocumentString<CountriesQuery, CountriesQueryVariables>;
export const CitiesDocument = new TypedDocumentString(`
    query Cities($countryId: Int) {
  cities(countryId: $countryId) {
    id
    name
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
    name
  }
}
    `) as unknown as TypedDocumentString<ServicesQuery, ServicesQueryVariables>;
export const BranchesDocument = new TypedDocumentString(`
    query Branches {
  partner {
    id
    name
  }
  company {
    id
    name
    branches {
      nodes {
        id
        name
        address {
          line
          city {
            id
            name
          }
          country {
            nameEn
            nameAr
            dialCode
            shortCode
          }
        }
        services {
          id
          name
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<BranchesQuery, BranchesQueryVariables>;
export const ItemsWithTagsDocument = new TypedDocumentString(`
    query ItemsWithTags {
  items(first: 100, itemType: PRODUCT) {
    nodes {
      id
      name
      tags {
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
    `) as unknown as TypedDocumentString<ItemsWithTagsQuery, ItemsWithTagsQueryVariables>;
export const CreateTagDocument = new TypedDocumentString(`
    mutation CreateTag($input: CreateProductTagInput!) {
  createProductTag(input: $input) {
    productTag {
      id
      name
      itemIds
    }
    userErrors {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<CreateTagMutation, CreateTagMutationVariables>;
export const UpdateTagDocument = new TypedDocumentString(`
    mutation UpdateTag($id: Int!, $input: UpdateProductTagInput!) {
  updateProductTag(id: $id, input: $input) {
    productTag {
      id
      name
      itemIds
    }
    userErrors {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<UpdateTagMutation, UpdateTagMutationVariables>;
export const FindItemsDocument = new TypedDocumentString(`
    query FindItems($search: String, $tagged: Boolean) {
  items(first: 100, search: $search, tagged: $tagged, orderBy: NAME_EN) {
    totalCount
    nodes {
      id
      name
    }
  }
}
    `) as unknown as TypedDocumentString<FindItemsQuery, FindItemsQueryVariables>;
export const ItemDocument = new TypedDocumentString(`
    query Item($itemId: Int!) {
  item(id: $itemId) {
    id
    name
    itemType
    tags {
      nodes {
        id
        name
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ItemQuery, ItemQueryVariables>;
export const TagDocument = new TypedDocumentString(`
    query Tag($id: Int!) {
  productTag(id: $id) {
    id
    name
    version
    itemIds
  }
}
    `) as unknown as TypedDocumentString<TagQuery, TagQueryVariables>;
export const TagsDocument = new TypedDocumentString(`
    query Tags {
  productTags(first: 100) {
    totalCount
    nodes {
      id
      name
      itemCount
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<TagsQuery, TagsQueryVariables>;
export const AddTagItemsDocument = new TypedDocumentString(`
    mutation AddTagItems($id: Int!, $itemIds: [Int!]!) {
  addProductTagItems(id: $id, itemIds: $itemIds) {
    productTag {
      id
      itemIds
    }
    userErrors {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<AddTagItemsMutation, AddTagItemsMutationVariables>;
export const RemoveTagItemsDocument = new TypedDocumentString(`
    mutation RemoveTagItems($id: Int!, $itemIds: [Int!]!) {
  removeProductTagItems(id: $id, itemIds: $itemIds) {
    productTag {
      id
      itemIds
    }
    userErrors {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<RemoveTagItemsMutation, RemoveTagItemsMutationVariables>;
export const SetItemTagsDocument = new TypedDocumentString(`
    mutation SetItemTags($itemId: Int!, $productTagIds: [Int!]!) {
  setItemTags(itemId: $itemId, productTagIds: $productTagIds) {
    item {
      id
      tags(first: 100) {
        nodes {
          id
          name
        }
      }
    }
    userErrors {
      code
      message
      productTagIds
    }
  }
}
    `) as unknown as TypedDocumentString<SetItemTagsMutation, SetItemTagsMutationVariables>;
export const DeleteTagDocument = new TypedDocumentString(`
    mutation DeleteTag($id: Int!) {
  deleteProductTag(id: $id) {
    productTag {
      id
      name
    }
    userErrors {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<DeleteTagMutation, DeleteTagMutationVariables>;
export const InvalidPageDocument = new TypedDocumentString(`
    query InvalidPage {
  lookups(key: BRAND_TYPES, page: 0) {
    name
  }
}
    `) as unknown as TypedDocumentString<InvalidPageQuery, InvalidPageQueryVariables>;