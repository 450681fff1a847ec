// For Apollo Client: `new InMemoryCache({ typePolicies })`, and `useMutation(document, { update })` everywhere.

/** A list of pages: `fetchMore({ variables: { after: endCursor } })` adds the next one to `nodes`. */
const pages = {
  keyArgs: (args) => Object.keys(args ?? {}).filter((name) => name !== 'after'),
  merge: (before = {}, page, { args }) => ({
    ...before,
    ...page,
    ...(args?.after && page.nodes && { nodes: [...(before.nodes ?? []), ...page.nodes] }),
  }),
};

export const typePolicies = {
  Query: {
    fields: {
      items: pages,
      productTags: pages,
    },
  },
  // Objects without an id: queries that select different fields of one add to it, such as a list and its number.
  Address: { merge: true },
  BranchConnection: { merge: true },
  ItemConnection: { merge: true },
  ProductTagConnection: { merge: true },
};

/** What a change of a tag or its items can change: lists and numbers, the order of lists by name, and what a search finds. */
const fields = ['items', 'itemCount', 'itemIds', 'productTags', 'tags', 'version'];

/** The `update` of all mutations. Queries on screen that have one of the fields are fetched once more. */
export function update(cache, { data }) {
  const deleted = data?.deleteProductTag?.productTag;
  if (deleted) cache.evict({ id: cache.identify(deleted) });
  for (const id of Object.keys(cache.extract())) for (const fieldName of fields) cache.evict({ id, fieldName });
  cache.gc();
}
