/** The caller's token in requests. The page's script replaces it. */
export const tokenMark = 'pp_YOUR_TOKEN';

/**
 * Ids in requests that a response of an earlier request has. The page's script replaces them. They are valid in no request, so
 * that a copied one cannot change somebody's tag.
 */
export const idMarks = ['TAG_ID', 'ITEM_ID', 'ITEM_ID_2'] as const;
export const tagMark = idMarks[0];
