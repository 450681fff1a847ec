import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client';
import { RetryLink } from '@apollo/client/link/retry';
import {
  fetchOrThrow,
  isUncertain,
  mutateOptions,
  newest,
  readScreen,
  rejectionOf,
  retry,
  typePolicies,
} from '../../examples/apollo-client/src/apollo.js';

// The set-up of the guide: `tsc -p test/clients` checks its types.
const http = new HttpLink({ uri: 'http://127.0.0.1', fetch: fetchOrThrow });
const link = ApolloLink.from([new ApolloLink(newest), new RetryLink(retry), http]);
export const client = new ApolloClient({ link, cache: new InMemoryCache({ typePolicies }) });
client.defaultOptions = { mutate: mutateOptions(client) };
export const read: Promise<void> = readScreen(client);

interface RenameMutation {
  updateProductTag: { current: { id: number; nameEn: string } | null; userErrors: { code: string }[] } | null;
}

/** What an application does with the result of a mutation. */
export function nameOfOther(data: RenameMutation | null | undefined): string | undefined {
  const rejection = rejectionOf(data);
  return rejection?.codes.includes('VERSION_MISMATCH') ? rejection.current?.nameEn : rejection?.message;
}
export const mayBeDone: boolean = isUncertain(new Error('lost'));
