import { type DestinationStream, pino } from 'pino';

/** What is written at once, in bytes, and how late a line may be, in ms: a write per line would cost more than a cached response. */
const together = { minLength: 64 * 1_024, maxWrite: 256 * 1_024, periodicFlush: 50 };

/**
 * Where log lines go: standard output, formatted for people on a terminal unless the format is set. Lines are written
 * together, at most 50 ms late. With `whole`, for processes that share one output, each line is a write of its own.
 */
export async function openLogOutput(format: 'json' | 'pretty' | undefined, whole: boolean): Promise<DestinationStream> {
  const isTerminal = process.stdout.isTTY === true;
  if ((format ?? (isTerminal ? 'pretty' : 'json')) === 'json') {
    if (whole) return pino.destination({ sync: true });
    const destination = pino.destination({ sync: false, contentMode: 'buffer', ...together });
    // As bytes: of text, the destination measures all that waits, each time it gets something.
    return { write: (line) => destination.write(Buffer.from(line) as never) };
  }
  const { prettyFactory } = await import('pino-pretty');
  const pretty = prettyFactory({
    colorize: isTerminal && process.stdout.hasColors(),
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss.l',
    ignore: 'req,res,ms,route,operation,locale,partner,code,sql,traceId,requestId,aborted',
    messageFormat: (line) => textOf(line as unknown as Line),
  });
  return {
    write(line) {
      process.stdout.write(pretty(line));
    },
  };
}

interface Line extends Partial<Record<'msg' | 'operation' | 'code' | 'requestId', string>> {
  req?: { method: string; path: string };
  res?: { status: number };
  ms?: number;
  partner?: number;
}

function textOf({ msg, req, res, ms, operation, partner, code, requestId }: Line): string {
  const request = req && `${req.method} ${req.path} ${res?.status} ${ms} ms`;
  // The id of a failed request leads to its other lines.
  const id = request === undefined || code !== undefined ? requestId : undefined;
  return [request ?? msg, operation, partner && `partner ${partner}`, code, id].filter(Boolean).join('  ');
}
