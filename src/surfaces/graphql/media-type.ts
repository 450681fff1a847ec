import Negotiator from 'negotiator';

// In the order of preference of a client that has none; with the charset, which a client may ask for too.
const json = 'application/json; charset=utf-8';
const responseJson = 'application/graphql-response+json; charset=utf-8';

/** The media type of a GraphQL answer, by the request's Accept header; undefined when the client takes none that there is. */
export function negotiateMediaType(accept: string | undefined): string | undefined {
  // An empty header asks for as little as none.
  return new Negotiator({ headers: { accept: accept || undefined } }).mediaType([json, responseJson]);
}

/**
 * HTTP status of a request that GraphQL refuses to execute: 400 to a client that takes application/graphql-response+json,
 * 200 to one that takes application/json (GraphQL over HTTP, section 6.4).
 */
export function refusalStatus(accept: string | undefined): number {
  return negotiateMediaType(accept) === responseJson ? 400 : 200;
}
