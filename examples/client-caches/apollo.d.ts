import type { ApolloClient, ApolloLink, TypePolicies } from '@apollo/client';
import type { RetryLink } from '@apollo/client/link/retry';

// What a screen uses of apollo.js, with its types.

export const typePolicies: TypePolicies;
export function mutateOptions(client: ApolloClient): NonNullable<ApolloClient.DefaultOptions['mutate']>;
export function readScreen(client: ApolloClient): Promise<void>;
export const newest: ApolloLink.RequestHandler;
export const retry: RetryLink.Options;
export const fetchOrThrow: typeof fetch;
