import type { Logger } from 'pino';
import type { AppError } from './app-error.ts';
import { statusOf } from './catalog.ts';

/** Logs what an operator has to know of an error answered to a caller: ours (5xx), with its cause, and conflicts. */
export function logFailure(log: Logger, error: AppError): void {
  const status = statusOf(error.code);
  const line = { err: error.cause ?? error };
  if (status >= 500) log.error(line, 'request failed');
  else if (status === 409) log.warn(line, 'request failed');
}
