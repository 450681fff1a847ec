import type { Request, RequestHandler, Router } from 'express';
import { AppError } from '../../kernel/errors/app-error.ts';
import type { Hint } from '../../kernel/errors/catalog.ts';
import type { Endpoint } from '../../kernel/request/scope.ts';
import { send } from './send.ts';

export const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH'] as const;

export type Method = (typeof methods)[number];

export function isMethod(text: string): text is Method {
  return methods.some((method) => method === text);
}

/** `reference` depends on REFERENCE_ACCESS; the GraphQL schema decides on `schema` field by field; everyone may read a `page`. */
type Access = 'reference' | 'partner' | 'schema' | 'page';

export interface Route {
  methods: Method[];
  path: string;
  access: Access;
  hints?: Record<string, Hint>;
  /** Runs before the method is checked, and may replace it. */
  override?: RequestHandler;
  handlers: RequestHandler[];
  /** Selects the requests of this route if routes share a path. */
  isFor?: (request: Request) => boolean;
}

export function pageRoute(path: string, handler: RequestHandler): Route {
  return { methods: ['GET', 'HEAD'], path, access: 'page', handlers: [handler] };
}

export type Guards = Partial<Record<Access, RequestHandler[]>>;

/** The only way to add a route. Routes run behind the guards of their access; other methods get 405 with `Allow`. */
export function addRoutes(router: Router, mount: string, routes: readonly Route[], guards: Guards = {}): Router {
  for (const route of routes) {
    const { access, path, override = [], handlers } = route;
    const methods = new Set(routes.filter((other) => other.path === path).flatMap((other) => other.methods));
    router
      .route(path)
      .all(recordEndpoint(route, mount), override, checkMethod(route, methods), guards[access] ?? [], handlers);
  }
  return router;
}

function recordEndpoint({ path, access, isFor }: Route, mount: string): RequestHandler {
  const route = mount + (mount !== '' && path === '/' ? '' : path);
  // The endpoint of a GraphQL request depends on its document.
  const endpoint: Endpoint | undefined =
    access === 'schema' ? undefined : { surface: access === 'page' ? 'page' : 'rest', route };
  return (request, response, next) => {
    if (isFor?.(request) === false) return next('route');
    response.locals.context.endpoint = endpoint;
    response.locals.context.isCacheable = access === 'reference';
    next();
  };
}

function checkMethod({ methods, hints = {} }: Route, pathMethods: ReadonlySet<string>): RequestHandler {
  const routeMethods: string[] = methods;
  const allow = [...pathMethods].join(', ');
  return (request, response, next) => {
    if (routeMethods.includes(request.method)) return next();
    if (pathMethods.has(request.method)) return next('route');
    const hint = hints[request.method];
    if (request.method !== 'OPTIONS')
      throw new AppError('method_not_allowed', { headers: { Allow: allow }, ...(hint && { hint }) });
    send(response.set('Allow', allow), 204);
  };
}

export const notFound: RequestHandler = () => {
  throw new AppError('not_found');
};

export const noStore: RequestHandler = (_request, response, next) => {
  response.set('Cache-Control', 'private, no-store');
  next();
};
