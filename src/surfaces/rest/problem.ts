import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { ErrorRequestHandler } from 'express';
import type { Logger } from 'pino';
import { AppError } from '../../kernel/errors/app-error.ts';
import {
  type MessageValues,
  messageOf,
  type RefusalCode,
  type RequestErrorCode,
  statusOf,
} from '../../kernel/errors/catalog.ts';
import { logFailure } from '../../kernel/errors/log-failure.ts';
import { toAppError } from '../../kernel/errors/to-app-error.ts';
import { currentLocale, currentScope } from '../../kernel/request/scope.ts';
import { respond } from '../../platform/http/response-cache.ts';
import { AnsweredError } from './execute.ts';
import { RefusedFieldsError } from './refused-fields.ts';

interface Problem {
  code: RequestErrorCode | RefusalCode;
  values?: MessageValues;
  /** What is wrong with which field, in the caller's language. */
  errors?: Record<string, string[]> | undefined;
}

/** Answers whatever a route threw. */
export function problemHandler(log: Logger): ErrorRequestHandler {
  return (error, _request, response, next) => {
    if (response.headersSent) return next(error);
    answerProblem(log, response, error);
  };
}

/** Answers an error as `application/problem+json` (RFC 9457). */
export function answerProblem(log: Logger, response: ServerResponse, error: unknown): void {
  if (error instanceof RefusedFieldsError) {
    sendProblem(response, error);
    return;
  }
  const appError = toAppError(error);
  // What GraphQL answered has been logged there.
  if (!(error instanceof AnsweredError)) logFailure(log, appError);
  sendProblem(response, appError);
}

/** The body of an error's problem, in the language of the request. */
export function problemOfError(error: AppError | RefusedFieldsError, requestId: string | undefined) {
  return error instanceof AppError
    ? problemOf({ code: error.code, values: error.values, errors: error.fields }, requestId)
    : problemOf(error, requestId);
}

/** The body of a problem, in the language of the request. */
export function problemOf({ code, values, errors }: Problem, requestId: string | undefined) {
  const status = statusOf(code);
  return {
    type: 'about:blank',
    title: STATUS_CODES[status],
    status,
    detail: errors === undefined ? messageOf(code, currentLocale(), values) : detailOf(errors),
    code,
    request_id: requestId,
    ...(errors && { errors }),
  };
}

// Not by Express's `send`, which adds an ETag: on an answer about a tag that would be taken for the tag's.
function sendProblem(response: ServerResponse, error: AppError | RefusedFieldsError): void {
  const scope = currentScope();
  // Whatever GraphQL called it: what is told of it is this.
  if (scope !== undefined) scope.code = error.code;
  for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value);
  response.setHeader('Cache-Control', 'private, no-store');
  response.setHeader('Content-Type', 'application/problem+json; charset=utf-8');
  respond(response, statusOf(error.code), JSON.stringify(problemOfError(error, scope?.id)));
}

function detailOf(errors: Record<string, string[]>): string {
  return Object.entries(errors)
    .flatMap(([field, messages]) => messages.map((message) => `${field}: ${message}`))
    .join('; ');
}
