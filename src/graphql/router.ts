import { expressMiddleware } from '@as-integrations/express5';
import express, { type RequestHandler, type Router } from 'express';
import type { Logger } from 'pino';
import { AppError } from '../errors/app-error.ts';
import { bodyLimit, hasBody, verifyText } from '../http/body.ts';
import { noStore } from '../http/cache-control.ts';
import type { CreateContext } from '../http/context.ts';
import { addRoutes, type Route } from '../http/routes.ts';
import { errorHandler } from './answer-error.ts';
import type { GraphQLServer } from './server.ts';

/** The GraphQL surface: what HTTP refuses before GraphQL sees it is answered in GraphQL's format too. */
export function graphqlRouter(server: GraphQLServer, createContext: CreateContext, log: Logger): Router {
  const handlers = [
    requireJson,
    express.json({ limit: bodyLimit, verify: verifyText }),
    expressMiddleware(server, { context: async ({ res }) => createContext(res) }),
  ];
  const route: Route = { methods: ['GET', 'POST'], path: '/', access: 'schema', handlers };
  return addRoutes(express.Router(), [route], { schema: [noStore] }).use(notFound, errorHandler(log));
}

const requireJson: RequestHandler = (request, _response, next) => {
  if (hasBody(request) && !request.is('application/json')) {
    throw new AppError('unsupported_media_type', { values: { supported: 'application/json' } });
  }
  next();
};

const notFound: RequestHandler = () => {
  throw new AppError('not_found');
};
