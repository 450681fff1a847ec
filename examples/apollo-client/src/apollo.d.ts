// Version 1 of 28 November 2026: /guides/changes says when to copy this file again.

import type { ApolloClient, ApolloLink, TypePolicies } from '@apollo/client';
import type { RetryLink } from '@apollo/client/link/retry';

// What a screen uses of apollo.js, with its types. Code generators read `declare` without a value, and nothing else.

export declare const typePolicies: TypePolicies;
export declare function mutateOptions(client: ApolloClient): NonNullable<ApolloClient.DefaultOptions['mutate']>;
export declare function readScreen(client: ApolloClient): Promise<void>;
export declare const newest: ApolloLink.RequestHandler;
export declare const retry: RetryLink.Options;
export declare const fetchOrThrow: typeof fetch;
export declare function isUncertain(error: unknown): boolean;

export interface Rejection<Data> {
  /** The codes of `userErrors`. */
  codes: string[];
  /** Their messages, in the language of the request. */
  message: string;
  /** `current` of the payload, if the mutation selects it. */
  current: CurrentOf<Data> | undefined;
}

type CurrentOf<Data> = Data extends object
  ? {
      [Name in keyof Data]: NonNullable<Data[Name]> extends { current?: infer Tag } ? NonNullable<Tag> : never;
    }[keyof Data]
  : never;

export declare function rejectionOf<Data>(data: Data): Rejection<NonNullable<Data>> | undefined;
