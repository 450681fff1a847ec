import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { Client, cacheExchange, fetchExchange } from '@urql/core';
import relay from 'relay-runtime';
import { typePolicies, update } from '../../examples/client-caches/apollo.js';
import { ofItems, ofTags } from '../../examples/client-caches/urql.js';
import { compileDocument, relayEnvironment } from './clients.js';

// Each client as a screen: `watch` returns a function that returns the newest data of a query, `mutate` the data of a
// mutation. The settings are those of the examples.

function apollo(url, headers, fetch) {
  const cache = new InMemoryCache({ typePolicies });
  const client = new ApolloClient({ link: new HttpLink({ uri: url, headers, fetch }), cache });
  return {
    watch({ text }) {
      let newest;
      const query = client.watchQuery({ query: gql(text) });
      query.subscribe(({ data, dataState }) => {
        if (dataState === 'complete') newest = data;
      });
      return Object.assign(() => newest, { more: (after) => query.fetchMore({ variables: { after } }) });
    },
    mutate: async ({ text, variables }) => (await client.mutate({ mutation: gql(text), variables, update })).data,
  };
}

function urql(url, headers, fetch) {
  const client = new Client({ url, exchanges: [cacheExchange, fetchExchange], fetch, fetchOptions: { headers } });
  return {
    watch({ text, of }) {
      let newest;
      client.query(text, {}, { tags: ofTags, items: ofItems }[of]).subscribe(({ data, stale }) => {
        if (!stale) newest = data;
      });
      return () => newest;
    },
    mutate: async ({ text, variables }) => (await client.mutation(text, variables, ofItems).toPromise()).data,
  };
}

function relayRuntime(url, headers, fetch) {
  const environment = relayEnvironment(url, headers, fetch);
  return {
    // Relay accepts only strings as `id`.
    toDocument: (text) => text.replaceAll(/(?<![$\w])id\b(?!:)/g, 'number: id'),
    watch({ text }) {
      const request = compileDocument({ text, kind: 'query', variables: {} });
      const operation = relay.createOperationDescriptor(request, {});
      environment.retain(operation);
      const store = environment.getStore();
      const load = () => relay.fetchQuery(environment, request, {}, { fetchPolicy: 'store-or-network' }).subscribe({});
      load();
      store.subscribeToInvalidationState(store.lookupInvalidationState([relay.ROOT_ID]), load);
      return () => {
        const { data, isMissingData } = environment.lookup(operation.fragment);
        return isMissingData ? undefined : data;
      };
    },
    mutate({ text, variables }) {
      const mutation = compileDocument({ text, kind: 'mutation', variables });
      const { promise, resolve, reject } = Promise.withResolvers();
      const updater = (store) => store.invalidateStore();
      relay.commitMutation(environment, { mutation, variables, updater, onCompleted: resolve, onError: reject });
      return promise;
    },
  };
}

export const screens = { 'Apollo Client': apollo, urql, "Relay's runtime": relayRuntime };
