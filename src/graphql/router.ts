import { expressMiddleware } from '@as-integrations/express5';
import express, { type ErrorRequestHandler, type RequestHandler, type Router } from 'express';
import type { Logger } from 'pino';
import { AppError } from '../errors/app-error.ts';
import { statusOf } from '../errors/catalog.ts';
import { logFailure } from '../errors/log-failure.ts';
import { toAppError } from '../errors/to-app-error.ts';
import { bodyLimit, hasBody, verifyText } from '../http/body.ts';
import { noStore } from '../http/cache-control.ts';
import type { CreateContext } from '../http/context.ts';
import { allowMethods } from '../http/methods.ts';
import { formatAppError } from './errors.ts';
import type { GraphQLServer } from './server.ts';

/** The GraphQL surface: what HTTP refuses before GraphQL sees it is answered in GraphQL's format too. */
export function graphqlRouter(server: GraphQLServer, createContext: CreateContext, log: Logger): Router {
  return express
    .Router()
    .use(noStore, requireExactPath, allowMethods('GET', 'POST'))
    .use(requireJson)
    .use(express.json({ limit: bodyLimit, verify: verifyText }))
    .use(expressMiddleware(server, { context: async ({ res }) => createContext(res) }))
    .use(answerError(log));
}

const requireExactPath: RequestHandler = (request, _response, next) => {
  if (request.path !== '/') throw new AppError('not_found');
  next();
};

const requireJson: RequestHandler = (request, _response, next) => {
  if (hasBody(request) && !request.is('application/json')) {
    throw new AppError('unsupported_media_type', { values: { supported: 'application/json' } });
  }
  next();
};

function answerError(log: Logger): ErrorRequestHandler {
  return (error, _request, response, next) => {
    if (response.headersSent) return next(error);
    const appError = toAppError(error);
    logFailure(log, appError);
    response
      .status(statusOf(appError.code))
      .set(appError.headers)
      .json({ errors: [formatAppError(appError)] });
  };
}
