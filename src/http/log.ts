import { type Logger, pino } from 'pino';
import { currentScope } from '../request/scope.ts';

/** The process's logger: JSON lines on standard output, each with the id of the request it belongs to. */
export function createLog(level: string): Logger {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin: () => ({ requestId: currentScope()?.id }),
  });
}
