import { faultOfName, type NameLength, nameLength, normalizeName } from '../../kernel/localization/name.ts';

/** Highest id that a file may name; higher ones are left for the database to assign. */
const maxId = 2_000_000_000;

/** Says what is wrong with a cell. */
export class Fault extends Error {}

/** Reads the cells of a column from normalized text; throws a Fault when the text is invalid. */
export interface Column<Value = unknown> {
  parse(text: string): Value;
  /** Whether a file may leave the column or its cells empty. */
  isOptional?: boolean;
}

export type Columns = Record<string, Column>;

/** A record of a file: the parsed cells, and the line on which it begins. */
export type FileRecord<C extends Columns> = { line: number } & { [Name in keyof C]: ReturnType<C[Name]['parse']> };

/** Reads the text of a cell, normalized first; an empty cell is null where the column allows it. */
export function parseCell(column: Column, cell: string): unknown {
  const text = normalizeName(cell);
  if (text !== '') return column.parse(text);
  if (column.isOptional) return null;
  throw new Fault('is required');
}

export function optional<Value>(column: Column<Value>): Column<Value | null> {
  return { ...column, isOptional: true };
}

export const id: Column<number> = {
  parse(text) {
    if (/^\d{1,10}$/.test(text) && Number(text) >= 1 && Number(text) <= maxId) return Number(text);
    throw new Fault(`must be a whole number from 1 to ${maxId}`);
  },
};

/** Distinct ids between semicolons. */
export const idList: Column<number[]> = {
  parse: (text) => [...new Set(text.split(';').map((part) => id.parse(part.trim())))],
};

export function name(length: NameLength = nameLength): Column<string> {
  return {
    parse(text) {
      const fault = faultOfName(text, length);
      if (fault === undefined) return text;
      if (text.includes('\uFFFD')) throw new Fault('is not in UTF-8: save the file in that encoding');
      if (fault === 'invalid_length') throw new Fault(`must have ${length.min} to ${length.max} characters`);
      throw new Fault('must have visible characters and no control characters');
    },
  };
}

export function oneOf<Value extends string>(values: readonly Value[]): Column<Value> {
  return {
    parse(text) {
      const value = values.find((each) => each === text);
      if (value !== undefined) return value;
      throw new Fault(`must be ${values.slice(0, -1).join(', ')} or ${values.at(-1)}`);
    },
  };
}

/** Text that a test accepts. */
export function text(isValid: (text: string) => boolean, expected: string): Column<string> {
  return {
    parse(value) {
      if (isValid(value)) return value;
      throw new Fault(`must be ${expected}`);
    },
  };
}
