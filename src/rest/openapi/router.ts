import express, { type RequestHandler, type Router } from 'express';
import type { OpenAPIObject } from 'openapi3-ts/oas31';
import { declarePublic } from '../../http/answer-cache.ts';
import { revalidate } from '../../http/cache-control.ts';
import { addRoutes } from '../../http/routes.ts';
import { restPath } from '../../request/surface-path.ts';

/** GET /openapi.json: the description of v1, written when it is first asked for. */
export function openApiRouter(describe: () => OpenAPIObject): Router {
  let text: string | undefined;
  const getDescription: RequestHandler = (_request, response) => {
    text ??= JSON.stringify(describe());
    // It is kept here already, and is in English whoever asks.
    declarePublic(response, false);
    response.set('Content-Language', 'en').type('json').send(text);
  };
  return addRoutes(
    express.Router(),
    restPath,
    [{ methods: ['GET', 'HEAD'], path: '/openapi.json', access: 'page', handlers: [getDescription] }],
    { page: [revalidate] },
  );
}
