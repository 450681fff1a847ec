import type { Logger } from 'pino';
import {
  type Hint,
  type MessageValues,
  type RequestErrorCode,
  toErrorHeaders,
  toHttpStatus,
  type ValidationCode,
} from './catalog.ts';
import { isDatabaseConflict, isDatabaseUnavailable } from './database-errors.ts';
import type { ValidationError } from './validation-error.ts';

interface Details {
  values?: MessageValues;
  headers?: Record<string, string>;
  validationErrors?: readonly ValidationError<number | string>[];
  hint?: Hint | undefined;
  cause?: unknown;
}

/** An error with a code from the catalog. Each surface has its own format for it. */
export class AppError extends Error {
  readonly code: RequestErrorCode | ValidationCode;
  readonly values: MessageValues;
  readonly headers: Record<string, string>;
  readonly validationErrors: readonly ValidationError<number | string>[] | undefined;
  hint: Hint | undefined;

  constructor(
    code: RequestErrorCode | ValidationCode,
    { values = {}, headers = {}, validationErrors, hint, cause }: Details = {},
  ) {
    super(code, { cause });
    this.code = code;
    this.values = values;
    this.headers = { ...toErrorHeaders(code), ...headers };
    this.validationErrors = validationErrors;
    this.hint = hint;
  }
}

/** Maps a thrown value to an AppError. Logs the cause of a 5xx or 409 response: the access log has the others. */
export function reportError(log: Logger, thrown: unknown): AppError {
  const error = toAppError(thrown);
  if (error.cause === undefined) return error;
  const status = toHttpStatus(error.code);
  if (status >= 500) log.error({ err: error.cause }, 'request failed');
  else if (status === 409) log.warn({ err: error.cause }, 'request failed');
  return error;
}

export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return new AppError(toRequestErrorCode(error), { cause: error });
}

function toRequestErrorCode(error: unknown): RequestErrorCode {
  if (isDatabaseUnavailable(error)) return 'service_unavailable';
  if (isDatabaseConflict(error)) return 'conflict';
  // Express throws it for a path with malformed percent-encoding.
  if (error instanceof URIError) return 'malformed_request';
  return 'internal_server_error';
}
