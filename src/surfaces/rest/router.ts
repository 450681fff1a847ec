import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import express, { type RequestHandler, type Router } from 'express';
import type { GraphQLSchema } from 'graphql';
import { packageFolder } from '../../kernel/package.ts';
import { restPath } from '../../kernel/request/surface-path.ts';
import { EncodedBody } from '../../platform/cache/encoded-body.ts';
import type { ResponseCache } from '../../platform/cache/response-cache.ts';
import { addRoutes, type Guards, noStore, pageRoute, type Route } from '../../platform/http/routes.ts';
import { getContext, type ReferenceAccess } from '../request/context.ts';
import { productTagRoutes } from './product-tag-routes.ts';
import { referenceRoutes } from './reference-routes.ts';
import { createRunDocument } from './run-document.ts';

/** The frozen REST v1. Each route runs a GraphQL document and renders its result. */
export function restRouter(schema: GraphQLSchema, responses: ResponseCache, referenceAccess: ReferenceAccess): Router {
  const runDocument = createRunDocument(schema);
  const routes = [...referenceRoutes(runDocument, responses), ...productTagRoutes(runDocument)];
  const index = {
    routes: routes.map(({ methods: [method], path }) => ({ method, path: restPath + path.replace(':id', '{id}') })),
    openapi: `${restPath}/openapi.json`,
    docs: '/docs',
  };
  // The build writes it from openapi.yaml.
  const description = readFileSync(join(packageFolder, 'dist/src/openapi.json'), 'utf8');
  const documents = [
    documentRoute('/', JSON.stringify(index), 'json'),
    documentRoute('/openapi.json', description, 'json'),
  ];
  const requireToken: RequestHandler = async (_request, response, next) => {
    await getContext(response).requireCaller();
    next();
  };
  const requireWriteAccess: RequestHandler = async (_request, response, next) => {
    await getContext(response).requireWriteAccess();
    next();
  };
  const allowStorage: RequestHandler = (_request, response, next) => {
    response.set('Cache-Control', getContext(response).referenceCacheControl);
    next();
  };
  const guards: Guards = {
    // Looks up no token, so that public reads work without the database.
    reference: referenceAccess === 'public' ? [allowStorage] : [allowStorage, requireToken],
    // Rejects callers without write access before waiting for the body. The schema checks again.
    partner: [noStore, requireWriteAccess],
  };
  return addRoutes(express.Router({ caseSensitive: true }), restPath, [...routes, ...documents], guards);
}

/** As in Rails, `/countries.json` means `/countries`. Runs before routing. */
export const dropFormat: RequestHandler = (request, _response, next) => {
  const { path } = request;
  if (path.startsWith(restPath) && !/\/openapi\.json\/?$/.test(path))
    request.url = request.url.replace(/^([^?]*[^/?])\.json\/?(?=\?|$)/, '$1');
  next();
};

export function documentRoute(path: string, text: string, type: 'json' | 'text/plain'): Route {
  const body = new EncodedBody(text);
  return pageRoute(path, (_request, response) => {
    response.set({ 'Cache-Control': 'public, no-cache', 'Content-Language': 'en' }).type(type);
    void body.send(response);
  });
}
