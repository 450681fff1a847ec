import { type DestinationStream, pino } from 'pino';

/** Written as soon as so many characters are together, at the latest after so many ms. */
const enough = 16_384;
const longest = 50;

/** Where log lines go: standard output, for people where that is a terminal and nothing else was asked for. */
export async function openLogOutput(format: 'json' | 'pretty' | undefined): Promise<DestinationStream> {
  const isTerminal = process.stdout.isTTY === true;
  if ((format ?? (isTerminal ? 'pretty' : 'json')) === 'json') return createLogOutput();
  const { createPrettyLine } = await import('./pretty-line.ts');
  const pretty = createPrettyLine(isTerminal && process.stdout.hasColors());
  return {
    write(lines) {
      for (const line of lines.split(/(?<=\n)/)) process.stdout.write(pretty(line));
    },
  };
}

/**
 * Standard output for log lines, which are written together: one by one they would cost more than the answers that they
 * are about. What is left is written on exit.
 */
export function createLogOutput(): DestinationStream {
  const output = pino.destination({ dest: 1, sync: false });
  let lines = '';
  let timer: NodeJS.Timeout | undefined;

  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (lines !== '') output.write(lines);
    lines = '';
  };
  process.on('beforeExit', flush);
  process.on('exit', () => {
    flush();
    output.flushSync();
  });

  return {
    write(line) {
      lines += line;
      if (lines.length >= enough) flush();
      else timer ??= setTimeout(flush, longest).unref();
    },
  };
}
