import { type DestinationStream, pino } from 'pino';

/** Lines are written in batches of this number of bytes and up to 50 ms late: a write for each would be slow. */
const batch = { minLength: 64 * 1_024, maxWrite: 256 * 1_024, periodicFlush: 50 };

/** Maximum bytes of lines that wait for a slow reader; later lines are dropped. */
const maxWaiting = 4 * 1_024 * 1_024;

/** Maximum time for writing the last lines on exit, in ms. */
const exitTimeout = 1_000;

export interface LogOutput extends DestinationStream {
  /** Resolves once all lines are written; gives up after a second without a reader. For use right before exit. */
  flush(): Promise<void>;
}

/** Whether log lines are formatted for people: by `format`, and by default on a terminal. */
export function isPretty(format: 'json' | 'pretty' | undefined): boolean {
  return format === undefined ? process.stdout.isTTY === true : format === 'pretty';
}

/**
 * Opens standard output for log lines, formatted for people on a terminal unless the format is set. A slow reader never
 * stops the process: lines beyond 4 MiB are dropped, and a line says how many once there is room again.
 */
export async function openLogOutput(format: 'json' | 'pretty' | undefined): Promise<LogOutput> {
  // Opening this stream makes a pipe non-blocking. A blocked write would occupy a thread and prevent the exit.
  const isTerminal = process.stdout.isTTY === true;
  let lastRetry = Number.POSITIVE_INFINITY;
  const destination = pino.destination({
    dest: 1,
    sync: false,
    contentMode: 'buffer',
    ...batch,
    maxLength: maxWaiting,
    retryEAGAIN: () => performance.now() < lastRetry,
  });
  // The terminal has closed. The service finishes its requests without a log: `flushSync` would retry forever.
  let isClosed = false;
  destination.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EIO') throw error;
    isClosed = true;
    destination.destroy();
  });
  // Must run before pino's handler, which would wait for a reader forever.
  process.prependOnceListener('exit', () => {
    lastRetry = performance.now() + exitTimeout;
    try {
      destination.flushSync();
    } catch {
      destination.destroy();
    }
  });
  const toText = isPretty(format) ? await formatter(isTerminal) : undefined;
  // Buffers, because the destination measures waiting strings again on each write.
  const write = (line: string) => isClosed || destination.write(Buffer.from(toText?.(line) ?? line) as never);
  let dropped = 0;
  destination.on('drop', () => {
    dropped += 1;
  });
  destination.on('drain', () => {
    if (dropped === 0) return;
    const line = { level: pino.levels.values.warn, time: new Date().toISOString(), dropped, msg: 'log lines dropped' };
    dropped = 0;
    write(`${JSON.stringify(line)}\n`);
  });
  return {
    write,
    async flush() {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      destination.flush(() => resolve(true));
      setTimeout(resolve, exitTimeout, false);
      if (!(await promise)) destination.destroy();
    },
  };
}

async function formatter(isTerminal: boolean): Promise<(line: string) => string> {
  const { prettyFactory } = await import('pino-pretty');
  return prettyFactory({
    colorize: isTerminal && process.stdout.hasColors(),
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss.l',
    ignore: 'req,res,ms,route,operation,locale,partner,token,writes,code,sql,traceId,requestId,aborted',
    messageFormat: (line) => formatMessage(line as unknown as Line),
  });
}

interface Line extends Partial<Record<'msg' | 'operation' | 'code' | 'requestId', string>> {
  req?: { method: string; path: string };
  res?: { status: number };
  ms?: number;
  partner?: number;
  writes?: { field: string; id: number }[];
}

function formatMessage({ msg, req, res, ms, operation, partner, writes = [], code, requestId }: Line): string {
  const request = req && `${req.method} ${req.path} ${res?.status} ${ms} ms`;
  const names = writes.map(({ field, id }) => `${field} ${id}`);
  // The id of a failed request helps to find its other lines.
  const id = request === undefined || code !== undefined ? requestId : undefined;
  return [request ?? msg, operation, partner && `partner ${partner}`, ...names, code, id].filter(Boolean).join('  ');
}
