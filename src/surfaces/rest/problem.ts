import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { ErrorRequestHandler } from 'express';
import type { Logger } from 'pino';
import type { AppError } from '../../kernel/errors/app-error.ts';
import {
  headersOf,
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
import { LoggedError } from './execute.ts';

/** An invalid field of a REST body: its v1 name and a message in the caller's language. */
export interface InvalidField {
  code: RefusalCode;
  field: string;
  message: string;
}

/** A body with invalid fields. Its code is that of all fields, or `validation_failed` if they differ. */
export class InvalidFieldsError extends Error {
  readonly code: RefusalCode | RequestErrorCode;
  readonly fields: Record<string, string[]>;
  readonly headers: Record<string, string>;

  constructor(invalid: readonly InvalidField[]) {
    super('invalid fields');
    const [code, ...others] = new Set(invalid.map((field) => field.code));
    this.code = code === undefined || others.length > 0 ? 'validation_failed' : code;
    this.headers = headersOf(this.code);
    const byField = Map.groupBy(invalid, ({ field }) => field);
    this.fields = Object.fromEntries(
      [...byField].map(([field, group]) => [field, group.map(({ message }) => message)]),
    );
  }
}

/** Sends any error that a route threw. */
export function problemHandler(log: Logger): ErrorRequestHandler {
  return (error, _request, response, next) => {
    if (response.headersSent) return next(error);
    sendProblem(log, response, error);
  };
}

/** Sends an error as `application/problem+json` (RFC 9457). */
export function sendProblem(log: Logger, response: ServerResponse, error: unknown): void {
  const known = error instanceof InvalidFieldsError ? error : toAppError(error);
  if (!(known instanceof InvalidFieldsError || known instanceof LoggedError)) logFailure(log, known);
  writeProblem(response, known);
}

interface Problem {
  code: RequestErrorCode | RefusalCode;
  values?: MessageValues;
  /** Messages for each invalid field, in the caller's language. */
  fields?: Record<string, string[]> | undefined;
}

/** The body of a problem, in the language of the request. */
export function problemOf({ code, values, fields }: Problem, requestId: string | undefined) {
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

// Without Express's `send`, which adds an ETag: clients would take it for the version of a tag.
function writeProblem(response: ServerResponse, error: AppError | InvalidFieldsError): void {
  const scope = currentScope();
  // The log line has the code of the response, not GraphQL's.
  if (scope !== undefined) scope.code = error.code;
  for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value);
  response.setHeader('Cache-Control', 'private, no-store');
  response.setHeader('Content-Type', 'application/problem+json; charset=utf-8');
  respond(response, statusOf(error.code), JSON.stringify(problemOf(error, scope?.id)));
}
