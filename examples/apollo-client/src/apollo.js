// Version 1 of 28 November 2026: /guides/changes says when to copy this file again.

// For Apollo Client 4:
//   const http = new HttpLink({ uri, headers, fetch: fetchOrThrow });
//   const link = ApolloLink.from([new ApolloLink(newest), new RetryLink(retry), http]);
//   const client = new ApolloClient({ link, cache: new InMemoryCache({ typePolicies }) });
//   client.defaultOptions = { mutate: mutateOptions(client) };
import { parse, print, valueFromASTUntyped } from 'graphql';
import { defer, finalize, mergeMap, of, tap } from 'rxjs';

/** The page that the service returns without `first`, and the longest one. */
const pageLength = { default: 25, max: 100 };

/** A list inside of an object, in pages. Queries with the same conditions share it. */
const pages = {
  keyArgs: (args) => Object.keys(withoutPaging(args)),
  read: (list, { canRead }) => list && withoutDeleted(list, canRead),
  merge(existing, page, { args, canRead }) {
    if (!args?.after) {
      const { pageInfo, ...list } = existing ?? {};
      // Rows without `pageInfo` may end elsewhere than those before.
      return { ...list, ...(!page.nodes && !page.edges && pageInfo && { pageInfo }), ...page };
    }
    // A page that is late: the list has another one, was forgotten, or ends elsewhere since it was read once more.
    if (args.after !== existing?.pageInfo?.endCursor) return existing;
    const list = withoutDeleted(existing, canRead);
    const merged = { ...list, ...page };
    for (const name of ['nodes', 'edges'].filter((each) => page[each])) {
      const known = new Set(list[name]?.map(keyOf));
      merged[name] = [...(list[name] ?? []), ...page[name].filter((row) => !known.has(keyOf(row)))];
    }
    const { hasNextPage, endCursor } = page.pageInfo;
    return { ...merged, pageInfo: { ...list.pageInfo, hasNextPage, endCursor } };
  },
};

/** Items of a tag. Lists without `after`, such as a preview in the rows of a list of tags, are kept apart by their length. */
const tagItems = { ...pages, keyArgs: (args, { field }) => keyOfItems(args, field) };

/** A list of the company. Queries share it if they select the same fields too, so that all of its rows have them. */
const companyPages = {
  ...pages,
  keyArgs: (args, { field, variables }) => keyOfList(args, field, variables),
  merge(existing, page, options) {
    const list = pages.merge(existing, page, options);
    return list && { ...list, isAhead: underway > 0 };
  },
};

export const typePolicies = {
  Query: {
    fields: {
      items: companyPages,
      productTags: companyPages,
      // A deleted tag.
      productTag: { read: (tag, { canRead }) => (tag && !canRead(tag) ? null : tag) },
    },
  },
  ProductTag: { fields: { items: tagItems } },
  Item: { fields: { tags: pages } },
  Company: { fields: { branches: pages } },
  // It has no id: queries that select different fields of it add to it.
  Address: { merge: true },
};

/** Set by `update`, for what Apollo Client calls next: whether only the service knows a field of a query. */
let isUnknown = () => false;

/** Whether `update` runs again for an optimistic response that is on screen, because another mutation has ended. */
let isReplay = false;

/**
 * The `update` of all mutations. The response itself changes the objects in the cache; this adds and removes tags in lists.
 * It suits optimistic responses too, because every query on screen stays complete. Returns what only the service knows.
 */
export function update(cache, { data }, { variables }) {
  const { createProductTag: created, deleteProductTag: deleted, setItemTags: set, ...others } = data ?? {};
  const written = [created, deleted, ...Object.values(others)].filter((payload) => payload?.productTag);
  const goneIds = Object.entries(data ?? {}).flatMap(([name, payload]) => goneIdsOf(name, payload, variables));
  const gone = goneIds.map((id) => ({ __typename: 'ProductTag', id }));
  // Somebody else has deleted tags, or changed the names of one, its items, or both.
  const isConflict = gone.length > 0 || Object.values(data ?? {}).some((payload) => payload?.current);
  /** The conditions of lists of tags whose rows or number the response does not tell. */
  const uncertain = new Set();
  if (created?.productTag) addTag(cache, created, uncertain);
  for (const tag of [...gone, deleted?.productTag]) if (tag) removeTag(cache, tag, uncertain);
  const isRenamed = isConflict || created?.productTag || others.updateProductTag?.productTag;
  // Somebody else may have added or removed the same items, which are not in `changedItems` then.
  const sent = variables?.itemIds ?? variables?.input?.itemIds;
  const isOvertaken = Object.entries(others).some(
    ([name, payload]) =>
      sent &&
      payload?.productTag &&
      (name === 'updateProductTag' ? !variables.ifMatch : payload.changedItems?.length < new Set(sent).size),
  );
  const isStale = isConflict || isOvertaken;
  // An update that changes items has to select `changedItems`; one without it is taken for a change of names.
  const relinked = written.filter(
    (payload) =>
      payload.changedItems?.length !== 0 && (payload !== others.updateProductTag || payload.changedItems !== undefined),
  );
  const isRelinked = isStale || set?.item || relinked.length > 0;
  const isCounted = isStale || set?.item || relinked.some((payload) => payload !== deleted);
  const ids = new Set([variables?.id, ...goneIds, ...written.map(({ productTag }) => productTag.id)]);
  /** Whether a field of the items that changed is not in the response. */
  const lacks = (name, payloads = relinked) =>
    payloads.some(({ changedItems }) => !changedItems?.every((item) => name in item));
  const isUnknownTo = ({ name, args, isRoot, tagId }) => {
    // All of a tag that is gone is null.
    if (goneIds.includes(tagId)) return false;
    const has = (...conditions) => conditions.some((condition) => args[condition] != null && args[condition] !== '');
    if (isRoot && name === 'items') {
      // The tags that an item has lost are not in the response.
      if (set?.item) return has('tagged', 'productTagIds', 'exceptProductTagIds');
      const named = [args.productTagIds ?? [], args.exceptProductTagIds ?? []].flat();
      return isRelinked && (has('tagged') || named.some((id) => ids.has(id)));
    }
    if (isRoot && name === 'productTags') {
      // Whether a list counts a tag that somebody else has deleted depends on when it was read.
      if (
        gone.length > 0 ||
        uncertain.has(conditionsOf(args)) ||
        has('updatedAfter') ||
        ((isCounted || created?.productTag) && args.orderBy === 'ITEM_COUNT')
      )
        return true;
      return isRenamed && (has('search') || /^NAME/.test(args.orderBy));
    }
    if (['itemCount', 'version', 'updatedAt'].includes(name)) return Boolean(set?.item);
    if (name === 'hasProductTag') return set?.item || (ids.has(args.id) && (isStale || lacks(name)));
    if (name === 'tags')
      return (
        isStale ||
        lacks(
          name,
          relinked.filter((payload) => payload !== deleted),
        )
      );
    return isCounted && (name === 'itemIds' || name === 'items') && (set?.item || !tagId || ids.has(tagId));
  };
  if (!isReplay) isUnknown = isUnknownTo;
  isReplay = true;
  queueMicrotask(() => {
    isReplay = false;
  });
  // Calls `onQueryUpdated` for every query on screen, because lists change that do not show the tag.
  cache.modify({ fields: (_value, { INVALIDATE }) => INVALIDATE });
  return isUnknownTo;
}

/** The ids of tags that somebody else has deleted, as the errors of a payload tell. */
function goneIdsOf(name, payload, variables) {
  const errors = payload?.userErrors?.filter(({ code }) => code === 'PRODUCT_TAG_NOT_FOUND') ?? [];
  return errors.flatMap(({ productTagIds }) => productTagIds ?? (name === 'setItemTags' ? [] : [variables?.id]));
}

/** The options of all mutations of a client: `update`, and what reads lists that only the service knows once more. */
export function mutateOptions(client) {
  /** By document: the variables of the queries that are being read once more. */
  const reloads = new WeakMap();

  function onQueryUpdated(query, { complete }) {
    const { dataState, error } = query.getCurrentResult();
    // Its first response is on its way, and `newest` takes care of it.
    if (dataState === 'empty' && !error) return undefined;
    if (!complete || [...fieldsIn(query.query, query.variables)].some(isUnknown)) void reload(query);
    // Otherwise Apollo Client would read the first page alone.
    return complete ? undefined : false;
  }

  async function reload(query) {
    const running = reloads.get(query.query) ?? new Set();
    reloads.set(query.query, running);
    const key = JSON.stringify(query.variables);
    // It reads once more what is older than this mutation.
    if (running.has(key)) return;
    running.add(key);
    const length = query.variables.first ?? pageLength.default;
    // Pages of 100 may cost too much. The last resort reads the first page alone, and its failure shows on screen.
    await readAll(client, query)
      .catch(() => readAll(client, query, length))
      .catch(() => query.refetch())
      .catch(() => {});
    running.delete(key);
  }

  return {
    update(cache, result, options) {
      forgetHidden(client, cache, update(cache, result, options));
    },
    onQueryUpdated,
  };
}

/**
 * Reads everything on screen once more, with all pages, and forgets everything else: `client.refetchQueries` would leave
 * the first page of each list.
 */
export async function readScreen(client) {
  forgetHidden(client, client.cache, () => true);
  await Promise.all([...client.getObservableQueries('active')].map((query) => readAll(client, query)));
}

/** Forgets what only the service knows and is not on screen, so that it is read when it comes back. */
function forgetHidden(client, cache, mayChange) {
  const shown = [...client.getObservableQueries('active')].map(({ query, variables }) => ({
    ids: idsIn(cache.readQuery({ query, variables, returnPartialData: true, optimistic: true })),
    fields: [...fieldsIn(query, variables)].map((field) => ({ ...field, variables })),
  }));
  const lists = shown.flatMap(({ fields }) => fields).filter(({ isRoot, field }) => isRoot && field.selectionSet);
  const shownLists = new Set(
    lists.map(({ name, args, field, variables }) => `${name}:${keyOfList(args, field, variables)}`),
  );
  const forget = (list, { fieldName: name, storeFieldName, DELETE }) => {
    const [args, variables, selection] = partsOf(storeFieldName);
    const inside = [{ name, args, isRoot: true }, ...fieldsIn(parse(selection), variables, false)];
    return inside.some(mayChange) && !shownLists.has(storeFieldName) ? DELETE : list;
  };
  cache.modify({ fields: { items: forget, productTags: forget } });

  for (const [key, object] of Object.entries(cache.extract()).filter(([, each]) => each?.id)) {
    const fields = shown.filter(({ ids }) => ids.has(key)).flatMap((query) => query.fields);
    const isHidden = (storeFieldName) => {
      const { name, args } = fieldOf(storeFieldName);
      const isSame = (each) =>
        each.name === name &&
        !each.isRoot &&
        Object.entries(args).every(([argument, value]) => each.args[argument] === value) &&
        (name !== 'items' || storeFieldName === `items:${keyOfItems(each.args, each.field)}`);
      return !fields.some(isSame);
    };
    const tagId = object.__typename === 'ProductTag' ? object.id : undefined;
    const isLost = (each) => !['__typename', 'id'].includes(each) && mayChange({ ...fieldOf(each), tagId });
    const lost = Object.keys(object).filter((each) => isLost(each) && isHidden(each));
    const remove = (_value, { DELETE }) => DELETE;
    if (lost.length > 0) cache.modify({ id: key, fields: Object.fromEntries(lost.map((each) => [each, remove])) });
  }
}

/** The name and arguments of a field of an object, from the cache's name of it. */
function fieldOf(storeFieldName) {
  const [, name, args = '{}'] = /^(\w+)(?:\((.*)\))?/s.exec(storeFieldName);
  return { name, args: JSON.parse(args) };
}

/** The objects in the data of a query, as the cache names them. */
function idsIn(data, ids = new Set()) {
  if (typeof data !== 'object' || data === null) return ids;
  if (data.id !== undefined) ids.add(`${data.__typename}:${data.id}`);
  for (const value of Object.values(data)) idsIn(value, ids);
  return ids;
}

/**
 * Reads a query once more, with all pages on screen: in one request for each hundred rows. The variables of its list are
 * `first` and `after`. Begins again if a mutation ends meanwhile.
 */
async function readAll(client, observed, length = pageLength.max) {
  const { query, variables } = observed;
  const paged = [...fieldsIn(query, variables)].find(({ field }) => field.arguments?.some(isAfter));
  const listOf = (data) => paged?.path.reduce((value, name) => value?.[name], data) ?? {};
  /** The list as it is now: more of its pages may arrive meanwhile. */
  const shownList = () => listOf(client.readQuery({ query, variables, returnPartialData: true }));
  const isWhole = () => shownList().pageInfo?.hasNextPage === false;
  const missing = (count) => Math.max(rowsOf(shownList()).length, variables.first ?? 0) - count;
  for (;;) {
    const since = ended;
    const read = [];
    let [count, after] = [0, null];
    do {
      const left = missing(count);
      // Of a list that is on screen as a whole, more rows may follow.
      const first = left > 0 && !isWhole() ? Math.min(left, length) : length;
      const page = paged ? { ...variables, first, after } : variables;
      const { data } = await client.query({
        query,
        variables: page,
        fetchPolicy: 'no-cache',
        context: { isReadAll: true },
      });
      read.push({ query, variables: page, data });
      count += rowsOf(listOf(data)).length;
      const { hasNextPage, endCursor } = listOf(data).pageInfo ?? {};
      after = hasNextPage ? endCursor : null;
      await untilMore();
    } while (since === ended && after && missing(count) > 0);
    if (since !== ended) continue;
    client.cache.batch({ update: (cache) => read.forEach((each) => void cache.writeQuery(each)) });
    return;
  }
}

/** Waits for the end of each `fetchMore`, which hides all other changes of the cache from the screen. */
async function untilMore() {
  while (pagesUnderway.size > 0) await Promise.all(pagesUnderway);
}

/**
 * Shows what is in the cache: a query shows no change while a request of it is on its way, and none after it if the response
 * changes nothing: that of a page, or of a search that was taken back.
 */
function showCached(client, query) {
  const { query: document, variables, options } = query;
  if (pagesUnderway.size > 0 || options.fetchPolicy !== 'cache-first' || query.getCurrentResult().error) return;
  const isComplete = client.readQuery({ query: document, variables }) !== null;
  if (isComplete) void query.reobserve().catch(() => {});
}

const isAfter = ({ value }) => value.kind === 'Variable' && value.name.value === 'after';

function addTag(cache, { productTag, replayed }, uncertain) {
  const __ref = cache.identify(productTag);
  const productTags = (list, { storeFieldName }) => {
    const [args] = partsOf(storeFieldName);
    const { orderBy = 'ID', reverse = false, ...conditions } = args;
    // These lists are read once more.
    if (orderBy !== 'ID' || Object.keys(conditions).length > 0) return list;
    const { nodes, pageInfo } = list;
    // A repeated creation may be on screen already.
    const isKnown = replayed || rowsOf(list).some((row) => keyOf(row) === __ref);
    if (isKnown || isCountUncertain(list) || list.edges || (nodes && !pageInfo)) {
      uncertain.add(conditionsOf(args));
      return list;
    }
    const isOnScreen = reverse || pageInfo?.hasNextPage === false;
    return {
      ...list,
      ...(nodes && isOnScreen && { nodes: [...nodes, { __ref }].toSorted(reverse ? (a, b) => byId(b, a) : byId) }),
      ...countOf(list, 1),
    };
  };
  cache.modify({ fields: { productTags } });
}

function removeTag(cache, tag, uncertain) {
  const id = cache.identify(tag);
  const productTags = (list, { storeFieldName, canRead }) => {
    const [args] = partsOf(storeFieldName);
    const { orderBy, reverse, ...conditions } = args;
    const isOther = (row) => keyOf(row) !== id && canRead(row.node ?? row);
    const isEmptied = list.pageInfo?.hasNextPage && !rowsOf(list).some(isOther);
    if (isEmptied || isCountUncertain(list)) uncertain.add(conditionsOf(args));
    // `read` leaves it out, and counts what it leaves out.
    if (rowsOf(list).some((row) => keyOf(row) === id)) return list;
    if (Object.keys(conditions).length === 0) return { ...list, ...countOf(list, -1) };
    // A tag of another page may or may not meet the conditions.
    if (list.totalCount !== undefined && list.pageInfo?.hasNextPage !== false) uncertain.add(conditionsOf(args));
    return list;
  };
  cache.modify({ fields: { productTags } });
  cache.evict({ id });
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

const rowsOf = ({ nodes, edges }) => nodes ?? edges ?? [];

/** By id; a tag of an optimistic response, with an id below 0, is the newest. Responses of creations may overtake each other. */
function byId(one, another) {
  const [first, second] = [one, another].map((row) => Number(keyOf(row).split(':')[1]));
  return first < 0 === second < 0 ? Math.abs(first) - Math.abs(second) : second - first;
}

const keyOf = (row) => row?.__ref ?? row?.node?.__ref;

/** Whether the number of rows may count what a mutation has changed, because it arrived before the mutation's response. */
const isCountUncertain = ({ isAhead, totalCount }) => isAhead && totalCount !== undefined;

const countOf = ({ totalCount }, more) => (totalCount === undefined ? {} : { totalCount: totalCount + more });

/** Arguments or variables that are given, besides those of pages. */
function withoutPaging(values) {
  // A blank search is none.
  const given = Object.entries(values ?? {}).filter(([, value]) => value != null && value !== '');
  return Object.fromEntries(given.filter(([name]) => !['first', 'after'].includes(name)).toSorted());
}

const conditionsOf = (args) => JSON.stringify(withoutPaging(args));

/** The key of a list of the company: its conditions, and the variables and fields of its selection. */
function keyOfList(args, { selectionSet }, variables) {
  return JSON.stringify([withoutPaging(args), withoutPaging(variables), print(selectionSet)]);
}

/** The key of a list of the items of a tag: its conditions, and its length if it has no pages. */
function keyOfItems(args, field) {
  const hasPages = field?.arguments?.some(({ name }) => name.value === 'after');
  return JSON.stringify([withoutPaging(args), hasPages ? 'all' : (args?.first ?? pageLength.default)]);
}

/** The parts of the key in the cache's name of a list, which begins with the name of the field and a colon. */
function partsOf(storeFieldName) {
  return JSON.parse(storeFieldName.slice(storeFieldName.indexOf(':') + 1));
}

/** The fields of a query with the values of their arguments, their paths in the data, and the id of the tag around them. */
function* fieldsIn(
  document,
  variables,
  isRoot = true,
  { selections } = operationOf(document).selectionSet,
  around = {},
) {
  const { path = [], tagId } = around;
  for (const selection of selections) {
    const { kind, name, alias, arguments: values = [], selectionSet } = selection;
    if (kind === 'Field') {
      const own = [...path, (alias ?? name).value];
      const args = Object.fromEntries(
        values.map(({ name: { value: each }, value }) => [each, valueFromASTUntyped(value, variables)]),
      );
      yield { name: name.value, args, isRoot, tagId, path: own, field: selection };
      const inside = { path: own, tagId: isRoot && name.value === 'productTag' ? args.id : undefined };
      if (selectionSet) yield* fieldsIn(document, variables, false, selectionSet, inside);
    } else {
      const isNamed = (each) => each.kind === 'FragmentDefinition' && each.name.value === name?.value;
      const fragment = document.definitions.find(isNamed) ?? selection;
      if (fragment.selectionSet) yield* fieldsIn(document, variables, isRoot, fragment.selectionSet, around);
    }
  }
}

const operationOf = ({ definitions }) => definitions.find(({ kind }) => kind === 'OperationDefinition');

/** Mutations that have ended, and those on their way. */
let [ended, underway] = [0, 0];

/** The ends of pages that `fetchMore` is reading. */
const pagesUnderway = new Set();

/** `new ApolloLink(newest)`: a query whose response arrives after a mutation has ended may be older, so it is sent once more. */
export function newest(operation, forward) {
  if (operation.operationType === 'mutation') {
    const count = () => {
      ended += 1;
    };
    const end = () => {
      underway -= 1;
    };
    return defer(() => {
      underway += 1;
      return forward(operation).pipe(tap({ next: count, error: count }), finalize(end));
    });
  }
  // It begins again by itself.
  if (operation.getContext().isReadAll) return forward(operation);
  const send = () => {
    const before = ended;
    return forward(operation).pipe(mergeMap((result) => (ended === before ? of(result) : send())));
  };
  const { client } = operation;
  return defer(() => {
    const { promise, resolve } = Promise.withResolvers();
    if (operation.variables.after) pagesUnderway.add(promise);
    const end = () => {
      pagesUnderway.delete(promise);
      resolve();
      // Apollo Client then writes the response to the cache.
      setTimeout(() => client.getObservableQueries('active').forEach((query) => void showCached(client, query)));
    };
    return send().pipe(finalize(end));
  });
}

/**
 * `new RetryLink(retry)` waits for `Retry-After`, or for 1, 2, 4 and 8 seconds. Neither a 503 nor a lost
 * connection says whether a mutation was done.
 */
export const retry = {
  attempts: (count, { operationType }, { response }) =>
    count < 5 && (response?.status === 429 || (operationType === 'query' && (!response || response.status === 503))),
  delay: (count, _operation, { response }) =>
    1_000 * (Number(response?.headers.get('Retry-After')) || 2 ** (count - 1)),
};

/**
 * Whether a mutation may have been done although it failed with this error. Then call `readScreen`, and do not say that it
 * failed.
 */
export function isUncertain(error) {
  const status = error.response?.status ?? error.statusCode;
  // A response with a status of 200 that is no JSON came in part, or from somebody else.
  if (status !== undefined) return status < 300 || status >= 500;
  // Apollo Client hides the status of `application/graphql-response+json`, and a response of 200 can have such errors.
  if (error.errors) return error.errors.some(({ extensions }) => uncertainCodes.includes(extensions?.code));
  // The request was aborted, or there is no response.
  return true;
}

const uncertainCodes = ['INTERNAL_SERVER_ERROR', 'SERVICE_UNAVAILABLE', 'OVERLOADED'];

/** Why a mutation was rejected, from its data: the `userErrors` of its payload. Undefined if it was done. */
export function rejectionOf(data) {
  const payloads = Object.values(data ?? {}).filter((payload) => payload?.userErrors?.length > 0);
  if (payloads.length === 0) return undefined;
  const userErrors = payloads.flatMap((payload) => payload.userErrors);
  return {
    codes: userErrors.map(({ code }) => code),
    message: userErrors.map(({ message }) => message).join(' '),
    // The tag as it is now, after VERSION_MISMATCH.
    current: payloads.find(({ current }) => current)?.current,
  };
}

/** The `fetch` of the HttpLink after it: a RetryLink sees only what is thrown. */
export async function fetchOrThrow(...request) {
  const response = await fetch(...request);
  if (response.status !== 429 && response.status !== 503) return response;
  // Proxies respond with other types.
  const { errors = [] } = await response.json().catch(() => ({}));
  throw Object.assign(new Error(errors[0]?.message ?? response.statusText), { response, errors });
}
