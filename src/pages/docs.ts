import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import express, { type RequestHandler, type Router } from 'express';
import { declarePublic } from '../http/answer-cache.ts';
import { addRoutes, type Route } from '../http/routes.ts';
import { docsPage, docsScript } from './docs-page.ts';

const require = createRequire(import.meta.url);
const { version } = require('swagger-ui-dist/package.json') as { version: string };
const folder = dirname(require.resolve('swagger-ui-dist/package.json'));
const files = `/docs/swagger-ui/${version}`;

/** What is loaded from here alone: scripts and styles that the page brings, no others but those that Swagger UI writes. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join(';');

/** The page to read about REST v1, and to try it: Swagger UI, from its npm package alone. */
export function docsRouter(): Router {
  const routes = [
    page('/', (_request, response) => {
      response.set('Content-Security-Policy', policy).set('Content-Language', 'en').type('html').send(docsPage(files));
    }),
    page('/start.js', (_request, response) => {
      response.type('js').send(docsScript);
    }),
    // Their address has their version, so they never change.
    page('/swagger-ui/:version/:file', (request, response, next) => {
      const { version: asked, file = '' } = request.params;
      if (asked !== version || !/^swagger-ui(-bundle\.js|\.css)$/.test(String(file))) return next();
      response.sendFile(String(file), { root: folder, immutable: true, maxAge: '1y' });
    }),
  ];
  return addRoutes(express.Router(), '/docs', routes, { page: [keptByBrowsers] });
}

function page(path: string, handler: RequestHandler): Route {
  return { methods: ['GET', 'HEAD'], path, access: 'page', handlers: [handler] };
}

const keptByBrowsers: RequestHandler = (_request, response, next) => {
  declarePublic(response, false);
  response.set('Cache-Control', 'public, no-cache');
  next();
};
