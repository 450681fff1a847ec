import { expressMiddleware } from '@as-integrations/express5';
import express, { type ErrorRequestHandler, type Request, type RequestHandler, type Router } from 'express';
import type { Logger } from 'pino';
import { AppError } from '../errors/app-error.ts';
import { statusOf } from '../errors/catalog.ts';
import { logFailure } from '../errors/log-failure.ts';
import { toAppError } from '../errors/to-app-error.ts';
import { bodyLimit, hasBody, requireFittingBody, verifyText } from '../http/body.ts';
import { noStore } from '../http/cache-control.ts';
import type { CreateContext } from '../http/context.ts';
import { allowMethods } from '../http/methods.ts';
import { ensureWithinLimits } from './document-limits.ts';
import { formatAppError } from './errors.ts';
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
  return express
    .Router()
    .use(noStore, requireExactPath, allowMethods('GET', 'POST'))
    .use(requireAcceptable, requireJson, requireFittingBody)
    .use(express.json({ limit: bodyLimit, verify: verifyText }))
    .use(
      expressMiddleware(server, {
        async context({ req, res }) {
          const text = documentTextOf(req);
          if (text !== undefined) ensureWithinLimits(text, limits, refusalStatus(req.headers.accept));
          return createContext(res);
        },
      }),
    )
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

// Before anything runs: Apollo would find out about it with the answer in hand. Its page for browsers is HTML.
const requireAcceptable: RequestHandler = (request, _response, next) => {
  const { accept } = request.headers;
  const isPage = request.method === 'GET' && request.accepts('text/html');
  if (!isPage && negotiateMediaType(accept) === undefined) {
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
