import { type DestinationStream, pino } from 'pino';

/** Writes in batches, because a write per line would be slow. */
const batch = { minLength: 64 * 1_024, maxWrite: 256 * 1_024, periodicFlush: 50 };

const maxBufferedBytes = 4 * 1_024 * 1_024;

const exitTimeoutMs = 1_000;

export interface LogOutput extends DestinationStream {
  /** Gives up after a second without a reader. For use right before exit. */
  flush(): Promise<void>;
}

export function isPretty(format: 'json' | 'pretty' | undefined): boolean {
  return format === undefined ? process.stdout.isTTY === true : format === 'pretty';
}

/** A slow reader never stops the process: lines beyond 4 MiB are dropped and counted. */
export async function openLogOutput(format: 'json' | 'pretty' | undefined): Promise<LogOutput> {
  // Makes a pipe non-blocking: a blocked write would prevent the exit.
  const isTerminal = process.stdout.isTTY === true;
  let lastRetry = Number.POSITIVE_INFINITY;
  const destination = pino.destination({
    dest: 1,
    sync: false,
    contentMode: 'buffer',
    ...batch,
    maxLength: maxBufferedBytes,
    retryEAGAIN: () => performance.now() < lastRetry,
  });
  // EIO: the terminal has closed. Without this, `flushSync` would retry forever.
  let isClosed = false;
  destination.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EIO') throw error;
    isClosed = true;
    destination.destroy();
  });
  // Runs before pino's handler, which would wait for a reader forever.
  process.prependOnceListener('exit', () => {
    lastRetry = performance.now() + exitTimeoutMs;
    try {
      destination.flushSync();
    } catch {
      destination.destroy();
    }
  });
  const formatLine = isPretty(format) ? await createFormatter(isTerminal) : undefined;
  // The destination would measure waiting strings again on each write.
  const write = (line: string) => isClosed || destination.write(Buffer.from(formatLine?.(line) ?? line) as never);
  let droppedLines = 0;
  destination.on('drop', () => {
    droppedLines += 1;
  });
  destination.on('drain', () => {
    if (droppedLines === 0) return;
    const line = {
      level: pino.levels.values.warn,
      time: new Date().toISOString(),
      dropped: droppedLines,
      msg: 'log lines dropped',
    };
    droppedLines = 0;
    write(`${JSON.stringify(line)}\n`);
  });
  return {
    write,
    async flush() {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      destination.flush(() => resolve(true));
      setTimeout(resolve, exitTimeoutMs, false);
      if (!(await promise)) destination.destroy();
    },
  };
}

async function createFormatter(isTerminal: boolean): Promise<(line: string) => string> {
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
