import { createInterface } from 'node:readline/promises';
import { markdownTable } from 'markdown-table';
import stringWidth from 'string-width';
import { snakeCased } from '../../domain/import/columns.ts';
import { StartError } from '../../kernel/errors/start-error.ts';

export type Streams = Pick<NodeJS.Process, 'stdin' | 'stdout' | 'stderr'>;

/** A row of a list: its columns in their order, named in camel case. */
export type Row = object;
export type Pages = Iterable<Row[]> | AsyncIterable<Row[]>;

const progressInterval = 100;
const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;

/** Prints results to standard output; notes, questions and progress go to a terminal's standard error. */
export class Output {
  readonly #streams: Streams;
  #drawnAt = 0;

  constructor(streams: Streams) {
    this.#streams = streams;
  }

  /** Prints a result; resolves when it is written. */
  print(text: string): Promise<void> {
    return this.write(`${text}\n`);
  }

  write(text: string): Promise<void> {
    this.#erase();
    return new Promise((resolve) => this.#streams.stdout.write(text, () => resolve()));
  }

  error(text: string): void {
    this.#erase();
    this.#streams.stderr.write(`${text}\n`);
  }

  /** Says something to a person; nothing to a script. */
  note(text: string): void {
    if (this.#streams.stderr.isTTY) this.error(text);
  }

  /** Prints rows as they come: JSON, a table in a terminal, or lines of cells between tabs. */
  async list(pages: Pages, empty: string, isJson: boolean): Promise<void> {
    if (this.#streams.stdout.isTTY && !isJson) return this.#table(pages, empty);
    let isEmpty = true;
    for await (const text of isJson ? jsonOf(pages) : linesOf(pages, '\t')) {
      isEmpty = false;
      await this.write(text);
    }
    if (isEmpty) this.note(empty);
  }

  /** Shows how far long work has come, in a line that the next output replaces. */
  progress(text: string): void {
    const { stderr } = this.#streams;
    if (!stderr.isTTY || performance.now() - this.#drawnAt < progressInterval) return;
    this.#drawnAt = performance.now();
    stderr.write(`\r\x1b[2K${text}`);
  }

  /** Asks before what cannot be undone; without a terminal, the command itself is the consent. */
  async confirm(question: string, signal: AbortSignal): Promise<void> {
    const { stdin, stderr } = this.#streams;
    if (!stdin.isTTY || !stderr.isTTY) return;
    // Readline's own line editing would take Ctrl-C for itself.
    const prompt = createInterface({ input: stdin, output: stderr, terminal: false });
    try {
      const answer = await prompt.question(`${question} [y/N] `, { signal });
      if (!/^y(es)?$/i.test(answer.trim())) throw new StartError('Nothing was changed.');
    } finally {
      prompt.close();
    }
  }

  async #table(pages: Pages, empty: string): Promise<void> {
    const rows: Row[] = [];
    for await (const page of pages) rows.push(...page);
    const [first] = rows;
    if (first === undefined) return this.note(empty);
    const heading = Object.keys(snakeCased(first)).map((name) => name.replaceAll('_', ' ').toUpperCase());
    const cells = rows.map((row) => Object.values(row).map(cellOf));
    await this.print(markdownTable([heading, ...cells], { stringLength: stringWidth }));
  }

  #erase(): void {
    if (this.#drawnAt > 0) this.#streams.stderr.write('\r\x1b[2K');
    this.#drawnAt = 0;
  }
}

/** Rows as a JSON array with a line for each. */
export async function* jsonOf(pages: Pages): AsyncGenerator<string> {
  let start = '[';
  for await (const rows of pages) {
    if (rows.length === 0) continue;
    yield `${start}${rows.map((row) => JSON.stringify(snakeCased(row))).join('\n,')}\n`;
    start = ',';
  }
  yield start === '[' ? '[]\n' : ']\n';
}

/** Rows as CSV with a heading. */
export async function* csvOf(pages: Pages, columns: string[]): AsyncGenerator<string> {
  yield `${columns.join(',')}\n`;
  yield* linesOf(pages, ',');
}

async function* linesOf(pages: Pages, separator: ',' | '\t'): AsyncGenerator<string> {
  const lineOf = (row: Row) =>
    Object.values(row)
      .map(textOf)
      .map(separator === ',' ? quoted : String)
      .join(separator);
  for await (const rows of pages) if (rows.length > 0) yield `${rows.map(lineOf).join('\n')}\n`;
}

function quoted(cell: string): string {
  return /[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

// Control characters would act on the terminal, or end the cell.
function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(textOf).join(';');
  return (typeof value === 'object' ? JSON.stringify(value) : String(value)).replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ');
}

// Isolated, an Arabic cell keeps the terminal from reordering its neighbors.
function cellOf(value: unknown): string {
  if (value instanceof Date) return `${value.toISOString().slice(0, 16).replace('T', ' ')}Z`;
  const text = textOf(value);
  return rightToLeft.test(text) ? `\u2068${text}\u2069` : text;
}
