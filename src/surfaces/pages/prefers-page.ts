import type { Request } from 'express';
import Negotiator from 'negotiator';

const types = ['application/json', 'application/graphql-response+json', 'text/html'];

/** Whether it is a browser's request for a page, rather than a GraphQL request by GET. */
export function prefersPage({ method, headers: { accept } }: Request): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  return (
    isRead &&
    accept?.includes('html') === true &&
    new Negotiator({ headers: { accept } }).mediaType(types) === 'text/html'
  );
}
