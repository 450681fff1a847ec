import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { type Columns, isOptional } from './columns.ts';
import type { Mistake } from './mistakes.ts';

/** Longest CSV row or JSON line, in characters; a longer row usually means an unclosed quote. */
const maxRowSize = 1024 * 1024;

/** Separators of CSV cells. A file uses the first one that its heading contains. */
const delimiters = [',', ';', '\t'];

/** The cells of a record by column, with the line where it begins. */
export type FileRecord = Record<string, unknown> & {
  line: number;
  /** The names of the columns that it lacks. */
  absent: string[];
  /** Whether all of its cells are valid. */
  is_valid: boolean;
};

/**
 * Streams the records of CSV with a heading, or of JSON lines. Reports mistakes: an invalid cell is null in its record, so
 * that the rules are checked for its other cells; lines without cells of all columns are left out.
 */
export async function* readRecords(
  input: Readable,
  columns: Columns,
  onMistake: (mistake: Mistake) => void,
): AsyncGenerator<FileRecord> {
  const reader = new Reader(columns, onMistake);
  try {
    const texts = textsOf(input);
    let start = '';
    // The first line determines the format.
    for (let next = await texts.next(); !next.done; next = await texts.next()) {
      start += next.value;
      if (start.length > maxRowSize || start.trimStart().includes('\n')) break;
    }
    if (/[\0\uFFFD]/.test(start.split('\n', 1).join()))
      return reader.reject(1, 'the file is not in UTF-8; save it in that encoding');
    if (/^\s*\[/.test(start))
      return reader.reject(1, 'the file is a JSON array; write each object on a line of its own');
    // Excel reads the separator from such a line, and the heading from the next.
    const [line = '', separator] = /^sep=([^\n"])(?=\n|$)/i.exec(start) ?? [];
    const all = concat(start.slice(line.length), texts);
    yield* /^\s*\{/.test(start) ? readJson(all, reader) : readCsv(all, separator ?? delimiterOf(start), reader);
  } finally {
    input.destroy();
  }
}

/** Decodes a file and converts its line ends to line feeds. */
async function* textsOf(input: Readable): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of input) {
    const text = rest + decoder.decode(bytes, { stream: true });
    // The next chunk may begin with a line feed.
    rest = text.endsWith('\r') ? '\r' : '';
    yield text.slice(0, text.length - rest.length).replaceAll(/\r\n?/g, '\n');
  }
  yield (rest + decoder.decode()).replaceAll('\r', '\n');
}

async function* concat(start: string, others: AsyncGenerator<string>): AsyncGenerator<string> {
  yield start;
  yield* others;
}

function delimiterOf(start: string): string {
  const [heading = ''] = start.trimStart().split('\n', 1);
  return delimiters.find((delimiter) => heading.includes(delimiter)) ?? ',';
}

class Reader {
  readonly #columns: Columns;
  readonly #onMistake: (mistake: Mistake) => void;

  constructor(columns: Columns, onMistake: (mistake: Mistake) => void) {
    this.#columns = columns;
    this.#onMistake = onMistake;
  }

  reject(line: number, kind: string, message?: string): void {
    this.#onMistake({ line, kind, message });
  }

  /** Reports missing, unknown and repeated columns; returns false for any. */
  accepts(names: string[], line: number): boolean {
    const known = Object.keys(this.#columns);
    const required = Object.entries(this.#columns).flatMap(([name, column]) => (isOptional(column) ? [] : [name]));
    const missing = required.filter((name) => !names.includes(name));
    for (const name of missing) this.reject(line, `the column ${name} is missing`);
    const accepted = new Set<string>();
    for (const [index, name] of names.entries()) {
      if (accepted.has(name)) this.reject(line, `the column ${name} is repeated`);
      else if (known.includes(name)) accepted.add(name);
      else {
        // A file without a heading may have a token here, which has at least 16 characters.
        const shown = /^[a-z_ ]{1,15}$/i.test(name) ? JSON.stringify(name) : index + 1;
        this.reject(line, `unknown column; the columns are ${known.join(', ')}`, `unknown column ${shown}`);
      }
    }
    return missing.length === 0 && accepted.size === names.length;
  }

  /** The record of these cells; reports their mistakes. */
  read(line: number, cells: Record<string, unknown>): FileRecord {
    const record: Record<string, unknown> = {};
    let isValid = true;
    for (const [column, type] of Object.entries(this.#columns)) {
      const value = trimmedText(cells[column]);
      const { data = null, error } = type.safeParse(value);
      record[column] = data;
      if (error === undefined) continue;
      isValid = false;
      const kind = error.issues[0]?.message ?? 'is invalid';
      this.#onMistake({ line, id: trimmedText(cells.id), column, value, kind });
    }
    const absent = Object.keys(this.#columns).filter((name) => !Object.hasOwn(cells, name));
    return { ...record, line, absent, is_valid: isValid };
  }
}

/** Trimmed text, null for an empty cell, or another value of JSON. */
function trimmedText(cell: unknown): unknown {
  return typeof cell === 'string' ? cell.trim() || null : (cell ?? null);
}

async function* readCsv(texts: AsyncGenerator<string>, delimiter: string, reader: Reader): AsyncGenerator<FileRecord> {
  // The parser runs ahead of the loop below: `line` is its position, `starts` has the first lines of rows in between.
  let line = 1;
  const starts: number[] = [];
  let names: string[] | undefined;
  let isAccepted = false;
  const parser = parse({
    delimiter,
    record_delimiter: '\n',
    max_record_size: maxRowSize,
    relax_column_count: true,
    on_record(cells: string[], { lines }) {
      starts.push(line);
      line = lines + 1;
      return cells;
    },
  });
  // The loop throws its errors.
  pipeline(Readable.from(texts), parser, () => {});
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      const start = starts.shift() ?? line;
      // Spreadsheets write empty rows and columns.
      const width = cells.findLastIndex((cell) => cell.trim() !== '') + 1;
      if (width === 0) continue;
      if (names === undefined) {
        names = cells.slice(0, width).map((cell) => cell.trim().toLowerCase());
        isAccepted = reader.accepts(names, start);
      } else if (cells.length < names.length || width > names.length) {
        const message = `the row has ${cells.length} cells, the heading ${names.length}`;
        reader.reject(start, 'the row has more or fewer cells than the heading', message);
      } else if (isAccepted) {
        yield reader.read(start, Object.fromEntries(names.map((name, index) => [name, cells[index]])));
      }
    }
    if (names === undefined) reader.reject(1, 'the file is empty; its first line must name the columns');
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    reader.reject(line, 'a quote is not closed, or one within a cell is not written twice ("")');
  }
}

async function* readJson(texts: AsyncGenerator<string>, reader: Reader): AsyncGenerator<FileRecord> {
  let line = 1;
  let rest = '';
  for await (const text of texts) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const each of lines) {
      yield* readLine(each, line, reader);
      line += 1;
    }
    if (rest.length > maxRowSize) return reader.reject(line, 'the line is too long');
  }
  yield* readLine(rest, line, reader);
}

function* readLine(text: string, line: number, reader: Reader): Generator<FileRecord> {
  if (text.trim() === '') return;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('not an object');
    if (reader.accepts(Object.keys(value), line)) yield reader.read(line, value as Record<string, unknown>);
  } catch {
    // The original error quotes the line, which may contain a token.
    reader.reject(line, 'is not a JSON object on one line');
  }
}
