// Version 1 of 28 November 2026: /guides/changes says when to copy this file again.

// For urql's document cache: pass one of these as the `context` of a query or mutation. It knows only the types in a response,
// so it cannot know what an empty list or a number counts.

export const ofTags = { additionalTypenames: ['ProductTag'] };

/** Lists of items, with their tags or without, and all mutations. */
export const ofItems = { additionalTypenames: ['Item', 'ProductTag'] };

// For graphcache: `cacheExchange({ keys, updates: { Mutation } })`. Objects change with the response; lists that the mutation may
// have changed are read once more, each page on screen with one request.

const withoutId = () => null;

/** Types without an id. */
export const keys = Object.fromEntries(
  ['Address', 'EmbeddedCountry', 'LookupEntry', 'PageInfo', 'UserError']
    .concat(['Branch', 'Item', 'ProductTag'].flatMap((type) => [`${type}Connection`, `${type}Edge`]))
    .map((type) => [type, withoutId]),
);

export const Mutation = {
  createProductTag: afterwards((cache, { input }, payload) => {
    forget(cache, 'Query', 'productTags');
    if (input.itemIds?.length > 0) forgetLinks(cache, input.itemIds, payload);
  }),
  updateProductTag: afterwards((cache, { id, input }, payload) => {
    forget(cache, 'Query', 'productTags', ({ orderBy, search }) => search != null || /^NAME/.test(orderBy));
    // Which items the tag had is not known.
    if (input.itemIds) forgetLinks(cache, undefined, payload, id);
  }),
  addProductTagItems: afterwards((cache, { id, itemIds }, payload) => forgetLinks(cache, itemIds, payload, id)),
  removeProductTagItems: afterwards((cache, { id, itemIds }, payload) => forgetLinks(cache, itemIds, payload, id)),
  setItemTags: afterwards((cache, { itemId }) => {
    // Which tags the item had is not known.
    for (const name of ['productTags', 'productTag']) forget(cache, 'Query', name);
    forget(cache, { __typename: 'Item', id: itemId }, 'hasProductTag');
    forgetLinks(cache, []);
  }),
  deleteProductTag: afterwards(forgetTag),
};

/**
 * An updater that does nothing for an optimistic response, whose queries would be sent too early, and for a rejected mutation,
 * unless somebody else has changed or deleted the tag.
 */
function afterwards(update) {
  return (result, args, cache, { fieldName, optimistic }) => {
    const payload = result[fieldName];
    if (optimistic || !payload) return;
    const isGone = args.id !== undefined && payload.userErrors?.some(({ code }) => code === 'PRODUCT_TAG_NOT_FOUND');
    if (payload.productTag || payload.item) update(cache, args, payload);
    else if (isGone) forgetTag(cache, args, payload);
    else if (payload.current) {
      forget(cache, 'Query', 'productTags');
      forgetLinks(cache, undefined, payload, args.id);
    }
  };
}

function forgetTag(cache, { id }, payload) {
  cache.invalidate({ __typename: 'ProductTag', id });
  forget(cache, 'Query', 'productTags');
  forgetLinks(cache, undefined, payload);
}

/** Forgets the lists that links of items and tags are in. Without `itemIds` and `changedItems`, all items may have changed. */
function forgetLinks(cache, itemIds, { changedItems } = {}, productTagId) {
  const items = changedItems ?? itemIds?.map((id) => ({ id }));
  forget(cache, 'Query', 'productTags', ({ orderBy }) => orderBy === 'ITEM_COUNT');
  forget(cache, 'Query', 'items', ({ tagged, productTagIds, exceptProductTagIds }) => {
    const conditions = [tagged, productTagIds, exceptProductTagIds];
    return items === undefined || conditions.some((condition) => condition != null);
  });
  if (productTagId !== undefined) forget(cache, { __typename: 'ProductTag', id: productTagId }, 'items');
  for (const item of items ?? []) {
    // The response has the other fields.
    const missing = ['tags', 'hasProductTag'].filter((name) => !(name in item));
    for (const name of missing) forget(cache, { __typename: 'Item', id: item.id }, name);
  }
}

/** Forgets a field of an object, with all arguments that meet a condition. */
function forget(cache, entity, name, isStale = () => true) {
  for (const { fieldName, fieldKey, arguments: args } of cache.inspectFields(entity)) {
    if (fieldName === name && isStale(args ?? {})) cache.invalidate(entity, fieldKey);
  }
}
