import { Client, cacheExchange, fetchExchange } from '@urql/core';
import { persistedExchange } from '@urql/exchange-persisted';

export const codesOf = (errors) => ({ codes: errors.map(({ extensions }) => extensions.code) });

export function urql(url, headers, options) {
  const exchanges = [cacheExchange, ...(options ? [persistedExchange(options)] : []), fetchExchange];
  const client = new Client({ url, exchanges, fetchOptions: { headers } });
  return async ({ text, kind, variables }) => {
    const { data, error } = await client[kind](text, variables).toPromise();
    if (error?.networkError) throw error.networkError;
    return error ? codesOf(error.graphQLErrors) : { data };
  };
}
