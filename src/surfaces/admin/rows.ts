import { createTable } from './table.ts';
import type { Terminal } from './terminal.ts';

type Value = string | number | boolean | Date | null;

/** A column of a list. */
export interface Column<Row> {
  /** Its key in JSON, and in capitals its heading in a table. */
  name: string;
  value(row: Row): Value;
  /** What stands before the value on a line of its own, where no heading says what it is. */
  label?: string;
  /** What stands for null. */
  absent?: string;
}

interface Options {
  csv?: boolean | undefined;
  json?: boolean | undefined;
  /** What a person is told when there are no rows. */
  none: string;
}

/** Prints rows as they come: a table in a terminal, lines of cells between tabs elsewhere, or CSV or JSON. */
export async function printRows<Row>(
  terminal: Terminal,
  columns: Column<Row>[],
  pages: AsyncIterable<Row[]>,
  { csv = false, json = false, none }: Options,
): Promise<void> {
  const names = columns.map((column) => column.name);
  const table = createTable(names);
  let count = 0;
  const format = (rows: Row[]) => {
    if (csv)
      return [...(count === 0 ? [names] : []), ...rows.map((row) => columns.map((column) => line(column, row)))]
        .map(csvLine)
        .join('\n');
    if (json) return rows.map((row, index) => `${count + index === 0 ? '[' : ','}${jsonOf(columns, row)}`).join('\n');
    if (terminal.isRead) return table(rows.map((row) => columns.map((column) => cell(column, row))));
    return rows.map((row) => columns.map((column) => line(column, row)).join('\t')).join('\n');
  };
  for await (const rows of pages) {
    if (rows.length > 0) await terminal.print(format(rows));
    count += rows.length;
  }
  if (json) await terminal.print(count === 0 ? '[]' : ']');
  else if (count === 0) terminal.note(none);
}

/** The pages of a list that is read as a whole. */
export async function* onePage<Row>(rows: Promise<Row[]>): AsyncIterable<Row[]> {
  yield await rows;
}

function jsonOf<Row>(columns: Column<Row>[], row: Row): string {
  return JSON.stringify(Object.fromEntries(columns.map((column) => [column.name, column.value(row)])));
}

function csvLine(cells: string[]): string {
  return cells.map((cell) => (/[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',');
}

function cell<Row>(column: Column<Row>, row: Row): string {
  const value = column.value(row);
  if (value === null) return column.absent ?? '';
  return plain(value instanceof Date ? `${value.toISOString().slice(0, 16).replace('T', ' ')}Z` : String(value));
}

function line<Row>(column: Column<Row>, row: Row): string {
  const { label, absent = '' } = column;
  const value = column.value(row);
  if (value === null) return absent;
  const text = plain(value instanceof Date ? value.toISOString() : String(value));
  return label === undefined ? text : `${label} ${text}`;
}

// What a terminal would obey, and what would end a cell.
function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ');
}
