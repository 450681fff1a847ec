import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import { z } from 'zod';
import type { Columns, FileRecord } from './columns.ts';
import type { Mistakes } from './mistakes.ts';

/** Bytes of a CSV row; a longer one usually means an unclosed quote. */
const maxRowSize = 1024 * 1024;

interface Options<C extends Columns> {
  columns: C;
  mistakes: Mistakes;
  /** Named in mistakes, where an import has several files. */
  file?: string | undefined;
  delimiter?: string;
}

/** Reads a file of records: CSV with a heading, JSON lines, or a JSON array. Records with a mistake are left out. */
export function readRecords<C extends Columns>(content: Buffer, options: Options<C>): FileRecord<C>[] {
  const reader = new Reader(options);
  if (/^(?:\xef\xbb\xbf)?\s*[[{]/.test(content.toString('latin1', 0, 1024))) readJson(content.toString(), reader);
  else readCsv(content, options.delimiter ?? ',', reader);
  return reader.records as FileRecord<C>[];
}

class Reader {
  readonly records: unknown[] = [];
  readonly #options: Options<Columns>;
  readonly #schema: z.ZodObject;
  readonly #known: string[];
  readonly #required: string[];

  constructor(options: Options<Columns>) {
    this.#options = options;
    this.#schema = z.object(options.columns);
    const columns = Object.entries(options.columns);
    this.#known = columns.map(([name]) => name);
    this.#required = columns.filter(([, column]) => !column.safeParse(null).success).map(([name]) => name);
  }

  reject(line: number, message: string, column?: string): void {
    const { mistakes, file } = this.#options;
    mistakes.add({ file, line, column, message });
  }

  /** Reports columns that are missing, unknown or repeated; returns whether there are none. */
  accepts(names: string[], line: number): boolean {
    const known = this.#known;
    const missing = this.#required.filter((name) => !names.includes(name));
    const unknown = names.filter((name) => !known.includes(name)).map((name) => name.replace(/\p{C}/gu, ' '));
    const repeated = known.filter((name) => names.indexOf(name) !== names.lastIndexOf(name));
    const messages = [
      ...missing.map((name) => `the column ${name} is missing`),
      ...unknown.map((name) => `unknown column "${name.slice(0, 50)}"; the columns are ${known.join(', ')}`),
      ...repeated.map((name) => `${name} is there twice`),
    ];
    for (const message of messages) this.reject(line, message);
    return messages.length === 0;
  }

  add(line: number, cells: Record<string, unknown>): void {
    const values = this.#known.map((name) => [name, textOf(cells[name])]);
    const { data, error } = this.#schema.safeParse(Object.fromEntries(values));
    if (data !== undefined) this.records.push({ ...data, line });
    const issues = Map.groupBy(error?.issues ?? [], ({ path }) => String(path[0]));
    for (const [column, [issue]] of issues) this.reject(line, issue?.message ?? 'is invalid', column);
  }
}

/** A cell as columns read it: trimmed text, null for none, or what a column rejects. */
function textOf(cell: unknown): unknown {
  if (typeof cell === 'string') return cell.trim() || null;
  if (typeof cell === 'number') return String(cell);
  return Array.isArray(cell) ? cell.map(textOf).join(';') || null : (cell ?? null);
}

function readCsv(content: Buffer, delimiter: string, reader: Reader): void {
  let line = 1;
  let names: string[] | undefined;
  let isRejected = false;
  const take = (cells: string[], start: number) => {
    // A blank line, or a row that a spreadsheet left empty.
    if (isRejected || cells.every((cell) => cell.trim() === '')) return;
    if (names === undefined) {
      names = withoutEmptyEnd(cells, 0).map((cell) => cell.trim().toLowerCase());
      isRejected = hasOtherDelimiter(cells, start, reader) || !reader.accepts(names, start);
    } else if (names.length === withoutEmptyEnd(cells, names.length).length) {
      reader.add(start, Object.fromEntries(names.map((name, index) => [name, cells[index]])));
    } else reader.reject(start, `the row has ${cells.length} cells, the heading ${names.length}`);
  };
  try {
    parse(content, {
      bom: true,
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      max_record_size: maxRowSize,
      on_record: (cells: string[]) => {
        const start = line;
        line += 1 + cells.reduce((count, cell) => count + (cell.match(/\r\n|\r|\n/g)?.length ?? 0), 0);
        take(cells, start);
        return null;
      },
    });
    if (names === undefined) reader.reject(1, 'the file is empty; its first line must name the columns');
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    if (!isRejected) reader.reject(line, csvMessages[error.code] ?? error.message);
  }
}

// Spreadsheets write columns that are empty.
function withoutEmptyEnd(cells: string[], least: number): string[] {
  const last = cells.findLastIndex((cell) => cell.trim() !== '');
  return cells.slice(0, Math.max(least, last + 1));
}

const unclosedQuote = 'a quote is opened here and not closed';
const innerQuote = 'a quote within a cell must be written twice (""), and the cell between quotes';

const csvMessages: Partial<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: unclosedQuote,
  CSV_MAX_RECORD_SIZE: `the row is over ${maxRowSize / 1024} KiB; perhaps ${unclosedQuote}`,
  INVALID_OPENING_QUOTE: innerQuote,
  CSV_INVALID_CLOSING_QUOTE: innerQuote,
};

function hasOtherDelimiter(cells: string[], line: number, reader: Reader): boolean {
  const other = cells.length === 1 ? /[;\t|]/.exec(cells[0] ?? '')?.[0] : undefined;
  if (other === undefined) return false;
  const option = other === '\t' ? 'tabs: --delimiter tab' : `${other}: --delimiter '${other}'`;
  reader.reject(line, `the cells seem to be separated by ${option}`);
  return true;
}

// JSON lines, or an array: each object between them is parsed by itself, so that a mistake has its line.
function readJson(text: string, reader: Reader): void {
  let [line, depth, start, startLine, end] = [1, 0, 0, 1, 0];
  const rejectText = (from: number, to: number, at: number) => {
    if (/[^\s,[\]\uFEFF]/.test(text.slice(from, to))) reader.reject(at, 'is not JSON');
  };
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\\n]|\\.)*"|[{}\n]/g)) {
    if (token === '\n') line++;
    else if (token === '{' && depth++ === 0) {
      rejectText(end, index, line);
      [start, startLine] = [index, line];
    } else if (token === '}' && --depth === 0) {
      end = index + 1;
      addObject(text.slice(start, end), startLine, reader);
    }
  }
  rejectText(end, text.length, depth > 0 ? startLine : line);
  if (/^[\s\uFEFF]*\[/.test(text) && !/\]\s*$/.test(text))
    reader.reject(line, 'the array does not end; perhaps the file was cut off');
}

function addObject(json: string, line: number, reader: Reader): void {
  let object: Record<string, unknown>;
  try {
    object = JSON.parse(json);
  } catch (error) {
    reader.reject(line, `is not JSON: ${(error as Error).message}`);
    return;
  }
  if (reader.accepts(Object.keys(object), line)) reader.add(line, object);
}
