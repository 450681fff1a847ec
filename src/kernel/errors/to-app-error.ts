import type { Logger } from 'pino';
import { AppError } from './app-error.ts';
import { type RequestErrorCode, statusOf } from './catalog.ts';
import { isDatabaseConflict, isDatabaseUnavailable } from './database-errors.ts';

/** Decides what an error means to a caller; an unknown one is an internal error. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isDatabaseUnavailable(error)) return new AppError('service_unavailable', { cause: error });
  const code = isDatabaseConflict(error) ? 'conflict' : codeOfHttpError(error);
  return new AppError(code ?? 'internal_server_error', { cause: error, values: { supported: supportedBy(error) } });
}

/** Logs the cause of a response with 5xx or 409. The access log has the others. */
export function logFailure(log: Logger, error: AppError): void {
  if (error.cause === undefined) return;
  const status = statusOf(error.code);
  if (status >= 500) log.error({ err: error.cause }, 'request failed');
  else if (status === 409) log.warn({ err: error.cause }, 'request failed');
}

// Express and its body parsers throw errors with a 4xx status and a type.
function codeOfHttpError(error: unknown): RequestErrorCode | undefined {
  const { status } = (error ?? {}) as { status?: unknown };
  if (status === 413) return 'payload_too_large';
  if (status === 415) return 'unsupported_media_type';
  // The router throws a URIError for a path with malformed percent-encoding.
  if (status === 400) return error instanceof URIError ? 'malformed_request' : 'malformed_body';
  return undefined;
}

// The encodings or the media type that a body parser supports in place of the rejected one.
function supportedBy(error: unknown): string[] {
  const { type } = (error ?? {}) as { type?: unknown };
  return type === 'encoding.unsupported' ? ['gzip', 'deflate', 'br'] : ['application/json; charset=utf-8'];
}
