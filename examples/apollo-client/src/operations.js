import { gql } from '@apollo/client';

export const Tags = gql`query Tags($search: String, $order: ProductTagOrder!, $after: String) {
  productTags(first: 100, after: $after, search: $search, orderBy: $order) {
    totalCount edges { node { id name nameEn itemCount } } pageInfo { hasNextPage endCursor }
  }
}`;

export const Tag = gql`query Tag($id: Int!) {
  productTag(id: $id) { id name nameEn version itemCount }
  items(first: 100, itemType: PRODUCT) { edges { node { id name hasProductTag(id: $id) } } }
}`;

const mutation = (variables, field, result = 'productTag { id name nameEn version }') =>
  gql(`mutation (${variables}) { write: ${field} { ${result} userErrors { code message } } }`);

export const Create = mutation('$nameEn: String!', 'createProductTag(input: { nameEn: $nameEn })');
export const Rename = mutation(
  '$id: Int!, $nameEn: String!, $ifMatch: String!',
  'updateProductTag(id: $id, input: { nameEn: $nameEn }, ifMatch: $ifMatch)',
);
export const Add = mutation('$id: Int!, $itemIds: [Int!]!', 'addProductTagItems(id: $id, itemIds: $itemIds)');
export const Remove = mutation('$id: Int!, $itemIds: [Int!]!', 'removeProductTagItems(id: $id, itemIds: $itemIds)');
export const Delete = mutation('$id: Int!', 'deleteProductTag(id: $id)', 'deletedProductTagId');
