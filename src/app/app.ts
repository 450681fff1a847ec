// Must load before modules that use type-graphql's decorators.
import 'reflect-metadata';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import type { Logger } from 'pino';
import { reportError } from '../kernel/errors/app-error.ts';
import { graphqlPath, isGraphQL, restPath } from '../kernel/request/surface-path.ts';
import { serveCached } from '../platform/cache/response-cache.ts';
import { createAddressReader, warnAboutProxies } from '../platform/http/client-address.ts';
import { cors } from '../platform/http/cors.ts';
import { checkHost, closeConnections, setGraphQLVary, setHeaders } from '../platform/http/headers.ts';
import { type Health, probes } from '../platform/http/health.ts';
import { checkPath, normalizePath } from '../platform/http/path.ts';
import { notFound } from '../platform/http/routes.ts';
import { observeRequests } from '../platform/observability/observe.ts';
import { createRateLimits, rateLimit } from '../platform/rate-limit/rate-limit.ts';
import { sendError } from '../surfaces/graphql/errors.ts';
import { graphqlRouter } from '../surfaces/graphql/router.ts';
import { createPages } from '../surfaces/pages/router.ts';
import { startRequest } from '../surfaces/request/context.ts';
import { sendProblem } from '../surfaces/rest/problem.ts';
import { referenceKey } from '../surfaces/rest/reference-routes.ts';
import { dropFormat, restRouter } from '../surfaces/rest/router.ts';
import type { Config } from './config.ts';
import type { Resources } from './resources.ts';

interface Options extends Resources {
  config: Config;
  health: Health;
  isDraining: () => boolean;
  log: Logger;
}

export function createApp(options: Options): Express {
  const { config, graphql, health, isDraining, log, responses, schema, sharedLimits, typeDefs } = options;
  const { lookupPageSize, referenceAccess, trustedProxies } = config;
  const countRequest = createRateLimits(config, sharedLimits?.createLimiter);
  const pages = createPages(config, typeDefs);

  return express()
    .set('trust proxy', trustedProxies)
    .disable('x-powered-by')
    .enable('case sensitive routing')
    .use(
      startRequest({
        ...options,
        getAddress: createAddressReader(trustedProxies),
        countRequest,
        lookupPageSize,
        referenceAccess,
      }),
      observeRequests(options),
      setHeaders,
      warnAboutProxies(trustedProxies, log),
      normalizePath,
      setGraphQLVary,
      closeConnections(isDraining),
      // Before the steps that reject, so that browsers can read the response.
      config.corsOrigins.length > 0 ? cors(config.corsOrigins) : skip,
      checkPath,
      checkHost,
      probes(health),
      rateLimit(countRequest),
      dropFormat,
      // Reads the body of a POST to GraphQL, which is part of the cache key.
      referenceAccess === 'public' ? serveCached(responses, referenceKey) : skip,
    )
    .use(graphqlPath, pages.atGraphQL, graphqlRouter(graphql, responses))
    .use(restPath, restRouter(schema, responses, referenceAccess))
    .use(pages.atRoot, pages.notFound)
    .use(notFound)
    .use(handleError(log));
}

const skip: RequestHandler = (_request, _response, next) => next();

function handleError(log: Logger): ErrorRequestHandler {
  return (thrown, request, response, _next) => {
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const error = reportError(log, thrown);
    // For the log. The document of a REST route may have set the code of its first user error.
    response.locals.context.code = error.code;
    response.set({ ...error.headers, 'Cache-Control': 'private, no-store' });
    if (isGraphQL(request)) sendError(response, error);
    else sendProblem(response, error);
  };
}
