import { expressMiddleware } from '@as-integrations/express5';
import express, { type Request, type RequestHandler, type Router } from 'express';
import type { Logger } from 'pino';
import type { CreateContext } from '../../domain/request/context-factory.ts';
import { AppError } from '../../kernel/errors/app-error.ts';
import { bodyLimit, hasBody, requireFittingBody, verifyText } from '../../platform/http/body.ts';
import { noStore } from '../../platform/http/cache-control.ts';
import { addRoutes, notFound, type Route } from '../../platform/http/routes.ts';
import { errorHandler } from './answer-error.ts';
import { createDocumentCheck } from './document-limits.ts';
import type { DocumentLimits } from './limit-error.ts';
import { negotiateMediaType, refusalStatus } from './media-type.ts';
import type { GraphQLServer } from './server.ts';

/** The GraphQL surface: what HTTP refuses before GraphQL sees it is answered in GraphQL's format too. */
export function graphqlRouter(
  server: GraphQLServer,
  createContext: CreateContext,
  limits: DocumentLimits,
  log: Logger,
): Router {
  const ensureWithinLimits = createDocumentCheck(limits);
  const handlers = [
    requireAcceptable,
    requireJson,
    requireFittingBody,
    express.json({ limit: bodyLimit, verify: verifyText }),
    settleBody,
    expressMiddleware(server, {
      async context({ req, res }) {
        const text = documentTextOf(req);
        if (text !== undefined) ensureWithinLimits(text, refusalStatus(req.headers.accept));
        return createContext(res);
      },
    }),
  ];
  const route: Route = { methods: ['GET', 'POST'], path: '/', access: 'schema', handlers };
  return addRoutes(express.Router(), '', [route], { schema: [noStore] }).use(notFound, errorHandler(log));
}

const requireJson: RequestHandler = (request, _response, next) => {
  if (hasBody(request) && !request.is('application/json')) {
    throw new AppError('unsupported_media_type', { values: { supported: 'application/json' } });
  }
  next();
};

// Apollo asks for the property, which the parser leaves out where Node has not made a stream of what is no body.
const settleBody: RequestHandler = (request, _response, next) => {
  if (!hasBody(request)) request.body = undefined;
  next();
};

// Before anything runs: Apollo would find out about it with the answer in hand.
const requireAcceptable: RequestHandler = (request, _response, next) => {
  const { accept } = request.headers;
  if (negotiateMediaType(accept) === undefined) {
    throw new AppError('not_acceptable', {
      values: { supported: 'application/graphql-response+json, application/json' },
    });
  }
  next();
};

// The text where Apollo finds it; what is none it refuses.
function documentTextOf({ method, url, body }: Request): string | undefined {
  const text: unknown =
    method === 'GET' ? new URLSearchParams(url.slice(url.indexOf('?') + 1)).get('query') : body?.query;
  return typeof text === 'string' ? text : undefined;
}
