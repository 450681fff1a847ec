import { HeaderMap } from '@apollo/server';
import express, { type RequestHandler, type Router } from 'express';
import { contextOf } from '../../domain/request/context.ts';
import { inCallersLane } from '../../domain/request/lanes.ts';
import { parseBody, receiveBody } from '../../platform/http/parse-body.ts';
import type { ResponseCache } from '../../platform/http/response-cache.ts';
import { addRoutes, noStore, notFound, type Route } from '../../platform/http/routes.ts';
import type { GraphQLServer } from './apollo-server.ts';
import { requireShortText } from './document-limits.ts';
import { negotiateMediaType } from './errors.ts';

export function graphqlRouter(server: GraphQLServer, responses: ResponseCache): Router {
  // Replaces Apollo's Express integration, so that REST and GraphQL share one way to send responses.
  const execute: RequestHandler = async (request, response) => {
    const context = contextOf(response);
    await inCallersLane(context, async () => {
      // Another request may have stored the response while this one waited.
      if (responses.sendStored(response)) return;
      await parseBody(request, response);
      const { url, headers, body } = request;
      const method = request.method === 'HEAD' ? 'GET' : request.method;
      const search = /\?.*/s.exec(url)?.[0] ?? '';
      // Reads the text from the same place as Apollo, which rejects other types.
      const text: unknown = method === 'GET' ? new URLSearchParams(search).get('query') : body?.query;
      if (typeof text === 'string') requireShortText(text);
      const entries = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
      const { status, ...executed } = await server.executeHTTPGraphQLRequest({
        httpGraphQLRequest: { method, search, headers: new HeaderMap(entries), body },
        context: async () => ({ context }),
      });
      if (executed.body.kind !== 'complete') throw new Error('GraphQL responses are sent as a whole');
      for (const [name, value] of executed.headers) response.setHeader(name, value);
      await responses.send(response, status ?? 200, executed.body.string);
    });
  };
  const handlers = [negotiateMediaType, receiveBody('application/json'), execute];
  const route: Route = { methods: ['GET', 'HEAD', 'POST'], path: '/', access: 'schema', handlers };
  return addRoutes(express.Router({ caseSensitive: true }), '', [route], { schema: [noStore] }).use(notFound);
}
