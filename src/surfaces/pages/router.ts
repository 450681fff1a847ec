import express, { type RequestHandler, type Router } from 'express';
import { html } from '../../kernel/html.ts';
import { graphqlPath, restPath } from '../../kernel/request/surface-path.ts';
import { declarePublic } from '../../platform/http/response-cache.ts';
import { addRoutes, type Guards, type Route } from '../../platform/http/routes.ts';
import { documentRoute } from '../rest/router.ts';
import { readAssets } from './assets.ts';
import { demoTokenFinder } from './demo-token.ts';
import { readGuides } from './guides.ts';
import { renderHome } from './home.ts';
import { type Page, pageSender, prefersPage, type Render, type View } from './page.ts';
import { renderDocs, renderExplorer, renderSandbox } from './tools.ts';

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
  const { databaseUrl, dataDir, introspection, referenceAccess } = config;
  const isEmbedded = databaseUrl === undefined;
  const service = { isClosed: referenceAccess === 'partner', isEmbedded, hasSchema: introspection };
  const assets = readAssets();
  const send = pageSender(assets, service, demoTokenFinder(databaseUrl, dataDir));
  const pages: [path: string, render: Render][] = [
    ['/', renderHome],
    ['/explorer', renderExplorer],
    ['/docs', renderDocs],
    ...readGuides(),
  ];
  const routes = [
    ...pages.map(([path, render]) => route(path, send(render))),
    route('/assets/:version/*name', assets.serve),
    ...(introspection ? [documentRoute('/schema.graphql', `${typeDefs}\n`, 'text/plain')] : []),
  ];
  const sandbox = { ...route('/', send(renderSandbox)), isFor: prefersPage };
  const sendNotFound = send(renderNotFound, 404);
  return {
    atRoot: addRoutes(express.Router(), '', routes, guards),
    atGraphQL: addRoutes(express.Router(), graphqlPath, [sandbox], guards),
    // A page for browsers; other clients, and unknown paths of REST, get a JSON error.
    notFound: (request, response, next) =>
      prefersPage(request) && !request.path.startsWith(restPath) ? sendNotFound(request, response, next) : next(),
  };
}

function route(path: string, handler: RequestHandler): Route {
  return { methods: ['GET', 'HEAD'], path, access: 'page', handlers: [handler] };
}

// A page depends on the host and the address of its request.
const skipCache: RequestHandler = (_request, response, next) => {
  declarePublic(response, false);
  next();
};

const guards: Guards = { page: [skipCache] };

function renderNotFound({ locale, text }: View): Page {
  const body = html`<h1>${text.notFound}</h1>
<p class="lead">${text.notFoundHint}</p>
<p><a class="button" href="/?lang=${locale}">${text.home}</a></p>`;
  return { path: '', title: text.notFound, kind: 'document', body };
}
