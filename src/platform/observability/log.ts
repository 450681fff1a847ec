import { type DestinationStream, type Logger, pino } from 'pino';
import { currentScope } from '../../kernel/request/scope.ts';
import { redactTokens } from '../../kernel/token.ts';

export function createLog(level: string, output: DestinationStream = pino.destination(1)): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin: () => ({ requestId: currentScope()?.id }),
    // Copying each line would take as long as writing it.
    mixinMergeStrategy: (line: object, added: object) => ('requestId' in line ? line : { ...added, ...line }),
    serializers: { err: describeError },
    // Paths and error messages may contain tokens.
    hooks: { streamWrite: (line: string) => redactTokens(line) },
  };
  return pino(options, output);
}

// Leaves out other properties: a database error's have the partner's values.
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message, stack, cause } = error;
  const { code } = error as NodeJS.ErrnoException;
  return { name, code, message, stack, ...(cause !== undefined && { cause: describeError(cause) }) };
}
