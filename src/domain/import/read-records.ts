import { CsvError, type InfoRecord } from 'csv-parse';
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
  file?: string;
}

/** Reads a file of records: CSV with a heading, JSON lines, or a JSON array. Records with a mistake are left out. */
export function readRecords<C extends Columns>(content: Buffer, options: Options<C>): FileRecord<C>[] {
  const reader = new Reader(options);
  const text = new TextDecoder().decode(content).replaceAll(/\r\n?/g, '\n');
  if (/^\s*[[{]/.test(text)) readJson(text, reader);
  else readCsv(text, reader);
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
    const messages = [
      ...this.#required.filter((name) => !names.includes(name)).map((name) => `the column ${name} is missing`),
      ...names
        .filter((name, index) => !known.includes(name) || names.indexOf(name) !== index)
        .map((name) => `unknown or repeated column ${JSON.stringify(name)}; the columns are ${known.join(', ')}`),
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

function readCsv(text: string, reader: Reader): void {
  let line = 1;
  let names: string[] | undefined;
  let isAccepted = false;
  const take = (cells: string[], start: number) => {
    // Spreadsheets write rows and columns that are empty.
    const width = cells.findLastIndex((cell) => cell.trim() !== '') + 1;
    if (width === 0) return;
    if (names === undefined) {
      names = cells.slice(0, width).map((cell) => cell.trim().toLowerCase());
      isAccepted = reader.accepts(names, start);
    } else if (cells.length < names.length || width > names.length) {
      reader.reject(start, `the row has ${cells.length} cells, the heading ${names.length}`);
    } else if (isAccepted) reader.add(start, Object.fromEntries(names.map((name, index) => [name, cells[index]])));
  };
  try {
    parse(text, {
      record_delimiter: '\n',
      relax_column_count: true,
      max_record_size: maxRowSize,
      on_record: (cells: string[], { lines }: InfoRecord) => {
        take(cells, line);
        line = lines + 1;
        return null;
      },
    });
    if (names === undefined) reader.reject(1, 'the file is empty; its first line must name the columns');
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    reader.reject(line, 'a quote is not closed, or one within a cell is not written twice ("")');
  }
}

// JSON lines, or an array: each object is parsed by itself, so that a mistake has its line.
function readJson(text: string, reader: Reader): void {
  let line = 1;
  // An object without others within it; the line of any other; what is between them; anything else.
  for (const [part] of text.matchAll(/\{[^{}"]*(?:"(?:[^"\\\n]|\\.)*"[^{}"]*)*\}|\{.*|[\s,[\]]+|[^{]+/g)) {
    if (part.startsWith('{')) addObject(part, line, reader);
    else if (/[^\s,[\]]/.test(part)) reader.reject(line, 'is not JSON');
    line += part.split('\n').length - 1;
  }
  if (/^\s*\[/.test(text) && !/\]\s*$/.test(text)) {
    reader.reject(line, 'the array does not end; perhaps the file was cut off');
  }
}

function addObject(json: string, line: number, reader: Reader): void {
  try {
    const object = JSON.parse(json);
    if (reader.accepts(Object.keys(object), line)) reader.add(line, object);
  } catch (error) {
    reader.reject(line, `is not JSON: ${(error as Error).message}`);
  }
}
