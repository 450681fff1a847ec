import { type DestinationStream, type Level, type Logger, pino } from 'pino';
import { currentScope } from '../../kernel/request/scope.ts';
import { redactTokens } from '../../kernel/token.ts';
import { createLogOutput } from './log-output.ts';

let output: DestinationStream | undefined;

/**
 * The process's logger: JSON lines on standard output, each with the id of the request it belongs to, and with the members
 * of `base` if there are any.
 */
export function createLog(
  level: string,
  destination?: DestinationStream,
  base: Record<string, unknown> | null = null,
): Logger {
  const options = {
    level,
    base,
    timestamp: () => `,"time":"${isoTime()}"`,
    mixin: () => ({ requestId: currentScope()?.id }),
    serializers: { err: describeError },
    // Whatever the line is about: a path, a header, an error's message.
    hooks: { streamWrite: (line: string) => redactTokens(line) },
  };
  if (destination !== undefined) return pino(options, destination);
  output ??= createLogOutput();
  return pino(options, output);
}

/** Logs a line whose members (`"name":value,...`) were serialized, and their tokens redacted, by the caller. */
export function writeLine(log: Logger, level: Level, members: string): void {
  if (!log.isLevelEnabled(level)) return;
  // The members that all its lines have are JSON that begins with a comma.
  const { [pino.symbols.streamSym]: destination } = log as unknown as Record<symbol, DestinationStream>;
  const { [pino.symbols.chindingsSym]: base } = log as unknown as Record<symbol, string>;
  destination?.write(`{"level":${pino.levels.values[level]},"time":"${isoTime()}"${base},${members}}\n`);
}

let knownMs = 0;
let knownTime = '';

// Many lines fall into one millisecond.
function isoTime(): string {
  const ms = Date.now();
  if (ms !== knownMs) {
    knownMs = ms;
    knownTime = new Date(ms).toISOString();
  }
  return knownTime;
}

// Not an error's other properties: those of a database's have the statement's values, which are the partner's.
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message, stack, cause } = error;
  const { code } = error as NodeJS.ErrnoException;
  return { name, code, message, stack, ...(cause !== undefined && { cause: describeError(cause) }) };
}
