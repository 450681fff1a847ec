import type { ServerResponse } from 'node:http';
import type { ErrorRequestHandler } from 'express';
import type { Logger } from 'pino';
import { statusOf } from '../../kernel/errors/catalog.ts';
import { logFailure, toAppError } from '../../kernel/errors/to-app-error.ts';
import { noteCode } from '../../kernel/request/scope.ts';
import { respond } from '../../platform/http/response-cache.ts';
import { formatAppError } from './errors.ts';

/** Answers what HTTP refused before GraphQL saw it. */
export function errorHandler(log: Logger): ErrorRequestHandler {
  return (error, _request, response, next) => {
    if (response.headersSent) return next(error);
    answerErrors(log, response, error);
  };
}

/** Answers an error of the request as a whole in GraphQL's format. */
export function answerErrors(log: Logger, response: ServerResponse, error: unknown): void {
  const appError = toAppError(error);
  noteCode(appError.code);
  logFailure(log, appError);
  for (const [name, value] of Object.entries(appError.headers)) response.setHeader(name, value);
  response.setHeader('Cache-Control', 'private, no-store');
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  respond(response, statusOf(appError.code), JSON.stringify({ errors: [formatAppError(appError)] }));
}
