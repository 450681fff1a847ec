import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client';
import { RetryLink } from '@apollo/client/link/retry';
import {
  fetchOrThrow,
  mutateOptions,
  newest,
  readScreen,
  retry,
  typePolicies,
} from '../../examples/client-caches/apollo.js';

// The set-up of the guide: `tsc -p test/clients` checks its types.
const http = new HttpLink({ uri: 'http://127.0.0.1', fetch: fetchOrThrow });
const link = ApolloLink.from([new ApolloLink(newest), new RetryLink(retry), http]);
export const client = new ApolloClient({ link, cache: new InMemoryCache({ typePolicies }) });
client.defaultOptions = { mutate: mutateOptions(client) };
export const read: Promise<void> = readScreen(client);
