import express, { type Request, type RequestHandler } from 'express';
import { html } from '../../kernel/html.ts';
import { graphqlPath, restPath } from '../../kernel/request/surface-path.ts';
import { EncodedBody } from '../../platform/cache/encoded-body.ts';
import { negotiateType } from '../../platform/http/accept.ts';
import { addRoutes, pageRoute } from '../../platform/http/routes.ts';
import { send } from '../../platform/http/send.ts';
import { getContext } from '../request/context.ts';
import { documentRoute } from '../rest/router.ts';
import { serveAsset } from './assets.ts';
import { createCsp } from './csp.ts';
import { renderDocs, renderExplorer, renderSandbox } from './embeds.ts';
import { readGuides, readSearchIndex, renderGuide, renderIndex, searchField } from './guides.ts';
import { renderHome } from './home.ts';
import { layout } from './layout.ts';
import { prefersMarkdown, sendIndex, sendMarkdown } from './markdown.ts';
import { type Config, createView, type Page, type View } from './view.ts';

type Render = (view: View) => Page;

/** The pages for developers, which count as reads. `typeDefs` is the schema in SDL. */
export function createPages(config: Config, typeDefs: string) {
  const page = (path: string, render: Render) => pageRoute(path, sendPage(config, path, render));
  const guides = readGuides(config);
  const files: Record<string, string> = Object.assign({}, ...guides.map((guide) => guide.files));
  const routes = [
    page('/', renderHome),
    page('/explorer', renderExplorer),
    page('/docs', renderDocs),
    page('/guides', (view) => renderIndex(view, guides)),
    documentRoute('/guides/search.json', readSearchIndex(config), 'json'),
    pageRoute('/llms.txt', sendIndex(guides, config.introspection)),
    ...guides.flatMap((guide) => [
      pageRoute(`/guides/${guide.name}.md`, sendMarkdown(guide)),
      { ...pageRoute(`/guides/${guide.name}`, sendMarkdown(guide)), isFor: prefersMarkdown },
    ]),
    ...Object.entries(files).map(([path, text]) => documentRoute(`/guides/${path}`, text, 'text/plain')),
    ...guides.map((guide) => page(`/guides/${guide.name}`, (view) => renderGuide(view, guides, guide))),
    pageRoute('/assets/:version/*path', serveAsset),
    ...(config.introspection ? [documentRoute('/schema.graphql', `${typeDefs}\n`, 'text/plain')] : []),
  ];
  const sandbox = { ...pageRoute('/', sendPage(config, graphqlPath, renderSandbox)), isFor: prefersPage };
  const sendNotFound = sendPage(config, '', renderNotFound, 404);
  // Browsers get a page; other clients and unknown REST paths get a JSON error.
  const notFound: RequestHandler = (request, response, next) =>
    prefersPage(request) && !request.path.startsWith(restPath) ? sendNotFound(request, response, next) : next();
  return {
    atRoot: addRoutes(express.Router({ caseSensitive: true }), '', routes),
    atGraphQL: addRoutes(express.Router({ caseSensitive: true }), graphqlPath, [sandbox]),
    notFound,
  };
}

function sendPage(config: Config, path: string, render: Render, status = 200): RequestHandler {
  return async (request, response) => {
    const context = getContext(response);
    await context.admission.enter();
    const view = await createView(config, path, request, context.locale);
    const page = render(view);
    const text = layout(view, page).toString();
    const isStorable = view.token === undefined && status === 200;
    // Scripts of other origins may not read pages, which can have the demo token.
    response.removeHeader('Access-Control-Allow-Origin');
    response.removeHeader('Access-Control-Expose-Headers');
    response
      .set('Content-Security-Policy', createCsp(page.csp))
      .set('Content-Language', view.locale)
      // Pages depend on the request's host and client address.
      .set('Cache-Control', isStorable ? 'private, no-cache' : 'private, no-store')
      // Guides are also Markdown.
      .vary('Accept')
      .type('html');
    if (status === 200) void new EncodedBody(text).send(response);
    else send(response, status, text);
  };
}

const types = ['application/json', 'application/graphql-response+json', 'text/html'] as const;

function prefersPage(request: Request): boolean {
  return (request.method === 'GET' || request.method === 'HEAD') && negotiateType(request, types) === 'text/html';
}

function renderNotFound(view: View): Page {
  const { locale, text } = view;
  const body = html`<h1>${text.notFound}</h1>
<p class="lead">${text.notFoundHint}</p>
${searchField(view)}
<p><a class="button" href="/guides?lang=${locale}">${text.guides}</a> <a href="/?lang=${locale}">${text.home}</a></p>`;
  return { title: text.notFound, styles: ['content.css'], scripts: ['search.js'], body };
}
