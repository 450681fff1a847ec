import express, { type RequestHandler, type Router } from 'express';
import { graphqlPath, restPath } from '../../kernel/request/surface-path.ts';
import { CachedResponse } from '../../platform/http/cached-response.ts';
import { declarePublic } from '../../platform/http/response-cache.ts';
import { addRoutes, type Guards, type Route } from '../../platform/http/routes.ts';
import { type Assets, readAssets } from './assets.ts';
import { demoTokenFinder } from './demo-token.ts';
import { getDocs } from './docs.ts';
import { getExplorer } from './explorer.ts';
import { getHome } from './home.ts';
import { html } from './html.ts';
import { layout } from './layout.ts';
import { localeOf, policy, prefersPage, setPageHeaders } from './page.ts';
import { getSandbox } from './sandbox.ts';
import { texts } from './text.ts';

interface Config {
  databaseUrl: string | undefined;
  dataDir: string;
  introspection: boolean;
  referenceAccess: 'public' | 'partner';
}

/** The pages at their own paths, and the one at the path of the GraphQL surface. */
export interface Pages {
  atRoot: Router;
  atGraphQL: Router;
  notFound: RequestHandler;
}

/** The pages for developers. They hold no partner's data and count as reads. `typeDefs` is the schema in SDL. */
export function createPages(config: Config, typeDefs: string): Pages {
  const assets = readAssets();
  const findDemoToken = demoTokenFinder(config.databaseUrl, config.dataDir);
  const { introspection } = config;
  const routes: Route[] = [
    page(
      '/',
      getHome({
        assets,
        findDemoToken,
        isClosed: config.referenceAccess === 'partner',
        isEmbedded: config.databaseUrl === undefined,
        hasSchema: introspection,
      }),
    ),
    page('/explorer', getExplorer(assets, findDemoToken, introspection)),
    page('/docs', getDocs(assets, findDemoToken)),
    page('/assets/:version/*name', assets.serve),
    ...(introspection ? [page('/schema.graphql', getSchema(typeDefs))] : []),
  ];
  const sandbox: Route = { ...page('/', getSandbox(assets, findDemoToken)), isFor: prefersPage };
  return {
    atRoot: addRoutes(express.Router(), '', routes, guards),
    atGraphQL: addRoutes(express.Router(), graphqlPath, [sandbox], guards),
    notFound: getNotFound(assets),
  };
}

function page(path: string, handler: RequestHandler): Route {
  return { methods: ['GET', 'HEAD'], path, access: 'page', handlers: [handler] };
}

// A page depends on the host and the address of its request.
const skipCache: RequestHandler = (_request, response, next) => {
  declarePublic(response, false);
  next();
};

const guards: Guards = { page: [skipCache] };

/** GET /schema.graphql: the schema, for readers and code generators. */
function getSchema(typeDefs: string): RequestHandler {
  let schema: CachedResponse | undefined;
  return (_request, response) => {
    response.removeHeader('Content-Language');
    response.set({ 'Cache-Control': 'public, no-cache', 'Content-Security-Policy': policy() }).type('text/plain');
    schema ??= new CachedResponse(response, `${typeDefs}\n`);
    schema.send(response);
  };
}

/** Unknown paths outside REST: a page for browsers; other clients get a JSON error. */
function getNotFound(assets: Assets): RequestHandler {
  return (request, response, next) => {
    if (!prefersPage(request) || request.path.startsWith(restPath)) return next();
    const locale = localeOf(request);
    const text = texts[locale];
    const body = html`<h1>${text.notFound}</h1>
<p class="lead">${text.notFoundHint}</p>
<p><a class="button" href="/?lang=${locale}">${text.home}</a></p>`;
    setPageHeaders(response, { locale, isSecret: true });
    const title = text.notFound;
    response.status(404).send(layout({ assets, locale, path: '', title, kind: 'document', body }).toString());
  };
}
