import type { RequestHandler } from 'express';
import { CachedResponse } from '../../platform/http/cached-response.ts';
import { policy } from './page.ts';

/** GET /schema.graphql: the schema, for people and for code generators. */
export function getSchema(typeDefs: string): RequestHandler {
  let answer: CachedResponse | undefined;
  return (_request, response) => {
    response.removeHeader('Content-Language');
    response.set({ 'Cache-Control': 'public, no-cache', 'Content-Security-Policy': policy() }).type('text/plain');
    answer ??= new CachedResponse(response, `${typeDefs}\n`);
    answer.send(response);
  };
}
