import { gql } from '@apollo/client';

export const Tags = gql`
  query Tags($first: Int = 25, $after: String, $search: String, $order: ProductTagOrder!) {
    productTags(first: $first, after: $after, search: $search, orderBy: $order) {
      totalCount
      nodes { id name itemCount }
      pageInfo { hasNextPage endCursor }
    }
  }
`;

export const Tag = gql`
  query Tag($id: Int!) {
    productTag(id: $id) { id name nameEn version itemCount }
  }
`;

export const Products = gql`
  query Products($tag: Int!, $first: Int = 25, $after: String) {
    items(first: $first, after: $after, itemType: PRODUCT) {
      nodes { id name hasProductTag(id: $tag) }
      pageInfo { hasNextPage endCursor }
    }
  }
`;

export const Create = gql`
  mutation Create($input: CreateProductTagInput!, $key: String) {
    createProductTag(input: $input, idempotencyKey: $key) {
      productTag { id name nameEn version itemCount }
      changedItems { id }
      replayed
      userErrors { code message }
    }
  }
`;

export const Rename = gql`
  mutation Rename($id: Int!, $input: UpdateProductTagInput!, $ifMatch: String) {
    updateProductTag(id: $id, input: $input, ifMatch: $ifMatch) {
      productTag { id name nameEn version itemCount }
      current { id name nameEn version itemCount }
      userErrors { code message }
    }
  }
`;

export const Tick = gql`
  mutation Tick($id: Int!, $itemIds: [Int!]!) {
    addProductTagItems(id: $id, itemIds: $itemIds) {
      productTag { id name nameEn version itemCount }
      changedItems { id hasProductTag(id: $id) }
      userErrors { code message }
    }
  }
`;

export const Untick = gql`
  mutation Untick($id: Int!, $itemIds: [Int!]!) {
    removeProductTagItems(id: $id, itemIds: $itemIds) {
      productTag { id name nameEn version itemCount }
      changedItems { id hasProductTag(id: $id) }
      userErrors { code message }
    }
  }
`;

export const Delete = gql`
  mutation Delete($id: Int!) {
    deleteProductTag(id: $id) {
      productTag { id }
      changedItems { id hasProductTag(id: $id) }
      userErrors { code message }
    }
  }
`;
