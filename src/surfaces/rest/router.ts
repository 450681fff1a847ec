import express, { type RequestHandler, type Router } from 'express';
import { requireCaller } from '../../domain/request/caller.ts';
import type { CreateContext } from '../../domain/request/context-factory.ts';
import { restPath } from '../../kernel/request/surface-path.ts';
import { addRoutes, type Guards, noStore, type Route, revalidate } from '../../platform/http/routes.ts';
import { readBody } from './body.ts';
import { createExecute, type DocumentServer } from './execute.ts';
import { operations } from './operations.ts';

/** The frozen v1 surface: each route is a GraphQL document and a rendering of its answer. */
export function restRouter(server: DocumentServer, createContext: CreateContext): Router {
  const execute = createExecute(server, createContext);
  const routes = operations.map(
    ({ method, path, access, handle }): Route => ({
      methods: method === 'GET' ? ['GET', 'HEAD'] : [method],
      path,
      access,
      handlers: method === 'GET' ? [handle(execute)] : [...readBody, handle(execute)],
    }),
  );
  // A token is asked for before the body is read: what a stranger sends is not looked at. The schema sees to the rest.
  const guards: Guards = {
    reference: [revalidate],
    partner: [noStore, requireToken(createContext)],
    page: [revalidate],
  };
  return addRoutes(express.Router(), restPath, routes, guards);
}

function requireToken(createContext: CreateContext): RequestHandler {
  return async (_request, response, next) => {
    await requireCaller(createContext(response));
    next();
  };
}
