import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { ErrorRequestHandler } from 'express';
import type { Logger } from 'pino';
import { AppError } from '../../kernel/errors/app-error.ts';
import { messageOf, type RefusalCode, statusOf } from '../../kernel/errors/catalog.ts';
import { logFailure, toAppError } from '../../kernel/errors/to-app-error.ts';
import { currentLocale, currentScope } from '../../kernel/request/scope.ts';
import { respond } from '../../platform/http/response-cache.ts';

/** An invalid field of a REST body: its v1 name and a message in the caller's language. */
export interface InvalidField {
  code: RefusalCode;
  field: string;
  message: string;
}

/** The error of a body with invalid fields. Its code is that of all fields, or `validation_failed` if they differ. */
export function invalidFields(invalid: readonly InvalidField[]): AppError {
  const [code = 'validation_failed', ...others] = new Set(invalid.map((each) => each.code));
  const byField = Map.groupBy(invalid, ({ field }) => field);
  const fields = [...byField].map(([field, group]) => [field, group.map(({ message }) => message)]);
  return new AppError(others.length > 0 ? 'validation_failed' : code, { fields: Object.fromEntries(fields) });
}

/** Sends any error that a route threw. */
export function problemHandler(log: Logger): ErrorRequestHandler {
  return (error, _request, response, next) => {
    if (response.headersSent) return next(error);
    sendProblem(log, response, error);
  };
}

/** The body of a problem, in the language of the request. */
export function problemOf({ code, values, fields }: AppError, requestId: string | undefined) {
  const status = statusOf(code);
  return {
    type: 'about:blank',
    title: STATUS_CODES[status],
    status,
    detail: fields === undefined ? messageOf(code, currentLocale(), values) : Object.values(fields).flat().join(' '),
    code,
    request_id: requestId,
    ...(fields && { errors: fields }),
  };
}

/** Sends an error as `application/problem+json` (RFC 9457). */
export function sendProblem(log: Logger, response: ServerResponse, thrown: unknown): void {
  const error = toAppError(thrown);
  logFailure(log, error);
  const scope = currentScope();
  // The log line has the code of the response, not GraphQL's.
  if (scope !== undefined) scope.code = error.code;
  for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value);
  response.setHeader('Cache-Control', 'private, no-store');
  response.setHeader('Content-Type', 'application/problem+json; charset=utf-8');
  respond(response, statusOf(error.code), JSON.stringify(problemOf(error, scope?.id)));
}
