import type { IncomingMessage, ServerResponse } from 'node:http';
import express, { type ErrorRequestHandler, type Express } from 'express';
import type { Logger } from 'pino';
import type { CreateContext } from '../domain/request/context.ts';
import type { Surface } from '../kernel/request/scope.ts';
import { graphqlPath, restPath } from '../kernel/request/surface-path.ts';
import { notFound } from '../platform/http/routes.ts';
import type { DocumentLimits } from '../surfaces/graphql/document-limits.ts';
import { sendError } from '../surfaces/graphql/errors.ts';
import { graphqlRouter } from '../surfaces/graphql/router.ts';
import type { GraphQLServer } from '../surfaces/graphql/server.ts';
import type { Pages } from '../surfaces/pages/router.ts';
import { sendProblem } from '../surfaces/rest/problem.ts';
import { restRouter } from '../surfaces/rest/router.ts';

/** All routes but the probes: both surfaces and the pages. */
export function createSurfaces(
  graphql: GraphQLServer,
  createContext: CreateContext,
  limits: DocumentLimits,
  reject: (response: ServerResponse, error: unknown) => void,
  pages: Pages,
): Express {
  const handleError: ErrorRequestHandler = (error, _request, response, _next) => reject(response, error);
  return express()
    .disable('x-powered-by')
    .use(graphqlPath, pages.atGraphQL, graphqlRouter(graphql, createContext, limits))
    .use(restPath, restRouter(graphql, createContext))
    .use(pages.atRoot, pages.notFound)
    .use(notFound, handleError);
}

// The target may be a whole URL.
const surfacePath = /^(?:https?:\/\/[^/?#]+)?\/(?:(graphql)|partner_portal)(?![^/?#])/i;

/** The surface to which Express would route a URL; `none` for pages and unknown paths. */
export function surfaceOf(url = ''): Surface {
  const match = surfacePath.exec(url);
  if (match === null) return 'none';
  return match[1] === undefined ? 'rest' : 'graphql';
}

export const isGraphQL = ({ url }: Pick<IncomingMessage, 'url'>) => surfaceOf(url) === 'graphql';

export const isSurface = ({ url }: Pick<IncomingMessage, 'url'>) => surfaceOf(url) !== 'none';

/** Responds with an error in the format of the request's surface. */
export function rejectOnSurface(
  log: Logger,
  errorDocsUrl: string | undefined,
  response: ServerResponse,
  error: unknown,
): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  if (isGraphQL(response.req)) sendError(log, response, error);
  else sendProblem(log, errorDocsUrl, response, error);
}
