import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import type { TokenUsage } from '../domain/partner/tokens/token-usage.ts';
import type { ReferenceData } from '../domain/reference/reference-data.ts';
import { contextFactory } from '../domain/request/context.ts';
import type { Database } from '../domain/tables.ts';
import { AppError } from '../kernel/errors/app-error.ts';
import { readInTurn } from '../platform/http/body.ts';
import { oneAtATime } from '../platform/http/connections.ts';
import { cors } from '../platform/http/cors.ts';
import { type Health, probes } from '../platform/http/health.ts';
import { chain, closeWhen, type Handler, type Reject } from '../platform/http/middleware.ts';
import type { LoadShedder } from '../platform/http/overload.ts';
import { type CreateLimiter, createRateLimits, rateLimit } from '../platform/http/rate-limit.ts';
import { checkHeaders, dropLongHeaders } from '../platform/http/request-headers.ts';
import { withRequestScope } from '../platform/http/request-scope.ts';
import { settleHeaders } from '../platform/http/response.ts';
import { type ResponseCache, serveCached } from '../platform/http/response-cache.ts';
import type { Metrics } from '../platform/observability/metrics.ts';
import { observeRequests } from '../platform/observability/observe.ts';
import { serverTiming } from '../platform/observability/server-timing.ts';
import type { Tracing } from '../platform/observability/tracing.ts';
import type { GraphQLServer } from '../surfaces/graphql/server.ts';
import { createPages } from '../surfaces/pages/router.ts';
import type { Config } from './config.ts';
import { createSurfaces, isGraphQL, isSurface, rejectOnSurface } from './surfaces.ts';

interface Parts {
  config: Config;
  /** Where requests are counted; by default in this process. */
  createLimiter: CreateLimiter | undefined;
  db: Database;
  graphql: GraphQLServer;
  health: Health;
  isDraining: () => boolean;
  log: Logger;
  metrics: Metrics | undefined;
  referenceData: ReferenceData;
  responses: ResponseCache;
  shedder: LoadShedder;
  tokenUsage: TokenUsage;
  tracing: Tracing | undefined;
  typeDefs: string;
}

/** The steps of every request: its scope and log line, the probes, the limits, the cache, then its surface. */
export function createHandler(parts: Parts): Handler {
  const { config, graphql, health, isDraining, log, metrics, shedder, tracing, typeDefs } = parts;
  const countRequest = createRateLimits(config, parts.createLimiter);
  const createContext = contextFactory({ ...parts, countRequest, lookupPageSize: config.lookupPageSize });
  const rejectRouted = rejectOnSurface.bind(undefined, log, config.errorDocsUrl);
  const reject: Reject = (response, error) => {
    settleHeaders(response);
    rejectRouted(response, error);
  };
  const pages = createPages(config, typeDefs);
  const surfaces = createSurfaces(graphql, createContext, config.documentLimits, rejectRouted, pages);
  return chain(
    [
      oneAtATime,
      dropLongHeaders,
      withRequestScope,
      observeRequests({ log, metrics, tracing }),
      ...(config.serverTiming ? [serverTiming] : []),
      closeWhen(isDraining),
      probes(health),
      // CORS headers come first so that browsers can read rejections, then the limits: every response shows what is left.
      ...(config.corsOrigins.length > 0 ? [cors(config.corsOrigins, isSurface)] : []),
      rateLimit(countRequest, isGraphQL, reject),
      checkHeaders(reject),
      // A response that needs a token must not come from the cache.
      ...(config.referenceAccess === 'public' ? [serveCached(parts.responses, isGraphQL)] : []),
      readInTurn(config.trustedProxies, reject),
      shedder.middleware(reject),
    ],
    (request, response) => {
      settleHeaders(response);
      // Express returns requests whose target is not a URL.
      surfaces(request as Request, response as unknown as Response, () =>
        reject(response, new AppError('malformed_request')),
      );
    },
  );
}
