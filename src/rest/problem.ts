import { STATUS_CODES } from 'node:http';
import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { AppError } from '../errors/app-error.ts';
import {
  headersOf,
  type MessageValues,
  messageOf,
  type RefusalCode,
  type RequestErrorCode,
  statusOf,
} from '../errors/catalog.ts';
import { logFailure } from '../errors/log-failure.ts';
import { toAppError } from '../errors/to-app-error.ts';
import { currentLocale, currentScope } from '../request/scope.ts';
import { AnsweredError } from './execute.ts';
import { RefusedFieldsError } from './refused-fields.ts';

interface Problem {
  code: RequestErrorCode | RefusalCode;
  values?: MessageValues;
  /** What is wrong with which field, in the caller's language. */
  errors?: Record<string, string[]> | undefined;
}

/** Answers whatever a route threw as `application/problem+json` (RFC 9457). */
export function answerProblem(log: Logger): ErrorRequestHandler {
  return (error, _request, response, next) => {
    if (response.headersSent) return next(error);
    if (error instanceof RefusedFieldsError) {
      response.set(headersOf(error.code));
      return sendProblem(response, error);
    }
    const appError = toAppError(error);
    // What GraphQL answered has been logged there.
    if (!(error instanceof AnsweredError)) logFailure(log, appError);
    response.set(appError.headers);
    sendProblem(response, { code: appError.code, values: appError.values, errors: appError.fields });
  };
}

/** The answer of every path that nothing serves. */
export const notFound: RequestHandler = () => {
  throw new AppError('not_found');
};

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

function sendProblem(response: Response, problem: Problem): void {
  response
    .status(statusOf(problem.code))
    .set('Cache-Control', 'private, no-store')
    .set('Content-Type', 'application/problem+json; charset=utf-8')
    // Not by `send`, which adds an ETag: on an answer about a tag that would be taken for the tag's.
    .end(JSON.stringify(problemOf(problem, currentScope()?.id)));
}

function detailOf(errors: Record<string, string[]>): string {
  return Object.entries(errors)
    .flatMap(([field, messages]) => messages.map((message) => `${field}: ${message}`))
    .join('; ');
}
