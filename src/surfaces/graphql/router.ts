import { HeaderMap } from '@apollo/server';
import express, { type RequestHandler, type Router } from 'express';
import type { CreateContext } from '../../domain/request/context.ts';
import { AppError } from '../../kernel/errors/app-error.ts';
import { bodyLimit, hasBody, requireFittingBody, verifyText } from '../../platform/http/body.ts';
import { respond } from '../../platform/http/response-cache.ts';
import { addRoutes, noStore, notFound, type Route } from '../../platform/http/routes.ts';
import { createDocumentCheck, type DocumentLimits } from './document-limits.ts';
import { negotiateMediaType, rejectedStatus } from './errors.ts';
import type { GraphQLServer } from './server.ts';

/** The GraphQL surface. */
export function graphqlRouter(server: GraphQLServer, createContext: CreateContext, limits: DocumentLimits): Router {
  const ensureWithinLimits = createDocumentCheck(limits);
  // As Apollo's Express integration does, but all surfaces send their responses in one way.
  const execute: RequestHandler = async (request, response) => {
    const { method, url, headers, body } = request;
    const search = /\?.*/s.exec(url)?.[0] ?? '';
    const entries = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
    const { status, ...executed } = await server.executeHTTPGraphQLRequest({
      httpGraphQLRequest: {
        method,
        search,
        headers: new HeaderMap(entries),
        // The parser leaves an empty object where there is no body.
        body: hasBody(request) ? body : undefined,
      },
      async context() {
        // The text where Apollo finds it; Apollo rejects anything else.
        const text: unknown = method === 'GET' ? new URLSearchParams(search).get('query') : body?.query;
        if (typeof text === 'string') ensureWithinLimits(text, rejectedStatus(headers.accept));
        return createContext(response);
      },
    });
    if (executed.body.kind !== 'complete') throw new Error('GraphQL responses are sent as a whole');
    for (const [name, value] of executed.headers) response.setHeader(name, value);
    respond(response, status ?? 200, executed.body.string);
  };
  const handlers = [
    requireAcceptable,
    requireJson,
    requireFittingBody,
    express.json({ limit: bodyLimit, verify: verifyText }),
    execute,
  ];
  const route: Route = { methods: ['GET', 'POST'], path: '/', access: 'schema', handlers };
  return addRoutes(express.Router(), '', [route], { schema: [noStore] }).use(notFound);
}

const requireJson: RequestHandler = (request, _response, next) => {
  if (hasBody(request) && !request.is('application/json')) {
    throw new AppError('unsupported_media_type', { values: { supported: 'application/json' } });
  }
  next();
};

// Before anything runs: Apollo checks it with the response at hand.
const requireAcceptable: RequestHandler = (request, _response, next) => {
  const { accept } = request.headers;
  if (negotiateMediaType(accept) === undefined) {
    throw new AppError('not_acceptable', {
      values: { supported: ['application/graphql-response+json', 'application/json'] },
    });
  }
  next();
};
