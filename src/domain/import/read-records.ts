import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import { type Columns, Fault, type FileRecord, parseCell } from './column.ts';
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
  return reader.records;
}

class Reader<C extends Columns> {
  readonly records: FileRecord<C>[] = [];
  readonly columns: C;
  readonly #mistakes: Mistakes;
  readonly #file: string | undefined;

  constructor({ columns, mistakes, file }: Options<C>) {
    this.columns = columns;
    this.#mistakes = mistakes;
    this.#file = file;
  }

  reject(line: number, message: string, column?: string): void {
    this.#mistakes.add({ file: this.#file, line, message, ...(column !== undefined && { column }) });
  }

  /** Reports columns that are missing, unknown or repeated; returns whether there are none. */
  accepts(names: string[], line: number): boolean {
    const known = Object.keys(this.columns);
    const messages = [
      ...known
        .filter((name) => !this.columns[name]?.isOptional && !names.includes(name))
        .map((name) => `the column ${name} is missing`),
      ...names
        .filter((name) => !known.includes(name))
        .map(
          (name) =>
            `unknown column "${name.replace(/\p{C}/gu, ' ').slice(0, 50)}"; the columns are ${known.join(', ')}`,
        ),
      ...known
        .filter((name) => names.indexOf(name) !== names.lastIndexOf(name))
        .map((name) => `${name} is there twice`),
    ];
    for (const message of messages) this.reject(line, message);
    return messages.length === 0;
  }

  add(line: number, cellOf: (name: string) => string): void {
    const record: Record<string, unknown> = { line };
    let isValid = true;
    for (const [name, column] of Object.entries(this.columns)) {
      try {
        record[name] = parseCell(column, cellOf(name));
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        isValid = false;
        this.reject(line, error.message, name);
      }
    }
    if (isValid) this.records.push(record as FileRecord<C>);
  }
}

function readCsv(content: Buffer, delimiter: string, reader: Reader<Columns>): void {
  let line = 1;
  let names: string[] | undefined;
  let isRejected = false;
  const take = (cells: string[], start: number) => {
    // A blank line, or a row that a spreadsheet left empty.
    if (isRejected || cells.every((cell) => cell.trim() === '')) return;
    if (names === undefined) {
      names = cells.map((cell) => cell.trim().toLowerCase());
      isRejected = hasOtherDelimiter(cells, start, reader) || !reader.accepts(names, start);
      return;
    }
    if (cells.length !== names.length) {
      reader.reject(start, `the row has ${cells.length} cells, the heading ${names.length}`);
      return;
    }
    const columns = names;
    reader.add(start, (name) => cells[columns.indexOf(name)] ?? '');
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

const unclosedQuote = 'a quote is opened here and not closed';

const csvMessages: Partial<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: unclosedQuote,
  CSV_MAX_RECORD_SIZE: `the row is over ${maxRowSize / 1024} KiB; perhaps ${unclosedQuote}`,
  INVALID_OPENING_QUOTE: 'a quote within a cell must be written twice (""), and the cell between quotes',
  CSV_INVALID_CLOSING_QUOTE: 'a quote within a cell must be written twice (""), and the cell between quotes',
};

function hasOtherDelimiter(cells: string[], line: number, reader: Reader<Columns>): boolean {
  const other = cells.length === 1 ? /[;\t|]/.exec(cells[0] ?? '')?.[0] : undefined;
  if (other === undefined) return false;
  const option = other === '\t' ? 'tabs: --delimiter tab' : `${other}: --delimiter '${other}'`;
  reader.reject(line, `the cells seem to be separated by ${option}`);
  return true;
}

// JSON lines, or an array: each object between them is parsed by itself, so that a mistake has its line.
function readJson(text: string, reader: Reader<Columns>): void {
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
}

function addObject(json: string, line: number, reader: Reader<Columns>): void {
  let object: Record<string, unknown>;
  try {
    object = JSON.parse(json);
  } catch (error) {
    reader.reject(line, `is not JSON: ${(error as Error).message}`);
    return;
  }
  if (reader.accepts(Object.keys(object), line)) reader.add(line, (name) => cellOf(object[name]));
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(cellOf).join(';');
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  throw new Fault('must be text, a number or a list');
}
