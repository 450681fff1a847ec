import type { Request, Response } from 'express';
import type { GraphQLSchema } from 'graphql';
import type { Logger } from 'pino';
import type { TokenUsage } from '../domain/partner/tokens/token-usage.ts';
import type { ReferenceData } from '../domain/reference/reference-data.ts';
import { contextFactory } from '../domain/request/context-factory.ts';
import type { Database } from '../domain/tables.ts';
import { AppError } from '../kernel/errors/app-error.ts';
import { type Answer, settleHeaders } from '../platform/http/answer.ts';
import { type AnswerCache, answerFrom } from '../platform/http/answer-cache.ts';
import { cors } from '../platform/http/cors.ts';
import { type Health, probes } from '../platform/http/health.ts';
import { requireHost } from '../platform/http/host.ts';
import { chain, type Handler } from '../platform/http/middleware.ts';
import { type LoadShedder, shedLoad } from '../platform/http/overload.ts';
import { type CreateLimiter, createRateLimits, rateLimit } from '../platform/http/rate-limit.ts';
import { withRequestScope } from '../platform/http/request-scope.ts';
import { securityHeaders } from '../platform/http/security-headers.ts';
import { closeWhen } from '../platform/http/server.ts';
import { observeRequests } from '../platform/observability/observe.ts';
import type { RequestMetrics } from '../platform/observability/request-metrics.ts';
import { serverTiming } from '../platform/observability/server-timing.ts';
import type { Tracing } from '../platform/observability/tracing.ts';
import type { GraphQLServer } from '../surfaces/graphql/server.ts';
import { createPages } from '../surfaces/pages/router.ts';
import { createDocument } from '../surfaces/rest/openapi/document.ts';
import type { Config } from './config.ts';
import { answerError, createSurfaces, isGraphQL, isSurface } from './surfaces.ts';

interface Parts {
  answers: AnswerCache;
  config: Config;
  /** Where requests are counted; by default in this process. */
  createLimiter: CreateLimiter | undefined;
  db: Database;
  graphql: GraphQLServer;
  isDraining: () => boolean;
  log: Logger;
  metrics: RequestMetrics | undefined;
  health: Health;
  referenceData: ReferenceData;
  schema: GraphQLSchema;
  shedder: LoadShedder;
  tokenUsage: TokenUsage;
  tracing: Tracing | undefined;
  typeDefs: string;
}

/** A request's way: its scope, its log line, the probes, the limits, then the surface that it is for. */
export function createHandler(parts: Parts): Handler {
  const { answers, config, createLimiter, db, graphql, health, isDraining, log, metrics, referenceData, schema } =
    parts;
  const { shedder, tokenUsage, tracing, typeDefs } = parts;
  const { lookupPageSize } = config;
  const countRequest = createRateLimits(config, createLimiter);
  const createContext = contextFactory({ db, countRequest, lookupPageSize, referenceData, tokenUsage });
  const refuse = (response: Answer, error: unknown) => {
    settleHeaders(response);
    answerError(log, response, error);
  };
  const versionOf = () => referenceData.current;
  const pages = createPages({ config, graphql, createContext, log, typeDefs, versionOf });
  const describeRest = () => createDocument(schema, config);
  const surfaces = createSurfaces(graphql, createContext, config.documentLimits, log, describeRest, pages);
  return chain(
    [
      withRequestScope,
      observeRequests({ log, metrics, tracing }),
      ...(config.serverTiming ? [serverTiming] : []),
      securityHeaders,
      closeWhen(isDraining),
      probes(health),
      // Before whatever refuses: a page has to read why.
      ...(config.corsOrigins.length > 0 ? [cors(config.corsOrigins, isSurface)] : []),
      // Before whatever else refuses: what is left of the limits is on every answer.
      rateLimit(countRequest, isGraphQL, refuse),
      requireHost(refuse),
      shedLoad(shedder, refuse),
      // What a token is needed for is not answered without looking at it.
      ...(config.referenceAccess === 'public' ? [answerFrom(answers, isGraphQL)] : []),
    ],
    (request, response) => {
      settleHeaders(response);
      // What Express cannot route, as its target is no URL, it gives back.
      surfaces(request as Request, response as unknown as Response, () =>
        refuse(response, new AppError('malformed_request')),
      );
    },
  );
}
