import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import { type ItemHeading, readHeading } from './item-heading.ts';
import { type ItemRecord, readRow } from './item-row.ts';
import type { Mistakes } from './mistake.ts';

/** Bytes of a row: more is rather a quote that nothing closes. */
const maxRowSize = 64 * 1024;
const batchSize = 5_000;

/** An item of a file, and the line on which its row begins. */
export interface FileItem extends ItemRecord {
  line: number;
}

interface Options {
  delimiter: string;
  /** Takes what is wrong with the file; rows with a mistake are left out. */
  mistakes: Mistakes;
  signal: AbortSignal;
}

/** Reads the items of a CSV file as it comes, some thousands at a time: it is never in memory as a whole. */
export async function* readItemFile(
  input: Readable,
  { delimiter, mistakes, signal }: Options,
): AsyncGenerator<FileItem[]> {
  const reader = new RowReader(mistakes);
  const parser = parse({
    bom: true,
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    max_record_size: maxRowSize,
    // Its types know of no rows but those of cells.
    on_record: (cells: string[]) => (reader.read(cells) ?? null) as never,
  });
  const piped = pipeline(input, parser, { signal });
  // Told by the parser too, which is what is read.
  piped.catch(() => {});
  try {
    let batch: FileItem[] = [];
    for await (const item of parser as AsyncIterable<FileItem>) {
      batch.push(item);
      if (batch.length < batchSize) continue;
      yield batch;
      batch = [];
    }
    await piped;
    yield batch;
    if (!reader.hasHeading) mistakes.add({ line: 1, message: 'the file is empty: its first line names the columns' });
  } catch (error) {
    if (error instanceof CsvError) mistakes.add({ line: reader.line, message: sentenceOf(error) });
    else if (!(error instanceof WrongHeading)) throw error;
  }
}

class WrongHeading extends Error {}

/** Makes items of rows, and knows on which line each begins. */
class RowReader {
  line = 1;
  #heading: ItemHeading | undefined;
  readonly #mistakes: Mistakes;

  constructor(mistakes: Mistakes) {
    this.#mistakes = mistakes;
  }

  get hasHeading(): boolean {
    return this.#heading !== undefined;
  }

  read(cells: string[]): FileItem | undefined {
    const line = this.line;
    this.line += 1 + lineBreaks(cells);
    // A blank line, or a row that a spreadsheet left without any content.
    if (cells.every((cell) => cell.trim() === '')) return undefined;
    if (this.#heading === undefined) {
      this.#heading = this.#readHeading(cells, line);
      return undefined;
    }
    if (cells.length !== this.#heading.cells) {
      this.#mistakes.add({ line, message: `there are ${cells.length} cells, and ${this.#heading.cells} columns` });
      return undefined;
    }
    const item = readRow(this.#heading, cells, (column, message) => this.#mistakes.add({ line, column, message }));
    return item && { line, ...item };
  }

  #readHeading(cells: string[], line: number): ItemHeading {
    const heading = readHeading(cells);
    if (!Array.isArray(heading)) return heading;
    for (const message of heading) this.#mistakes.add({ line, message });
    throw new WrongHeading();
  }
}

function lineBreaks(cells: string[]): number {
  let count = 0;
  for (const cell of cells) if (/[\r\n]/.test(cell)) count += cell.match(/\r\n|\r|\n/g)?.length ?? 0;
  return count;
}

function sentenceOf({ code }: CsvError): string {
  if (code === 'CSV_QUOTE_NOT_CLOSED') return 'a quote is opened here that nothing closes';
  if (code === 'CSV_MAX_RECORD_SIZE')
    return `the row is over ${maxRowSize / 1024} KiB: is there a quote that nothing closes?`;
  return 'a quote within a cell is written twice (""), and the cell between quotes';
}
