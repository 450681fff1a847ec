import type { RequestHandler } from 'express';
import { policy } from './page.ts';

/** GET /schema.graphql: the schema, for people and for code generators. */
export function getSchema(typeDefs: string): RequestHandler {
  return (_request, response) => {
    response.removeHeader('Content-Language');
    response
      .set({ 'Cache-Control': 'public, no-cache', 'Content-Security-Policy': policy() })
      .type('text/plain')
      .send(`${typeDefs}\n`);
  };
}
