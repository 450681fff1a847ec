import express, { type RequestHandler, type Router } from 'express';
import { requireCaller } from '../auth/caller.ts';
import { noStore, revalidate } from '../http/cache-control.ts';
import type { CreateContext } from '../http/context.ts';
import { addRoutes, type Guards, type Route } from '../http/routes.ts';
import { readBody } from './body.ts';
import { getCities } from './cities.ts';
import type { TypedDocumentString } from './documents.generated.ts';
import { V1CountriesDocument, V1ServicesDocument, V1TimezonesDocument } from './documents.generated.ts';
import { createExecute, type DocumentServer, type Execute } from './execute.ts';
import { getLookups } from './lookups.ts';
import { postProductTag, putProductTag } from './product-tags.ts';

/** The frozen v1 surface: each route is a GraphQL document and a rendering of its answer. */
export function restRouter(server: DocumentServer, createContext: CreateContext): Router {
  const execute = createExecute(server, createContext);
  const routes: Route[] = [
    reference('/lookups', getLookups(execute)),
    reference('/countries', getList(execute, V1CountriesDocument)),
    reference('/cities', getCities(execute)),
    reference('/timezones', getList(execute, V1TimezonesDocument)),
    reference('/services', getList(execute, V1ServicesDocument)),
    partner('POST', '/product_tags', postProductTag(execute)),
    partner('PUT', '/product_tags/:id', putProductTag(execute)),
  ];
  // A token is asked for before the body is read: what a stranger sends is not looked at. The schema sees to the rest.
  const guards: Guards = { reference: [revalidate], partner: [noStore, requireToken(createContext)] };
  return addRoutes(express.Router(), routes, guards);
}

function reference(path: string, handler: RequestHandler): Route {
  return { methods: ['GET', 'HEAD'], path, access: 'reference', handlers: [handler] };
}

function partner(method: 'POST' | 'PUT', path: string, handler: RequestHandler): Route {
  return { methods: [method], path, access: 'partner', handlers: [...readBody, handler] };
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

function requireToken(createContext: CreateContext): RequestHandler {
  return async (_request, response, next) => {
    await requireCaller(createContext(response));
    next();
  };
}
