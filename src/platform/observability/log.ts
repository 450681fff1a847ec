import { type DestinationStream, type Level, type Logger, pino } from 'pino';
import { currentScope } from '../../kernel/request/scope.ts';
import { redactTokens } from '../../kernel/token.ts';

/** What `writeLine` needs of a logger: its output, and the members of all its lines as JSON after a comma. */
const targets = new WeakMap<Logger, { output: DestinationStream; members: string }>();

/**
 * A logger of JSON lines, each with the id of the request it belongs to and the members of `base`. It writes to standard
 * output unless another output is given.
 */
export function createLog(
  level: string,
  output: DestinationStream = pino.destination(1),
  base: Record<string, unknown> = {},
): Logger {
  const options = {
    level,
    base,
    timestamp: () => `,"time":"${isoTime()}"`,
    mixin: () => ({ requestId: currentScope()?.id }),
    serializers: { err: describeError },
    // Paths, headers and error messages may contain tokens.
    hooks: { streamWrite: (line: string) => redactTokens(line) },
  };
  const log = pino(options, output);
  targets.set(log, { output, members: Object.keys(base).length > 0 ? `,${JSON.stringify(base).slice(1, -1)}` : '' });
  return log;
}

/**
 * Writes a line whose members (`"name":value,...`) the caller has serialized and redacted. For the access log: pino takes
 * ten times as long to serialize the same line.
 */
export function writeLine(log: Logger, level: Level, members: string): void {
  const target = targets.get(log);
  if (target === undefined || !log.isLevelEnabled(level)) return;
  target.output.write(`{"level":${pino.levels.values[level]},"time":"${isoTime()}"${target.members},${members}}\n`);
}

let knownMs = 0;
let knownTime = '';

// Many lines fall into one millisecond, and making its text takes longer than the rest of an access log line.
function isoTime(): string {
  const ms = Date.now();
  if (ms !== knownMs) {
    knownMs = ms;
    knownTime = new Date(ms).toISOString();
  }
  return knownTime;
}

// Without an error's other properties: those of a database error contain the partner's values.
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message, stack, cause } = error;
  const { code } = error as NodeJS.ErrnoException;
  return { name, code, message, stack, ...(cause !== undefined && { cause: describeError(cause) }) };
}
