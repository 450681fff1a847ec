import type { Request, RequestHandler, Router } from 'express';
import { AppError } from '../../kernel/errors/app-error.ts';
import type { Hint } from '../../kernel/errors/catalog.ts';
import type { Endpoint } from '../../kernel/request/scope.ts';
import type { Method } from './methods.ts';
import { send } from './send.ts';

/**
 * The callers of a route: those that may read reference data (REFERENCE_ACCESS), partners whose token may write, those that
 * the GraphQL schema allows field by field, or everyone for pages, which contain no partner data.
 */
type Access = 'reference' | 'partner' | 'schema' | 'page';

export interface Route {
  /** Other routes may have other methods of the same path. */
  methods: Method[];
  path: string;
  access: Access;
  /** What the problem of a method adds that another API has. */
  hints?: Record<string, Hint>;
  /** Runs before the method is checked, and may replace it. */
  override?: RequestHandler;
  handlers: RequestHandler[];
  /** Selects the requests of this route if several routes share a path. */
  isFor?: (request: Request) => boolean;
}

/** A route of pages and documents, which everyone may read. */
export function pageRoute(path: string, handler: RequestHandler): Route {
  return { methods: ['GET', 'HEAD'], path, access: 'page', handlers: [handler] };
}

/** Handlers that run before a route's handlers, by its access. */
export type Guards = Partial<Record<Access, RequestHandler[]>>;

/**
 * Adds routes to a router mounted at the path `mount`; no route is added in another way. Each runs behind the guards of
 * its access. Other methods are rejected (405 with `Allow`), and OPTIONS returns the allowed ones.
 */
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

/** `ofPath` are the methods of all routes of the path: another route has those that this one has not. */
function checkMethod({ methods, hints = {} }: Route, ofPath: ReadonlySet<string>): RequestHandler {
  const own: string[] = methods;
  const allow = [...ofPath].join(', ');
  return (request, response, next) => {
    if (own.includes(request.method)) return next();
    if (ofPath.has(request.method)) return next('route');
    const hint = hints[request.method];
    if (request.method !== 'OPTIONS')
      throw new AppError('method_not_allowed', { headers: { Allow: allow }, ...(hint && { hint }) });
    send(response.set('Allow', allow), 204);
  };
}

export const notFound: RequestHandler = () => {
  throw new AppError('not_found');
};

/** The response belongs to its caller: clients and proxies must not store it. */
export const noStore: RequestHandler = (_request, response, next) => {
  response.set('Cache-Control', 'private, no-store');
  next();
};
