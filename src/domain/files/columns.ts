import { z } from 'zod';
import { faultOfName, type NameLength, nameLength, normalizeName } from '../../kernel/localization/name.ts';

/** Highest id allowed in a file; the database assigns higher ones. */
const maxId = 2_000_000_000;

/** The columns of a file by name. Each parses the text of a cell, or null for an empty cell. */
export type Columns = Record<string, z.ZodType>;

/** A record of a file, with the line where it begins. */
export type FileRecord<C extends Columns> = z.infer<z.ZodObject<C>> & { line: number };

const cell = z.string({ error: ({ input }) => (input === null ? 'is required' : 'must be text, a number or a list') });

/** A column of valid texts; `expected` describes them in error messages. */
export function text(isValid: (text: string) => boolean, expected: string) {
  return cell.refine(isValid, `must be ${expected}`);
}

const isId = (value: string) => /^\d{1,10}$/.test(value) && Number(value) >= 1 && Number(value) <= maxId;

export const id = text(isId, `a whole number from 1 to ${maxId}`).transform(Number);

/** Ids separated by semicolons, without duplicates. */
export const idList = cell
  .transform((value) => value.split(';'))
  .pipe(z.array(id))
  .transform((ids) => [...new Set(ids)]);

const isoTime = z.iso.date().or(z.iso.datetime({ offset: true }));

/** Years and offsets that PostgreSQL accepts too. */
const range = /^[12]\d{3}-.*?(?:[+-](?:0\d|1[0-5])(?::\d\d)?|Z|-\d\d)$/;

/** A date (midnight in UTC) or a time with its offset, in the format of ISO 8601 or PostgreSQL. */
export const time = text(
  (value) => range.test(value) && isoTime.safeParse(value.replace(' ', 'T').replace(/(:.*[+-]\d\d)$/, '$1:00')).success,
  'a date such as 2027-01-31, or a time with its offset such as 2027-01-31T12:00:00Z',
).transform((value) => (value.includes(':') ? value : `${value}T00:00:00Z`));

export function name(length: NameLength = nameLength) {
  return cell.transform(normalizeName).superRefine((value, context) => {
    const fault = faultOfName(value, length);
    if (fault === undefined) return;
    let message = 'must have visible characters and no control characters';
    if (fault === 'invalid_length') message = `must have ${length.min} to ${length.max} characters`;
    if (value.includes('\uFFFD')) message = 'is not in UTF-8: save the file in that encoding';
    context.addIssue({ code: 'custom', message });
  });
}

export function oneOf<const Values extends readonly string[]>(values: Values) {
  const expected = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(values);
  return cell.pipe(z.enum(values, `must be ${expected}`));
}

/** Renames the properties of a row to the column names of files and tables. */
export function snakeCased(row: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [snakeCase(name), value]));
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
