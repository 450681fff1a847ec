import type { Readable } from 'node:stream';

/**
 * Writes what a process prints as whole lines. Several processes that wrote to one pipe themselves would tear each other's
 * lines apart, beyond 4096 bytes.
 */
export function writeWholeLines(printed: Readable, write: (lines: string) => void): void {
  let rest = '';
  printed.setEncoding('utf8');
  printed.on('data', (text: string) => {
    const end = text.lastIndexOf('\n') + 1;
    if (end > 0) write(rest + text.slice(0, end));
    rest = end > 0 ? text.slice(end) : rest + text;
  });
  printed.on('end', () => {
    if (rest !== '') write(`${rest}\n`);
  });
}
