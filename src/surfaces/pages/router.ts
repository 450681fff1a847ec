import express, { type Request, type RequestHandler } from 'express';
import { html } from '../../kernel/html.ts';
import { graphqlPath, restPath } from '../../kernel/request/surface-path.ts';
import { addRoutes, type Route } from '../../platform/http/routes.ts';
import { documentRoute } from '../rest/router.ts';
import { serveAsset } from './assets.ts';
import { renderDocs, renderExplorer, renderSandbox } from './embeds.ts';
import { readGuides, readSearchIndex, renderGuide, renderIndex } from './guides.ts';
import { renderHome } from './home.ts';
import { prefersMarkdown, sendIndex, sendMarkdown } from './markdown.ts';
import { pageSender, type Render } from './page.ts';
import type { Config, Page, View } from './view.ts';

/** The pages for developers, which contain no partner's data and count as reads. `typeDefs` is the schema in SDL. */
export function createPages(config: Config, typeDefs: string) {
  const send = pageSender(config);
  const page = (path: string, render: Render) => route(path, send(path, render));
  const guides = readGuides(config);
  const routes = [
    page('/', renderHome),
    page('/explorer', renderExplorer),
    page('/docs', renderDocs),
    page('/guides', (view) => renderIndex(view, guides)),
    documentRoute('/guides/search.json', readSearchIndex(config), 'json'),
    route('/llms.txt', sendIndex(guides, config.introspection)),
    ...guides.flatMap((guide) => [
      route(`/guides/${guide.name}.md`, sendMarkdown(guide)),
      { ...route(`/guides/${guide.name}`, sendMarkdown(guide)), isFor: prefersMarkdown },
    ]),
    ...guides.map((guide) => page(`/guides/${guide.name}`, (view) => renderGuide(view, guides, guide))),
    route('/assets/:version/*path', serveAsset),
    ...(config.introspection ? [documentRoute('/schema.graphql', `${typeDefs}\n`, 'text/plain')] : []),
  ];
  const sandbox = { ...route('/', send(graphqlPath, renderSandbox)), isFor: prefersPage };
  const sendNotFound = send('', renderNotFound, 404);
  // Browsers get a page; other clients and unknown REST paths get a JSON error.
  const notFound: RequestHandler = (request, response, next) =>
    prefersPage(request) && !request.path.startsWith(restPath) ? sendNotFound(request, response, next) : next();
  return {
    atRoot: addRoutes(express.Router({ caseSensitive: true }), '', routes),
    atGraphQL: addRoutes(express.Router({ caseSensitive: true }), graphqlPath, [sandbox]),
    notFound,
  };
}

function route(path: string, handler: RequestHandler): Route {
  return { methods: ['GET', 'HEAD'], path, access: 'page', handlers: [handler] };
}

const types = ['application/json', 'application/graphql-response+json', 'text/html'];

/** Whether the client is a browser that requests a page. */
function prefersPage(request: Request): boolean {
  return (request.method === 'GET' || request.method === 'HEAD') && request.accepts(types) === 'text/html';
}

function renderNotFound({ locale, text }: View): Page {
  const body = html`<h1>${text.notFound}</h1>
<p class="lead">${text.notFoundHint}</p>
<p><a class="button" href="/?lang=${locale}">${text.home}</a></p>`;
  return { title: text.notFound, body };
}
