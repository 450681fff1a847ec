import type { OpenAPIObject } from 'openapi3-ts/oas31';
import { declarePublic } from '../../http/answer-cache.ts';
import type { Route } from '../../http/routes.ts';

/** GET /openapi.json: the description of v1, written when it is first asked for. */
export function openApiRoute(describe: () => OpenAPIObject): Route {
  let text: string | undefined;
  return {
    methods: ['GET', 'HEAD'],
    path: '/openapi.json',
    access: 'page',
    handlers: [
      (_request, response) => {
        text ??= JSON.stringify(describe());
        // It is kept here already, and is in English whoever asks.
        declarePublic(response, false);
        response.set('Content-Language', 'en').type('json').send(text);
      },
    ],
  };
}
