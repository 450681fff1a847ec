import { HeaderMap } from '@apollo/server';
import express, { type RequestHandler, type Router } from 'express';
import type { ResponseCache } from '../../platform/cache/response-cache.ts';
import { acceptBody, parseJson, readThenEnter } from '../../platform/http/body.ts';
import { addRoutes, noStore, notFound, type Route } from '../../platform/http/routes.ts';
import { getContext } from '../request/context.ts';
import type { GraphQLServer } from './apollo-server.ts';
import { requireShortText } from './document-limits.ts';
import { negotiateMediaType } from './errors.ts';

export function graphqlRouter(server: GraphQLServer, responses: ResponseCache): Router {
  // Replaces Apollo's Express integration, so that REST and GraphQL send responses the same way.
  const execute: RequestHandler = async (request, response) => {
    const context = getContext(response);
    // Fields that need the caller report a failed lookup; reference data works without the database.
    await context.authenticate().catch(() => {
      // The lookup may have taken all of it.
      context.deadline = undefined;
    });
    const bytes = await readThenEnter(request, response, context.admission);
    // Another request may have stored the response while this one waited.
    if (responses.sendStored(response)) return;
    const { url, headers } = request;
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const search = normalizeSearch(/\?.*/s.exec(url)?.[0] ?? '');
    const body = bytes && normalizeBody(parseJson(bytes));
    // From the same place as Apollo, which rejects other types.
    const text: unknown = method === 'GET' ? new URLSearchParams(search).get('query') : body?.query;
    if (typeof text === 'string') requireShortText(text);
    const entries = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
    // Apollo supports no media ranges.
    const accept = ['accept', String(response.getHeader('Content-Type'))] as const;
    const { status, ...executed } = await server.executeHTTPGraphQLRequest({
      httpGraphQLRequest: { method, search, headers: new HeaderMap([...entries, accept]), body },
      context: async () => ({ context }),
    });
    if (executed.body.kind !== 'complete') throw new Error('GraphQL responses are sent as a whole');
    for (const [name, value] of executed.headers) response.setHeader(name, value);
    await responses.sendAndStore(response, status ?? 200, executed.body.string);
  };
  const handlers = [negotiateMediaType, acceptBody('application/json'), execute];
  const route: Route = { methods: ['GET', 'HEAD', 'POST'], path: '/', access: 'schema', handlers };
  return addRoutes(express.Router({ caseSensitive: true }), '', [route], { schema: [noStore] }).use(notFound);
}

/** Removes empty parameters (GraphQL over HTTP, section 5.2), and lowercases the hash of a persisted query as Apollo does. */
function normalizeSearch(search: string): string {
  const parameters = new URLSearchParams(search);
  const isEmpty = (name: string) => {
    const value = parameters.get(name);
    // An operation may have the name "null".
    return value === '' || (name !== 'operationName' && (value === 'null' || value === '[]'));
  };
  const empty = ['operationName', 'variables', 'extensions'].filter(isEmpty);
  for (const name of empty) parameters.delete(name);
  const extensions = parameters.get('extensions');
  const lowered = extensions?.replace(/"[\dA-F]{64}"/gi, (hash) => hash.toLowerCase());
  if (lowered !== undefined) parameters.set('extensions', lowered);
  return empty.length > 0 || lowered !== extensions ? `?${parameters}` : search;
}

interface Body {
  query?: unknown;
  operationName?: unknown;
  variables?: unknown;
  extensions?: { persistedQuery?: { sha256Hash?: unknown } };
}

/** Some clients send an empty operation name, and PHP writes an empty object as an array. */
function normalizeBody(body: Body): Body {
  if (body.operationName === '') delete body.operationName;
  for (const name of ['variables', 'extensions'] as const) {
    const value = body[name];
    if (Array.isArray(value) && value.length === 0) delete body[name];
  }
  const { persistedQuery } = body.extensions ?? {};
  if (typeof persistedQuery?.sha256Hash === 'string')
    persistedQuery.sha256Hash = persistedQuery.sha256Hash.toLowerCase();
  return body;
}
