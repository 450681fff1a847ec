// Placeholders in requests, which the page replaces by the reader's values.
export const originPlaceholder = 'http://127.0.0.1:4000';
export const tokenPlaceholder = 'pp_YOUR_TOKEN';
// Not valid ids, so that a copied request cannot change somebody's tag.
export const idPlaceholders = ['TAG_ID', 'ITEM_ID', 'ITEM_ID_2'] as const;
export const tagIdPlaceholder = idPlaceholders[0];
