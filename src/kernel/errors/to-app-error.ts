import type { Logger } from 'pino';
import { AppError } from './app-error.ts';
import { type RequestErrorCode, statusOf } from './catalog.ts';
import { isDatabaseConflict, isDatabaseUnavailable } from './database-errors.ts';

/** Decides what an error means to a caller; an unknown one is an internal error. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  // What a body parser supports in place of the encoding or media type that it rejected.
  const isEncoding = (error as { type?: unknown } | null)?.type === 'encoding.unsupported';
  const supported = isEncoding ? ['gzip', 'deflate', 'br'] : 'application/json; charset=utf-8';
  return new AppError(codeOf(error), { cause: error, values: { supported } });
}

function codeOf(error: unknown): RequestErrorCode {
  if (isDatabaseUnavailable(error)) return 'service_unavailable';
  if (isDatabaseConflict(error)) return 'conflict';
  // Express and its body parsers throw errors with a 4xx status.
  const status = (error as { status?: unknown } | null)?.status;
  if (status === 413) return 'payload_too_large';
  if (status === 415) return 'unsupported_media_type';
  // The router throws a URIError for a path with malformed percent-encoding.
  if (status === 400) return error instanceof URIError ? 'malformed_request' : 'malformed_body';
  return 'internal_server_error';
}

/** Logs the cause of a response with 5xx or 409. The access log has the others. */
export function logFailure(log: Logger, error: AppError): void {
  if (error.cause === undefined) return;
  const status = statusOf(error.code);
  if (status >= 500) log.error({ err: error.cause }, 'request failed');
  else if (status === 409) log.warn({ err: error.cause }, 'request failed');
}
