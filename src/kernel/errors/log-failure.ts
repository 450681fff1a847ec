import type { Logger } from 'pino';
import type { AppError } from './app-error.ts';
import { statusOf } from './catalog.ts';

/** Logs what caused an answer that is our fault (5xx) or a conflict; what was refused on purpose, the access log tells. */
export function logFailure(log: Logger, error: AppError): void {
  if (error.cause === undefined) return;
  const status = statusOf(error.code);
  if (status >= 500) log.error({ err: error.cause }, 'request failed');
  else if (status === 409) log.warn({ err: error.cause }, 'request failed');
}
