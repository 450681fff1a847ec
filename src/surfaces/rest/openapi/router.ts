import express, { type RequestHandler, type Router } from 'express';
import type { OpenAPIObject } from 'openapi3-ts/oas31';
import { restPath } from '../../../kernel/request/surface-path.ts';
import { declarePublic } from '../../../platform/http/answer-cache.ts';
import { revalidate } from '../../../platform/http/cache-control.ts';
import type { ReadyAnswer } from '../../../platform/http/ready-answer.ts';
import { readyText } from '../../../platform/http/ready-text.ts';
import { addRoutes } from '../../../platform/http/routes.ts';

/** GET /openapi.json: the description of v1, written when it is first asked for. */
export function openApiRouter(describe: () => OpenAPIObject): Router {
  let answer: ReadyAnswer | undefined;
  const getDescription: RequestHandler = (_request, response) => {
    // It is kept here already, and is in English whoever asks.
    declarePublic(response, false);
    response.set('Content-Language', 'en').type('json');
    answer ??= readyText(response, JSON.stringify(describe()));
    answer.send(response);
  };
  return addRoutes(
    express.Router(),
    restPath,
    [{ methods: ['GET', 'HEAD'], path: '/openapi.json', access: 'page', handlers: [getDescription] }],
    { page: [revalidate] },
  );
}
