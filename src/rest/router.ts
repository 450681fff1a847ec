import express, { type RequestHandler, type Router } from 'express';
import { requireCaller } from '../auth/caller.ts';
import type { GraphQLServer } from '../graphql/server.ts';
import { noStore, revalidate } from '../http/cache-control.ts';
import type { CreateContext } from '../http/context.ts';
import { allowMethods } from '../http/methods.ts';
import { readBody } from './body.ts';
import { getCities } from './cities.ts';
import type { TypedDocumentString } from './documents.generated.ts';
import { V1CountriesDocument, V1ServicesDocument, V1TimezonesDocument } from './documents.generated.ts';
import { createExecute, type Execute } from './execute.ts';
import { getLookups } from './lookups.ts';
import { postProductTag, putProductTag } from './product-tags.ts';

/** The frozen v1 surface: each route is a GraphQL document and a rendering of its answer. */
export function restRouter(server: GraphQLServer, createContext: CreateContext): Router {
  const execute = createExecute(server, createContext);
  const authenticate = requireToken(createContext);
  const router = express.Router();

  const reference: Record<string, RequestHandler> = {
    '/lookups': getLookups(execute),
    '/countries': getList(execute, V1CountriesDocument),
    '/cities': getCities(execute),
    '/timezones': getList(execute, V1TimezonesDocument),
    '/services': getList(execute, V1ServicesDocument),
  };
  for (const [path, handler] of Object.entries(reference)) {
    router.route(path).all(allowMethods('GET', 'HEAD')).get(revalidate, handler);
  }
  router
    .route('/product_tags')
    .all(allowMethods('POST'))
    .post(noStore, authenticate, readBody, postProductTag(execute));
  router
    .route('/product_tags/:id')
    .all(allowMethods('PUT'))
    .put(noStore, authenticate, readBody, putProductTag(execute));
  return router;
}

// A list whose document is its whole shape.
function getList<Data>(
  execute: Execute,
  document: TypedDocumentString<Data, { [key: string]: never }>,
): RequestHandler {
  return async (_request, response) => {
    response.json(await execute(response, document, {}));
  };
}

// Before the body is read: what a stranger sends is not looked at.
function requireToken(createContext: CreateContext): RequestHandler {
  return async (_request, response, next) => {
    await requireCaller(createContext(response));
    next();
  };
}
