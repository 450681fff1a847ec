import { InfiniteQueryObserver, MutationObserver, QueryClient } from '@tanstack/query-core';
import { Client, cacheExchange, fetchExchange } from '@urql/core';

// A list on screen with the means that the guide names, and a mutation: `rows` are those that the screen shows.

function urql(url, headers, text) {
  const client = new Client({ url, exchanges: [cacheExchange, fetchExchange], fetchOptions: { headers } });
  const context = { additionalTypenames: ['Item', 'ProductTag'] };
  let rows;
  client.query(text, {}, context).subscribe(({ data }) => {
    rows = data && Object.values(data)[0].nodes;
  });
  return {
    rows: () => rows,
    mutate: (mutation, variables) => client.mutation(mutation, variables, context).toPromise(),
  };
}

function tanstackQuery(url, headers, text) {
  const client = new QueryClient();
  client.mount();
  const send = async (query, variables) => {
    const body = JSON.stringify({ query, variables });
    const request = { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body };
    return (await (await fetch(url, request)).json()).data;
  };
  const observer = new InfiniteQueryObserver(client, {
    queryKey: ['list'],
    queryFn: ({ pageParam }) => send(text, { after: pageParam }),
    initialPageParam: null,
    getNextPageParam: () => undefined,
  });
  observer.subscribe(() => {});
  return {
    rows: () => observer.getCurrentResult().data?.pages.flatMap((page) => Object.values(page)[0].nodes),
    mutate: (mutation, variables) =>
      new MutationObserver(client, {
        mutationFn: (values) => send(mutation, values),
        onSettled: () => client.invalidateQueries(),
      }).mutate(variables),
  };
}

export const clients = { urql, 'TanStack Query': tanstackQuery };
