// For Apollo Client 4:
//   const http = new HttpLink({ uri, headers, fetch: fetchOrThrow });
//   const link = ApolloLink.from([new ApolloLink(newest), new RetryLink(retry), http]);
//   const client = new ApolloClient({ link, cache: new InMemoryCache({ typePolicies }) });
//   client.defaultOptions = { mutate: mutateOptions(client) };
import { valueFromASTUntyped } from 'graphql';
import { defer, mergeMap, of, tap } from 'rxjs';

/** The page that the service returns without `first`, and the longest one. */
const pageLength = { default: 25, max: 100 };

/** A list of pages. Queries with the same conditions share it, whatever their `first`. */
const pages = {
  keyArgs: (args) => Object.keys(args ?? {}).filter((name) => !['first', 'after'].includes(name) && args[name] != null),
  read: (list, { canRead }) => list && withoutDeleted(list, canRead),
  merge(existing = {}, page, { args, canRead }) {
    const list = withoutDeleted(existing, canRead);
    const merged = { ...list, ...page };
    for (const name of ['nodes', 'edges'].filter((each) => page[each])) {
      const [rows, incoming] = [list[name] ?? [], page[name]];
      const keys = new Set(incoming.map(keyOf));
      const isOther = (row) => !keys.has(keyOf(row));
      const start = args?.after ? endOf(rows, list.ends?.[args.after], rows.length) : 0;
      // A page that is read once more leaves the rows after it on screen.
      const hasMore = page.pageInfo?.hasNextPage ?? incoming.length >= (args?.first ?? pageLength.default);
      const end = endOf(rows, keyOf(incoming.at(-1)), start + incoming.length);
      const rest = hasMore ? rows.slice(Math.max(start, end)).filter(isOther) : [];
      merged[name] = [...rows.slice(0, start).filter(isOther), ...incoming, ...rest];
      if (page.pageInfo === undefined) continue;
      // Rows may have moved since the cursors of an older list, except for the one that the next page begins at.
      const ends = args?.after ? list.ends : rest.length > 0 && { [list.pageInfo?.endCursor]: keyOf(rest.at(-1)) };
      merged.ends = { ...ends, [page.pageInfo.endCursor]: keyOf(incoming.at(-1)) };
      const { hasPreviousPage, startCursor } = (start > 0 && list.pageInfo) || page.pageInfo;
      const { hasNextPage, endCursor } = (rest.length > 0 && list.pageInfo) || page.pageInfo;
      merged.pageInfo = { ...page.pageInfo, hasPreviousPage, startCursor, hasNextPage, endCursor };
    }
    return merged;
  },
};

export const typePolicies = {
  Query: {
    fields: {
      items: pages,
      productTags: pages,
      // A deleted tag.
      productTag: { read: (tag, { canRead }) => (tag && !canRead(tag) ? null : tag) },
    },
  },
  ProductTag: { fields: { items: pages } },
  Item: { fields: { tags: pages } },
  Company: { fields: { branches: pages } },
  // It has no id: queries that select different fields of it add to it.
  Address: { merge: true },
};

/** Set by `update`, for what Apollo Client calls next: whether only the service knows a field of a query. */
let isUnknown = () => false;

/**
 * The `update` of all mutations. The response itself changes the objects in the cache; this adds and removes tags in lists.
 * It suits optimistic responses too, because every query on screen stays complete.
 */
export function update(cache, { data }, { variables }) {
  const isGone = Object.entries(data ?? {}).some(([name, payload]) => name !== 'setItemTags' && isNotFound(payload));
  const gone = { productTag: { __typename: 'ProductTag', id: variables?.id } };
  const payloads = isGone ? { deleteProductTag: gone } : (data ?? {});
  const { createProductTag: created, deleteProductTag: deleted, setItemTags: set, ...others } = payloads;
  const written = Object.values(others).filter((payload) => payload?.productTag);
  // Whether a list counts a tag that somebody else has deleted depends on when it was read.
  const isPlaced =
    (!created?.productTag || addTag(cache, created)) && (!deleted?.productTag || removeTag(cache, deleted)) && !isGone;
  // Somebody else has deleted the tag, or changed its names, its items, or both.
  const isConflict = isGone || [deleted, ...Object.values(others)].some((payload) => payload?.current);
  const isRenamed = isConflict || created?.productTag || payloads.updateProductTag?.productTag;
  // An update that changes items has to select `changedItems`; one without it is taken for a change of names.
  const relinked = [created, deleted, ...written].filter(
    (payload) =>
      payload?.productTag &&
      payload.changedItems?.length !== 0 &&
      (payload !== payloads.updateProductTag || payload.changedItems !== undefined),
  );
  const isRelinked = isConflict || set?.item || relinked.length > 0;
  const fields = new Set([
    ...(isConflict ? ['items', 'tags', 'hasProductTag', 'itemIds'] : []),
    // The items of a tag that has been added to some or removed from them.
    ...(set?.item || relinked.some((payload) => written.includes(payload)) ? ['items'] : []),
    // Fields of items that are not in the response.
    ...['tags', 'hasProductTag'].filter((name) =>
      relinked.some((payload) => payload !== deleted && !payload.changedItems?.every((item) => name in item)),
    ),
    // The tags that an item has lost are not in the response.
    ...(set?.item ? ['hasProductTag', 'itemCount', 'itemIds', 'version'] : []),
  ]);
  isUnknown = ({ name, args, isRoot }) => {
    const has = (...conditions) => conditions.some((condition) => args[condition] != null);
    if (isRoot && name === 'items') return isRelinked && has('tagged', 'productTagIds', 'exceptProductTagIds');
    if (!isRoot || name !== 'productTags') return fields.has(name);
    if (!isPlaced || has('updatedAfter') || (isRelinked && args.orderBy === 'ITEM_COUNT')) return true;
    return isRenamed && (has('search') || /^NAME/.test(args.orderBy));
  };
  // Calls `onQueryUpdated` for every query on screen, because lists change that do not show the tag.
  cache.modify({ fields: (_value, { INVALIDATE }) => INVALIDATE });
}

/** The options of all mutations of a client: `update`, and what reads lists that only the service knows once more. */
export function mutateOptions(client) {
  /** By document and variables: whether to read it once more after the present request. */
  const reloads = new WeakMap();

  function onQueryUpdated(query) {
    const running = reloads.get(query.query) ?? new Map();
    reloads.set(query.query, running);
    const key = JSON.stringify(query.variables);
    // The first of its pages may be older than the mutation.
    if (running.has(key)) running.set(key, true);
    else if ([...fieldsIn(query.query, query.variables)].some(isUnknown)) void reload(query, running, key);
  }

  async function reload(query, running, key) {
    do {
      running.set(key, true);
      // Other components with the same query come here now.
      await null;
      running.set(key, false);
      await readAll(client, query).catch(() => refetch(query));
    } while (running.get(key));
    running.delete(key);
  }

  return {
    update(cache, result, options) {
      update(cache, result, options);
      forgetHidden(client, cache);
    },
    onQueryUpdated,
  };
}

/** The last resort, whose failure shows on screen. It reads the first page, and leaves the other rows as they are. */
async function refetch(query) {
  const { refetchWritePolicy } = query.options;
  query.options.refetchWritePolicy = 'merge';
  const reading = query.refetch();
  query.options.refetchWritePolicy = refetchWritePolicy;
  await reading.catch(() => {});
}

/** Reads everything on screen once more, with all pages: `client.refetchQueries` would leave the first page of each list. */
export async function readScreen(client) {
  await Promise.all([...client.getObservableQueries('active')].map((query) => readAll(client, query)));
}

/** Forgets lists that only the service knows and that are not on screen, so that they are read when they come back. */
function forgetHidden(client, cache) {
  const conditions = (args) => Object.fromEntries(pages.keyArgs(args).map((each) => [each, args[each]]));
  const keyOfList = (name, args) => JSON.stringify([name, ...Object.entries(conditions(args)).toSorted()]);
  const queries = [...client.getObservableQueries('active')];
  const fields = queries.flatMap(({ query, variables }) => [...fieldsIn(query, variables)]);
  const lists = fields.filter(({ isRoot }) => isRoot);
  const shown = new Set(lists.map(({ name, args }) => keyOfList(name, args)));
  const forget = (list, { fieldName: name, storeFieldName, DELETE }) => {
    const args = conditionsOf(storeFieldName);
    return isUnknown({ name, args, isRoot: true }) && !shown.has(keyOfList(name, args)) ? DELETE : list;
  };
  cache.modify({ fields: { items: forget, productTags: forget } });
}

/**
 * Reads a query once more, with all pages on screen: in one request for each hundred rows. Its variables are `first` and
 * `after`. It does not use `fetchMore`, which hides changes of the cache from the screen until it ends.
 */
async function readAll(client, shownQuery) {
  const { query, variables } = shownQuery;
  const [list] = listsIn(shownQuery.getCurrentResult().data);
  // A list that is on screen as a whole stays so. Often, one more row follows.
  const isWhole = list?.pageInfo?.hasNextPage === false;
  const shown = list ? rowsOf(list).length + (isWhole ? 1 : 0) : 0;
  let missing = Math.max(shown, variables.first ?? pageLength.default);
  let after = null;
  do {
    const page = { ...variables, first: missing > 0 ? Math.min(missing, pageLength.max) : pageLength.default, after };
    const { data } = await client.query({ query, variables: page, fetchPolicy: 'no-cache' });
    client.writeQuery({ query, variables: page, data });
    const [read] = listsIn(data);
    missing -= read ? rowsOf(read).length : missing;
    after = read?.pageInfo?.hasNextPage ? read.pageInfo.endCursor : null;
  } while ((missing > 0 || isWhole) && after);
}

function addTag(cache, { productTag, replayed }) {
  const __ref = cache.identify(productTag);
  let isPlaced = !replayed;
  const productTags = (list, { storeFieldName }) => {
    const { orderBy = 'ID', reverse = false, ...conditions } = conditionsOf(storeFieldName);
    // These lists are read once more.
    if (orderBy !== 'ID' || Object.keys(conditions).length > 0) return list;
    const isWhole = list.pageInfo?.hasNextPage === false;
    isPlaced &&= !list.edges && (!list.nodes || list.pageInfo !== undefined);
    // The newest tag has the greatest id.
    const nodes =
      list.nodes && (reverse ? [{ __ref }, ...list.nodes] : [...list.nodes, ...(isWhole ? [{ __ref }] : [])]);
    return isPlaced ? { ...list, ...(nodes && { nodes }), ...countOf(list, 1) } : list;
  };
  cache.modify({ fields: { productTags } });
  return isPlaced;
}

function removeTag(cache, { productTag }) {
  const id = cache.identify(productTag);
  let isPlaced = true;
  const productTags = (list, { storeFieldName }) => {
    const { orderBy, reverse, ...conditions } = conditionsOf(storeFieldName);
    const isShown = rowsOf(list).some((row) => keyOf(row) === id);
    // A tag of another page may or may not meet the conditions.
    if (!isShown && Object.keys(conditions).length > 0) isPlaced &&= list.pageInfo?.hasNextPage === false;
    // `read` counts those that it leaves out.
    return isShown || Object.keys(conditions).length > 0 ? list : { ...list, ...countOf(list, -1) };
  };
  cache.modify({ fields: { productTags } });
  cache.evict({ id });
  return isPlaced;
}

/** The list without rows that have been deleted from the cache. */
function withoutDeleted(list, canRead) {
  const isThere = (row) => canRead(row.node ?? row);
  const deleted = rowsOf(list).filter((row) => !isThere(row)).length;
  if (deleted === 0) return list;
  const { nodes, edges } = list;
  const rows = { ...(nodes && { nodes: nodes.filter(isThere) }), ...(edges && { edges: edges.filter(isThere) }) };
  return { ...list, ...rows, ...countOf(list, -deleted) };
}

const isNotFound = (payload) => payload?.userErrors?.some(({ code }) => code === 'PRODUCT_TAG_NOT_FOUND');

const rowsOf = ({ nodes, edges }) => nodes ?? edges ?? [];

const keyOf = (row) => row?.__ref ?? row?.node?.__ref;

const countOf = ({ totalCount }, more) => (totalCount === undefined ? {} : { totalCount: totalCount + more });

/** The number of rows up to the one with a key, or `otherwise`. */
function endOf(rows, key, otherwise) {
  return rows.findIndex((row) => key !== undefined && keyOf(row) === key) + 1 || otherwise;
}

/** The conditions in the cache's name of a list, such as `productTags:{"orderBy":"NAME_EN"}`. */
function conditionsOf(storeFieldName) {
  return JSON.parse(storeFieldName.replace(/^\w+:?/, '') || '{}');
}

/** The lists of the data of a query that are not inside other lists. */
function listsIn(data) {
  const objects = Object.values(data ?? {}).filter(
    (value) => value && typeof value === 'object' && !Array.isArray(value),
  );
  return objects.flatMap((value) => (value.nodes || value.edges ? [value] : listsIn(value)));
}

/** The fields of a query, with the values of their arguments. */
function* fieldsIn(document, variables, selectionSet = operationOf(document).selectionSet, isRoot = true) {
  for (const selection of selectionSet.selections) {
    const { kind, name, arguments: args = [], selectionSet: inner } = selection;
    if (kind === 'Field') {
      const values = args.map(({ name: { value: each }, value }) => [each, valueFromASTUntyped(value, variables)]);
      yield { name: name.value, args: Object.fromEntries(values), isRoot };
      if (inner) yield* fieldsIn(document, variables, inner, false);
    } else {
      const fragments = document.definitions.filter((each) => each.kind === 'FragmentDefinition');
      const fragment = fragments.find((each) => each.name.value === name?.value) ?? selection;
      yield* fieldsIn(document, variables, fragment.selectionSet, isRoot);
    }
  }
}

const operationOf = ({ definitions }) => definitions.find(({ kind }) => kind === 'OperationDefinition');

/** Mutations that have ended. */
let ended = 0;

/** `new ApolloLink(newest)`: a query whose response arrives after a mutation has ended may be older, so it is sent once more. */
export function newest(operation, forward) {
  const count = () => {
    ended += 1;
  };
  if (operation.operationType === 'mutation') return forward(operation).pipe(tap({ next: count, error: count }));
  const send = () => {
    const before = ended;
    return forward(operation).pipe(mergeMap((result) => (ended === before ? of(result) : send())));
  };
  return defer(send);
}

/**
 * `new RetryLink(retry)` waits for `Retry-After`, and for a second if the connection was lost. Neither a 503 nor a lost
 * connection says whether a mutation was done.
 */
export const retry = {
  attempts: (count, { operationType }, { response }) =>
    count <= 5 && (response?.status === 429 || (operationType === 'query' && (!response || response.status === 503))),
  delay: (_count, _operation, { response }) => 1_000 * Number(response?.headers.get('Retry-After') ?? 1),
};

/** The `fetch` of the HttpLink after it: a RetryLink sees only what is thrown. */
export async function fetchOrThrow(...request) {
  const response = await fetch(...request);
  if (response.status !== 429 && response.status !== 503) return response;
  const { errors = [] } = await response.json();
  throw Object.assign(new Error(errors[0]?.message ?? response.statusText), { response, errors });
}
