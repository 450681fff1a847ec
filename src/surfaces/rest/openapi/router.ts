import express, { type RequestHandler, type Router } from 'express';
import type { OpenAPIObject } from 'openapi3-ts/oas31';
import { restPath } from '../../../kernel/request/surface-path.ts';
import { CachedResponse } from '../../../platform/http/cached-response.ts';
import { declarePublic } from '../../../platform/http/response-cache.ts';
import { addRoutes, revalidate } from '../../../platform/http/routes.ts';

/** GET /openapi.json: the description of v1, written when it is first asked for. */
export function openApiRouter(describe: () => OpenAPIObject): Router {
  let answer: CachedResponse | undefined;
  const getDescription: RequestHandler = (_request, response) => {
    // It is kept here already, and is in English whoever asks.
    declarePublic(response, false);
    response.set('Content-Language', 'en').type('json');
    answer ??= new CachedResponse(response, JSON.stringify(describe()));
    answer.send(response);
  };
  return addRoutes(
    express.Router(),
    restPath,
    [{ methods: ['GET', 'HEAD'], path: '/openapi.json', access: 'page', handlers: [getDescription] }],
    { page: [revalidate] },
  );
}
