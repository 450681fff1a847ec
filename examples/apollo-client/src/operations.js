import { gql } from '@apollo/client';

export const Tags = gql`query Tags($search: String, $order: ProductTagOrder!, $after: String) {
  productTags(first: 100, after: $after, search: $search, orderBy: $order) {
    totalCount edges { node { id name nameEn itemCount } } pageInfo { hasNextPage endCursor } } }`;

export const Tag = gql`query Tag($id: Int!, $after: String) {
  productTag(id: $id) { id name nameEn version itemCount }
  items(first: 100, after: $after, itemType: PRODUCT) {
    edges { node { id name hasProductTag(id: $id) } } pageInfo { hasNextPage endCursor } } }`;

const result = 'productTag { id name nameEn version } userErrors { code message }';

export const Create = gql`mutation Create($nameEn: String!, $key: String!) {
  write: createProductTag(input: { nameEn: $nameEn }, idempotencyKey: $key) { ${result} } }`;
export const Rename = gql`mutation Rename($id: Int!, $nameEn: String!, $ifMatch: String!) {
  write: updateProductTag(id: $id, input: { nameEn: $nameEn }, ifMatch: $ifMatch) { ${result} } }`;
export const Add = gql`mutation Add($id: Int!, $itemIds: [Int!]!) {
  write: addProductTagItems(id: $id, itemIds: $itemIds) { ${result} } }`;
export const Remove = gql`mutation Remove($id: Int!, $itemIds: [Int!]!) {
  write: removeProductTagItems(id: $id, itemIds: $itemIds) { ${result} } }`;
export const Delete = gql`mutation Delete($id: Int!) { write: deleteProductTag(id: $id) { userErrors { code message } } }`;
