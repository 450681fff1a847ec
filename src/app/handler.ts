import type { ServerResponse } from 'node:http';
import express, { type ErrorRequestHandler, type Request, type Response } from 'express';
import type { Logger } from 'pino';
import { contextFactory } from '../domain/request/context.ts';
import { AppError } from '../kernel/errors/app-error.ts';
import { graphqlPath, isGraphQL, restPath } from '../kernel/request/surface-path.ts';
import { collectBodies } from '../platform/http/body.ts';
import { oneAtATime } from '../platform/http/connections.ts';
import { cors } from '../platform/http/cors.ts';
import { type Health, probes } from '../platform/http/health.ts';
import { chain, closeWhen, type Handler } from '../platform/http/middleware.ts';
import { normalizePath } from '../platform/http/path.ts';
import { createRateLimits, rateLimit } from '../platform/http/rate-limit.ts';
import { checkHeaders, dropLongHeaders } from '../platform/http/request-headers.ts';
import { settleHeaders } from '../platform/http/response.ts';
import { serveCached } from '../platform/http/response-cache.ts';
import { notFound } from '../platform/http/routes.ts';
import { observeRequests } from '../platform/observability/observe.ts';
import { sendError } from '../surfaces/graphql/errors.ts';
import { graphqlRouter } from '../surfaces/graphql/router.ts';
import { createPages } from '../surfaces/pages/router.ts';
import { sendProblem } from '../surfaces/rest/problem.ts';
import { readOf } from '../surfaces/rest/reference-routes.ts';
import { dropFormat, restRouter } from '../surfaces/rest/router.ts';
import type { Config } from './config.ts';
import type { Services } from './services.ts';

interface Service extends Services {
  config: Config;
  health: Health;
  isDraining: () => boolean;
  log: Logger;
}

/** Handles a request in steps: scope and log line, headers, probes, rate limits, cache, then its surface. */
export function createHandler(service: Service): Handler {
  const { config, graphql, log, sharedLimits } = service;
  const { corsOrigins, errorDocsUrl, lookupPageSize, referenceAccess } = config;
  // Responds in the format of the request's surface.
  const reject = (response: ServerResponse, error: unknown) => {
    settleHeaders(response);
    if (response.headersSent) response.destroy();
    else if (isGraphQL(response.req)) sendError(log, response, error);
    else sendProblem(log, errorDocsUrl, response, error);
  };
  const handleError: ErrorRequestHandler = (error, _request, response, _next) => reject(response, error);
  const countRequest = createRateLimits(config, sharedLimits?.createLimiter);
  const createContext = contextFactory({ ...service, countRequest, lookupPageSize, referenceAccess });
  const pages = createPages(config, service.typeDefs);
  const surfaces = express()
    .set('trust proxy', config.trustedProxies)
    .disable('x-powered-by')
    .enable('case sensitive routing')
    .use(graphqlPath, pages.atGraphQL, graphqlRouter(graphql, createContext))
    .use(dropFormat)
    .use(restPath, restRouter(service.schema, createContext))
    .use(pages.atRoot, pages.notFound)
    .use(notFound, handleError);
  return chain(
    [
      collectBodies(config.trustedProxies),
      oneAtATime,
      dropLongHeaders,
      observeRequests(service),
      normalizePath,
      closeWhen(service.isDraining),
      // CORS headers come first so that browsers can read rejections.
      ...(corsOrigins.length > 0 ? [cors(corsOrigins)] : []),
      checkHeaders,
      probes(service.health),
      rateLimit(countRequest),
      // A response that needs a token must not come from the cache.
      ...(referenceAccess === 'public' ? [serveCached(service.responses, readOf)] : []),
    ],
    (request, response) => {
      settleHeaders(response);
      // Express calls this for requests whose target is not a URL.
      const rejectTarget = () => reject(response, new AppError('malformed_request'));
      surfaces(request as Request, response as unknown as Response, rejectTarget);
    },
    reject,
  );
}
