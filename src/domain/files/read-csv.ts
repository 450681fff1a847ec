import { pipeline, type Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { trimInvisible } from '../../kernel/localization/name.ts';
import { type Columns, isOptional } from './columns.ts';
import type { ImportError } from './file-format.ts';

export const maxErrors = 1_000;

const maxLineBytes = 1024 * 1024;

const quotes = 'quote a cell that contains quotes, and double these: "6"" pizza"';

const parserMessages: Record<string, string> = {
  CSV_INVALID_CLOSING_QUOTE: quotes,
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE: quotes,
  CSV_MAX_RECORD_SIZE: `the line must have at most ${maxLineBytes} bytes`,
  CSV_QUOTE_NOT_CLOSED: 'a quote is not closed',
  INVALID_OPENING_QUOTE: quotes,
};

type FileRow = Record<string, unknown> & { line: number };

/** UTF-8 with a heading. Leaves out lines with errors, which it adds to `errors`. */
export async function* readCsv(input: Readable, columns: Columns, errors: ImportError[]): AsyncGenerator<FileRow> {
  const parser = parse({
    bom: true,
    info: true,
    max_record_size: maxLineBytes,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    trim: true,
  });
  // The loop throws its errors.
  pipeline(input, parser, () => {});
  let heading: string[] | undefined;
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      const line = info.lines;
      const add = (column: string | null, message: string) => void errors.push({ line, column, message });
      if (heading === undefined) {
        heading = record.map(trimInvisible);
        const problem = checkHeading(heading, columns);
        if (problem !== undefined) return add(null, problem);
      } else if (record.length !== heading.length) {
        add(null, `the line has ${record.length} cells, but the heading has ${heading.length}`);
      } else {
        const before = errors.length;
        const row: FileRow = { line };
        for (const [index, name] of heading.entries()) {
          const { data, error } = (columns[name] as Columns[string]).safeParse(
            trimInvisible(record[index] ?? '') || null,
          );
          if (error) add(name, error.issues[0]?.message ?? 'is invalid');
          row[name] = data;
        }
        if (errors.length === before) yield row;
      }
      if (errors.length >= maxErrors) return;
    }
    if (heading === undefined) errors.push({ line: 1, column: null, message: 'the file has no heading' });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // The parser reports an open quote at the end of the file, so count the records before it.
    const isOpen = error.code === 'CSV_QUOTE_NOT_CLOSED';
    const line = isOpen ? Number(error.records) + Number(error.empty_lines) + 1 : Number(error.lines);
    errors.push({ line, column: null, message: parserMessages[error.code] ?? error.message });
  }
}

function checkHeading(heading: string[], columns: Columns): string | undefined {
  const supported = Object.keys(columns);
  const unknown = heading.find((name) => !supported.includes(name));
  if (unknown !== undefined) return `unknown column ${unknown.slice(0, 50)}; the columns are ${supported.join(', ')}`;
  if (new Set(heading).size < heading.length) return 'a column is repeated';
  const missing = supported.find((name) => !heading.includes(name) && !isOptional(columns[name] as Columns[string]));
  return missing && `the column ${missing} is missing`;
}
