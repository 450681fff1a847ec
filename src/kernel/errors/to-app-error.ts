import { AppError } from './app-error.ts';
import type { RequestErrorCode } from './catalog.ts';
import { isGivenUp } from './database-conflict.ts';
import { isDatabaseUnavailable } from './database-unavailable.ts';

/** The one place that decides what an error means to a caller; what nobody expected is an internal error. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isDatabaseUnavailable(error)) return new AppError('service_unavailable', { cause: error });
  const code = isDatabaseConflict(error) ? 'conflict' : codeOfHttpError(error);
  return new AppError(code ?? 'internal_server_error', { cause: error, values: { supported: supportedBy(error) } });
}

// Given up for another transaction, or a lock not had in time.
function isDatabaseConflict(error: unknown): boolean {
  return isGivenUp(error) || (error as { code?: unknown } | null)?.code === '55P03';
}

// What Express and its body parsers throw: errors with a 4xx status and a type.
function codeOfHttpError(error: unknown): RequestErrorCode | undefined {
  const { status } = (error ?? {}) as { status?: unknown };
  if (status === 413) return 'payload_too_large';
  if (status === 415) return 'unsupported_media_type';
  // The router's is about the path: a percent-encoding that is none.
  if (status === 400) return error instanceof URIError ? 'malformed_request' : 'malformed_body';
  return undefined;
}

// What a body parser would have taken in place of what it refused with 415.
function supportedBy(error: unknown): string[] {
  const { type } = (error ?? {}) as { type?: unknown };
  return type === 'encoding.unsupported' ? ['gzip', 'deflate', 'br'] : ['application/json; charset=utf-8'];
}
