// For Apollo Client: `new InMemoryCache({ typePolicies })`, and `useMutation(document, { update })`.

/** A list of pages: `fetchMore({ variables: { after: endCursor } })` adds the next one to `nodes`. */
const pages = (...keyArgs) => ({
  keyArgs,
  merge: (before = {}, page, { args }) => ({
    ...before,
    ...page,
    ...(args?.after && page.nodes && { nodes: [...(before.nodes ?? []), ...page.nodes] }),
  }),
});

export const typePolicies = {
  Query: {
    fields: {
      items: pages('orderBy', 'itemType', 'search', 'tagged', 'productTagIds', 'ids'),
      productTags: pages('orderBy', 'search'),
    },
  },
  // Objects without an id: queries that select different fields of one add to it, such as a list and its number.
  Address: { merge: true },
  BranchConnection: { merge: true },
  ItemConnection: { merge: true },
  ProductTagConnection: { merge: true },
};

/**
 * The `update` of a mutation that creates or deletes a tag or changes its items. A change of names needs none, because the
 * cache knows tags by their ids.
 */
export function update(cache, { data }) {
  const deleted = data?.deleteProductTag?.productTag;
  if (deleted) cache.evict({ id: cache.identify(deleted) });
  for (const fieldName of ['productTags', 'items']) cache.evict({ fieldName });
  cache.gc();
}
