// Version 1 of 28 November 2026: /guides/changes says when to copy this file again.

// For TanStack Query: `queryFn: () => send(document, variables)`, and `mutationFn: (variables) => send(document, variables)`.

/** Why a mutation was rejected: `userErrors` of its payload. */
export class RejectedError extends Error {
  name = 'RejectedError';

  constructor(userErrors) {
    super(userErrors.map(({ message }) => message).join(' '));
    this.userErrors = userErrors;
  }
}

/** Returns a function that sends a document and returns its data. It throws for errors, and for `userErrors` of a mutation. */
export function connect(url, headers, fetch = globalThis.fetch) {
  return async (query, variables) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = await response.json();
    if (errors) throw new Error(errors[0].message, { cause: errors });
    const userErrors = Object.values(data).flatMap((payload) => payload?.userErrors ?? []);
    if (userErrors.length > 0) throw new RejectedError(userErrors);
    return data;
  };
}

/** Options of `useInfiniteQuery` for a list; `listOf` finds it in the data. The page parameter is `after`. */
export const pagesOf = (listOf) => ({
  initialPageParam: null,
  getNextPageParam: (data) => {
    const { hasNextPage, endCursor } = listOf(data).pageInfo;
    return hasNextPage ? endCursor : undefined;
  },
});
