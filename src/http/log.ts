import { type DestinationStream, type Logger, pino } from 'pino';
import { redactTokens } from '../auth/token.ts';
import { currentScope } from '../request/scope.ts';

/** The process's logger: JSON lines on standard output, each with the id of the request it belongs to. */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin: () => ({ requestId: currentScope()?.id }),
    // A line that says its request itself needs no copy.
    mixinMergeStrategy: (line: object, mixin: object) => ('requestId' in line ? line : { ...mixin, ...line }),
    serializers: { err: describeError },
    // Whatever the line is about: a path, a header, an error's message.
    hooks: { streamWrite: (line: string) => redactTokens(line) },
  };
  // Not waited for line by line: what is under way is written before the process exits.
  return pino(options, destination ?? pino.destination({ dest: 1, sync: false }));
}

// Not an error's other properties: those of a database's have the statement's values, which are the partner's.
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message, stack, cause } = error;
  const { code } = error as NodeJS.ErrnoException;
  return { name, code, message, stack, ...(cause !== undefined && { cause: describeError(cause) }) };
}
