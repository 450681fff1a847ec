import { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { RetryLink } from '@apollo/client/link/retry';
import { InfiniteQueryObserver, MutationObserver, QueryClient, QueryObserver } from '@tanstack/query-core';
import { Client, cacheExchange, fetchExchange } from '@urql/core';
import { cacheExchange as graphcache } from '@urql/exchange-graphcache';
import * as recipe from '../../examples/apollo-client/src/apollo.js';
import { connect, pagesOf } from '../../examples/client-caches/tanstack-query.js';
import { keys, Mutation, ofItems } from '../../examples/client-caches/urql.js';

// Each client as a screen, with the settings of the examples. `list` shows a list and `watch` anything else: their `newest`
// is what the screen shows, undefined while it shows nothing. `mutate` rejects for user errors if the client does.

function apollo(url, headers, fetch) {
  const { typePolicies, mutateOptions, newest, retry, fetchOrThrow } = recipe;
  const cache = new InMemoryCache({ typePolicies });
  const http = new HttpLink({ uri: url, headers, fetch: fetch ?? fetchOrThrow });
  const link = ApolloLink.from([new ApolloLink(newest), new RetryLink(retry), http]);
  const client = new ApolloClient({ link, cache });
  client.defaultOptions = { mutate: mutateOptions(client) };
  function watch({ text, variables = {}, fetchPolicy }) {
    const screen = { newest: undefined };
    const query = client.watchQuery({ query: gql(text), variables, ...(fetchPolicy && { fetchPolicy }) });
    const shown = query.subscribe(({ data, dataState, error }) => {
      if (screen.newest !== undefined && dataState !== 'complete')
        throw new Error('The screen is empty while it loads.');
      screen.newest = dataState === 'complete' ? data : undefined;
      screen.error = error;
      screen.onChange?.();
    });
    return Object.assign(screen, {
      more: (after) => query.fetchMore({ variables: { after } }),
      search: (given) => {
        screen.newest = undefined;
        void query.setVariables(given).catch(() => {});
      },
      isLoading: () => query.getCurrentResult().loading,
      leave: () => shown.unsubscribe(),
    });
  }
  return {
    list: (query, listOf) => {
      const screen = watch(query);
      return {
        get newest() {
          return screen.newest && listOf(screen.newest).nodes;
        },
        get error() {
          return screen.error;
        },
        get isLoading() {
          return screen.isLoading();
        },
        more: (after = listOf(screen.newest).pageInfo.endCursor) => screen.more(after),
        leave: screen.leave,
      };
    },
    watch,
    readScreen: () => recipe.readScreen(client),
    mutate: async ({ text, variables, optimistic }) =>
      (await client.mutate({ mutation: gql(text), variables, optimisticResponse: optimistic })).data,
  };
}

/** Pages are queries of their own: each begins at the end of the page before it. */
function urqlScreens(client, context) {
  function watch({ text, variables = {} }) {
    const screen = { newest: undefined };
    const { unsubscribe } = client.query(text, variables, context).subscribe(({ data }) => {
      screen.newest = data;
      screen.onChange?.();
    });
    return Object.assign(screen, { unsubscribe });
  }
  function list({ text, variables }, listOf) {
    const pages = [];
    const open = (index, after) => {
      const page = watch({ text, variables: { ...variables, after } });
      const before = pages[index];
      // The page that it replaces stays until it is there.
      const screen = { after, page, shown: before?.shown };
      pages[index] = screen;
      before?.page.unsubscribe();
      page.onChange = () => {
        if (page.newest === undefined) return;
        screen.shown = listOf(page.newest);
        const { endCursor } = screen.shown.pageInfo;
        if (pages[index + 1] && pages[index + 1].after !== endCursor) open(index + 1, endCursor);
      };
      page.onChange();
    };
    open(0);
    return {
      get newest() {
        return pages.every(({ shown }) => shown) ? pages.flatMap(({ shown }) => shown.nodes) : undefined;
      },
      more: async () => open(pages.length, pages.at(-1).shown.pageInfo.endCursor),
    };
  }
  return {
    list,
    watch,
    mutate: async ({ text, variables }) => (await client.mutation(text, variables, context).toPromise()).data,
  };
}

function urql(url, headers, fetch) {
  const client = new Client({ url, exchanges: [cacheExchange, fetchExchange], fetch, fetchOptions: { headers } });
  return urqlScreens(client, ofItems);
}

function urqlGraphcache(url, headers, fetch) {
  let response;
  const optimistic = new Proxy({}, { get: (_, name) => response?.[name] && (() => response[name]) });
  const cache = graphcache({ keys, updates: { Mutation }, optimistic });
  const client = new Client({ url, exchanges: [cache, fetchExchange], fetch, fetchOptions: { headers } });
  const screens = urqlScreens(client, {});
  return {
    ...screens,
    mutate({ optimistic: expected, ...operation }) {
      response = expected;
      return screens.mutate(operation);
    },
  };
}

function tanstackQuery(url, headers, fetch) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  const send = connect(url, headers, fetch);
  // Without this, the client does not run where no browser says that it is online.
  client.mount();
  const observe = (observer, read) => {
    observer.subscribe(() => {});
    return {
      get newest() {
        const { data } = observer.getCurrentResult();
        return data && read(data);
      },
    };
  };
  return {
    list({ text, variables }, listOf) {
      const observer = new InfiniteQueryObserver(client, {
        queryKey: [text, variables],
        queryFn: ({ pageParam }) => send(text, { ...variables, after: pageParam }),
        ...pagesOf(listOf),
      });
      return Object.assign(
        observe(observer, ({ pages }) => pages.flatMap((page) => listOf(page).nodes)),
        {
          more: () => observer.fetchNextPage(),
        },
      );
    },
    watch: ({ text, variables }) =>
      observe(
        new QueryObserver(client, { queryKey: [text, variables], queryFn: () => send(text, variables) }),
        (data) => data,
      ),
    mutate: ({ text, variables, optimistic }) =>
      new MutationObserver(client, {
        mutationFn: (values) => send(text, values),
        async onMutate() {
          await client.cancelQueries();
          const tag = Object.values(optimistic ?? {})[0]?.productTag;
          const renamed = (value) =>
            value?.id === tag?.id && value?.nameEn ? { ...value, nameEn: tag.nameEn } : value;
          if (tag)
            client.setQueriesData({}, (data) => data && JSON.parse(JSON.stringify(data), (_, each) => renamed(each)));
        },
        onSettled: () => client.invalidateQueries(),
      }).mutate(variables),
  };
}

export { recipe };

export const screens = {
  'Apollo Client': apollo,
  "urql's document cache": urql,
  "urql's graphcache": urqlGraphcache,
  'TanStack Query': tanstackQuery,
};
