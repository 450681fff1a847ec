import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { Client, cacheExchange, fetchExchange } from '@urql/core';
import { persistedExchange } from '@urql/exchange-persisted';
import { Kind, parse, valueFromASTUntyped } from 'graphql';
import { GraphQLClient } from 'graphql-request';
import relay from 'relay-runtime';

// Each client with default settings, as a function that sends an operation.

const toCodes = (errors) => ({ codes: errors.map(({ extensions }) => extensions.code) });

const sha256 = async (text) =>
  Buffer.from(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))).toString('hex');

function apollo(url, headers, options) {
  const http = new HttpLink({ uri: url, headers });
  const link = options ? new PersistedQueryLink({ sha256, ...options }).concat(http) : http;
  const client = new ApolloClient({ link, cache: new InMemoryCache() });
  return async ({ text, kind, variables }) => {
    try {
      const send = kind === 'query' ? client.query : client.mutate;
      const { data } = await send({ [kind]: gql(text), variables });
      return { data };
    } catch (error) {
      // It exposes only the text of a rate limit error.
      return toCodes(error.errors ?? JSON.parse(error.bodyText).errors);
    }
  };
}

function graphqlRequest(url, headers) {
  const client = new GraphQLClient(url, { headers });
  return async ({ text, variables }) => {
    try {
      return { data: await client.request(text, variables) };
    } catch (error) {
      return toCodes(error.response.errors);
    }
  };
}

function urql(url, headers, options) {
  const exchanges = [cacheExchange, ...(options ? [persistedExchange(options)] : []), fetchExchange];
  const client = new Client({ url, exchanges, fetchOptions: { headers } });
  return async ({ text, kind, variables }) => {
    const { data, error } = await client[kind](text, variables).toPromise();
    if (error?.networkError) throw error.networkError;
    return error ? toCodes(error.graphQLErrors) : { data };
  };
}

// What Relay's compiler makes of a field.
function compile({ name: { value: name }, alias, arguments: args, selectionSet }) {
  const field = { name, alias: alias?.value ?? null, args: args.map(compileArgument), storageKey: null };
  if (selectionSet === undefined) return { kind: 'ScalarField', ...field };
  const plural = ['services', 'userErrors', 'nodes', 'lookups'].includes(name);
  const selections = selectionSet.selections.map(compile);
  return { kind: 'LinkedField', ...field, concreteType: name, plural, selections };
}

function compileArgument({ name: { value: name }, value }) {
  if (value.kind === Kind.VARIABLE) return { kind: 'Variable', name, variableName: value.name.value };
  return { kind: 'Literal', name, value: valueFromASTUntyped(value) };
}

// What Relay's compiler makes of a document.
export function compileDocument({ text, kind, variables }) {
  const [
    {
      name: { value: name },
      selectionSet,
    },
  ] = parse(text).definitions;
  const selections = selectionSet.selections.map(compile);
  const parts = Object.keys(variables).map((each) => ({ kind: 'LocalArgument', name: each, defaultValue: null }));
  return {
    kind: 'Request',
    fragment: { kind: 'Fragment', name, type: 'Query', metadata: null, argumentDefinitions: parts, selections },
    operation: { kind: 'Operation', name, argumentDefinitions: parts, selections },
    params: { id: null, cacheID: name, metadata: {}, name, operationKind: kind, text },
  };
}

// The network function from Relay's documentation.
export function relayEnvironment(url, headers, fetch = globalThis.fetch, options = {}) {
  const network = relay.Network.create(async ({ text }, variables) => {
    const body = JSON.stringify({ query: text, variables });
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body,
    });
    return response.json();
  });
  return new relay.Environment({ network, store: new relay.Store(new relay.RecordSource()), ...options });
}

function relayRuntime(url, headers) {
  const environment = relayEnvironment(url, headers);
  return async ({ text, kind, variables }) => {
    const mutation = compileDocument({ text, kind, variables });
    try {
      if (kind === 'query') return { data: await relay.fetchQuery(environment, mutation, variables).toPromise() };
      const { promise, resolve, reject } = Promise.withResolvers();
      relay.commitMutation(environment, { mutation, variables, onCompleted: resolve, onError: reject });
      return { data: await promise };
    } catch (error) {
      if (!error.source) throw error;
      return toCodes(error.source.errors);
    }
  };
}

export const clients = {
  'Apollo Client': apollo,
  urql,
  'graphql-request': graphqlRequest,
  "Relay's runtime": relayRuntime,
};

/** With automatic persisted queries, by POST and GET. */
export const persisted = {
  'Apollo Client by POST': (url, headers) => apollo(url, headers, {}),
  'Apollo Client by GET': (url, headers) => apollo(url, headers, { useGETForHashedQueries: true }),
  'urql by POST': (url, headers) => urql(url, headers, { preferGetForPersistedQueries: false }),
  'urql by GET': (url, headers) => urql(url, headers, { preferGetForPersistedQueries: true }),
};
