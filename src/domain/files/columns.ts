import { z } from 'zod';
import { faultOfName, type NameLength, nameLength, normalizeName } from '../../kernel/localization/name.ts';

/** Highest id allowed in a file; the database assigns higher ones. */
const maxId = 2_000_000_000;

/** The columns of a file by name. Each parses the text of a cell, or null for an empty cell, and describes itself. */
export type Columns = Record<string, z.ZodType>;

const cellOf = (expected: string) =>
  z.string({ error: ({ input }) => (input === null ? 'is required' : `must be ${expected}`) });

const cell = cellOf('text');

/** PostgreSQL stores no NUL, and no encoding has lone surrogates. */
const isStorable = (value: string) => !/[\0\p{Cs}]/u.test(value);

/** A column of valid texts; `expected` describes them in error messages and in the help. */
export function text(isValid: (text: string) => boolean, expected: string) {
  return cellOf(expected)
    .refine((value) => isStorable(value) && isValid(value), `must be ${expected}`)
    .describe(expected);
}

/** A column that a file may lack, and whose cells may be empty. */
export function optional<Column extends z.ZodType>(column: Column, description = column.description ?? '') {
  return column.nullable().describe(`optional; ${description}`);
}

export function isOptional(column: z.ZodType): boolean {
  return column.safeParse(null).success;
}

const isId = (value: string) => /^\d{1,10}$/.test(value) && Number(value) >= 1 && Number(value) <= maxId;

const idRange = `a whole number from 1 to ${maxId}`;

/** The text of a number in JSON. Cells of CSV are texts already. */
const digitsOf = (cell: unknown) => (typeof cell === 'number' ? String(cell) : cell);

/** Whether an element of a JSON list is digits, or nothing: null or a blank text. */
function isListed(element: unknown): boolean {
  return element === null || (typeof element !== 'object' && /^\d*$/.test(String(element).trim()));
}

export const id = z.preprocess(digitsOf, text(isId, idRange).transform(Number)).describe(`kept; ${idRange}`);

export const companyId = id.describe('left out with --company');

// Blank elements and blanks around ids do not count, as in REST v1.
const elementsOf = (list: string) => list.split(';').flatMap((element) => element.trim() || []);

// One error for the whole list, which may be long.
const listedIds = text((value) => elementsOf(value).every(isId), idRange).transform((value) => [
  ...new Set(elementsOf(value).map(Number)),
]);

export const idList = z
  .preprocess((cell) => (Array.isArray(cell) && cell.every(isListed) ? cell.join(';') : digitsOf(cell)), listedIds)
  .describe('ids between semicolons, or a list in JSON');

const isoTime = z.iso.date().or(z.iso.datetime({ offset: true }));

/** Years and offsets that PostgreSQL accepts too, in texts whose length keeps the steps below fast. */
const range = /^[12]\d{3}-.{0,59}?(?:[+-](?:0\d|1[0-5])(?::\d\d)?|Z|-\d\d)$/;

/** A date (midnight in UTC) or a time with its offset, in the format of ISO 8601 or PostgreSQL. */
export const time = text(
  (value) =>
    range.test(value) && isoTime.safeParse(value.replace(' ', 'T').replace(/$(?<=:.*[+-]\d\d)/, ':00')).success,
  'a date such as 2027-01-31, or a time with its offset such as 2027-01-31T12:00:00Z',
)
  .transform((value) => (value.includes(':') ? value : `${value}T00:00:00Z`))
  .describe('a date or time, such as 2027-01-31T12:00:00Z');

export function name(length: NameLength = nameLength) {
  const expected = `${length.min} to ${length.max} characters`;
  const column = cell.transform(normalizeName).superRefine((value, context) => {
    const fault = faultOfName(value, length);
    if (fault === undefined) return;
    let message = 'must have visible characters and no control characters';
    if (fault === 'invalid_length') message = `must have ${expected}`;
    if (value.includes('\uFFFD')) message = 'is not in UTF-8: save the file in that encoding';
    context.addIssue({ code: 'custom', message });
  });
  return column.describe(expected);
}

export function names(length?: NameLength) {
  const column = name(length);
  const describe = (language: string) => column.describe(`in ${language}; ${column.description}`);
  return { name_en: describe('English'), name_ar: describe('Arabic') };
}

export function oneOf<const Values extends readonly string[]>(values: Values) {
  const expected = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(values);
  const inCase = (value: string) => values.find((each) => each.toLowerCase() === value.toLowerCase()) ?? value;
  return cell
    .transform(inCase)
    .pipe(z.enum(values, `must be ${expected}`))
    .describe(expected);
}

/** Renames the properties of a row to the column names of files and tables. */
export function snakeCased<Value>(row: Record<string, Value>): Record<string, Value>;
export function snakeCased(row: object): Record<string, unknown>;
export function snakeCased(row: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [snakeCase(name), value]));
}

export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
