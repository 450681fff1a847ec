import { markdownTable } from 'markdown-table';
import stringWidth from 'string-width';
import { snakeCased } from '../../domain/files/columns.ts';

export type Streams = Pick<NodeJS.Process, 'stdout' | 'stderr'>;

/** A row of a list: its columns in order, by camel-case name. */
export type Row = object;

const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;
const eraseLine = '\x1b[K';

/** Shortest time between two updates of the progress line, in ms. */
const progressInterval = 100;

/** Prints results to standard output, and progress to a terminal's standard error. */
export class Output {
  readonly #streams: Streams;
  #drawnAt = 0;

  constructor(streams: Streams) {
    this.#streams = streams;
  }

  print(text: string): void {
    this.progress('');
    this.#streams.stdout.write(`${text}\n`);
  }

  write(text: string): void {
    this.#streams.stdout.write(text);
  }

  error(text: string): void {
    this.progress('');
    this.#streams.stderr.write(`${text}\n`);
  }

  /** Shows progress in a line that the next output replaces. */
  progress(text: string): void {
    const { stderr } = this.#streams;
    if (!stderr.isTTY || (text !== '' && performance.now() - this.#drawnAt < progressInterval)) return;
    this.#drawnAt = performance.now();
    stderr.write(`${text}${eraseLine}\r`);
  }

  list(rows: Row[], isJson: boolean): void {
    this.print(isJson ? jsonOf(rows) : rows.length > 0 ? tableOf(rows, this.#streams.stdout.isTTY) : 'None.');
  }
}

function tableOf(rows: Row[], isTerminal: boolean): string {
  const heading = Object.keys(snakeCased(rows[0] ?? {}));
  const cells = rows.map((row) => Object.values(row).map((value) => cellOf(value, isTerminal)));
  return markdownTable([heading, ...cells], { stringLength: stringWidth });
}

export function countsOf(counts: object): string {
  return Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');
}

/** Rows as a JSON array with one row per line. */
function jsonOf(rows: Row[]): string {
  return `[${rows.map((row) => JSON.stringify(snakeCased(row))).join('\n,')}]`;
}

/** A row of CSV without its line end. */
export function csvRow(cells: unknown[], delimiter = ','): string {
  const quoted = (cell: string) =>
    cell.includes('"') || cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell;
  return cells.map(plainText).map(quoted).join(delimiter);
}

// Replace control characters, which could control the terminal or end the cell.
function plainText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(plainText).join(';');
  return (typeof value === 'object' ? JSON.stringify(value) : String(value)).replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ');
}

// Isolate Arabic text, so that the terminal does not reorder neighboring cells.
function cellOf(value: unknown, isTerminal: boolean): string {
  const text = plainText(value);
  return isTerminal && rightToLeft.test(text) ? `\u2068${text}\u2069` : text;
}
