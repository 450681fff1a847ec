import type { Logger } from 'pino';
import { AppError } from './app-error.ts';
import { type RequestErrorCode, statusOf } from './catalog.ts';
import { isDatabaseConflict, isDatabaseUnavailable } from './database-errors.ts';

/** Maps any error to an AppError; an unknown one becomes an internal error. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return new AppError(requestErrorCode(error), { cause: error });
}

function requestErrorCode(error: unknown): RequestErrorCode {
  if (isDatabaseUnavailable(error)) return 'service_unavailable';
  if (isDatabaseConflict(error)) return 'conflict';
  // Express throws it for a path with malformed percent-encoding.
  if (error instanceof URIError) return 'malformed_request';
  return 'internal_server_error';
}

/** Logs the cause of a 5xx or 409 response. Other errors appear only in the access log. */
export function logFailure(log: Logger, error: AppError): void {
  if (error.cause === undefined) return;
  const status = statusOf(error.code);
  if (status >= 500) log.error({ err: error.cause }, 'request failed');
  else if (status === 409) log.warn({ err: error.cause }, 'request failed');
}
