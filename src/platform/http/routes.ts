import type { Request, RequestHandler, Router } from 'express';
import { AppError } from '../../kernel/errors/app-error.ts';
import type { Endpoint } from '../../kernel/request/scope.ts';
import { noteEndpoint } from '../../kernel/request/scope.ts';

/**
 * Who may use a route: anyone who may read reference data (REFERENCE_ACCESS says who), a partner with a live token,
 * whoever the GraphQL schema lets, field by field, or everybody, as pages have nothing of anybody's.
 */
type Access = 'reference' | 'partner' | 'schema' | 'page';

export interface Route {
  methods: ('GET' | 'HEAD' | 'POST' | 'PUT')[];
  path: string;
  access: Access;
  handlers: RequestHandler[];
  /** Where several routes share a path: which requests are this one's. */
  isFor?: (request: Request) => boolean;
}

/** What runs before the handlers of a route, by its access. */
export type Guards = Partial<Record<Access, RequestHandler[]>>;

/**
 * Adds routes to a router that is mounted at the path `mount`, the only way to do so: each behind the guards of its declared
 * access. Other methods are refused (405 with `Allow`); OPTIONS is answered with what is allowed.
 */
export function addRoutes(router: Router, mount: string, routes: readonly Route[], guards: Guards): Router {
  for (const { methods, path, access, handlers, isFor = () => true } of routes) {
    const skipOthers: RequestHandler = (request, _response, next) => next(isFor(request) ? undefined : 'route');
    const guarded = [allowMethods(methods), declare(access), ...(guards[access] ?? []), ...handlers];
    router.route(path).all(skipOthers, note(mount + (mount !== '' && path === '/' ? '' : path), access), ...guarded);
  }
  return router;
}

// What GraphQL is asked for is known when its document is.
function note(route: string, access: Access): RequestHandler {
  const endpoint: Endpoint | undefined =
    access === 'schema' ? undefined : { surface: access === 'page' ? 'page' : 'rest', route };
  return (_request, _response, next) => {
    noteEndpoint(endpoint);
    next();
  };
}

// Leaves the access where a list of all routes finds it.
function declare(access: Access): RequestHandler & { access: Access } {
  return Object.assign<RequestHandler, { access: Access }>((_request, _response, next) => next(), { access });
}

function allowMethods(methods: string[]): RequestHandler {
  const allow = methods.join(', ');
  return (request, response, next) => {
    if (methods.includes(request.method)) return next();
    if (request.method !== 'OPTIONS') throw new AppError('method_not_allowed', { headers: { Allow: allow } });
    response.status(204).set('Allow', allow).end();
  };
}

/** The answer of every path that nothing serves. */
export const notFound: RequestHandler = () => {
  throw new AppError('not_found');
};
