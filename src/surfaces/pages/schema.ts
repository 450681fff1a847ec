import type { RequestHandler } from 'express';
import type { ReadyAnswer } from '../../platform/http/ready-answer.ts';
import { readyText } from '../../platform/http/ready-text.ts';
import { policy } from './page.ts';

/** GET /schema.graphql: the schema, for people and for code generators. */
export function getSchema(typeDefs: string): RequestHandler {
  let answer: ReadyAnswer | undefined;
  return (_request, response) => {
    response.removeHeader('Content-Language');
    response.set({ 'Cache-Control': 'public, no-cache', 'Content-Security-Policy': policy() }).type('text/plain');
    answer ??= readyText(response, `${typeDefs}\n`);
    answer.send(response);
  };
}
