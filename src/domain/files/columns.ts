import { z } from 'zod';
import {
  type NameLength,
  nameLength,
  normalizeName,
  trimInvisible,
  validateName,
} from '../../kernel/localization/name.ts';

/** Each column parses the text of a cell, or null for an empty cell. */
export type Columns = Record<string, z.ZodType>;

/** `expected` completes "must be ..." in error messages. */
export function text(isValid: (text: string) => boolean, expected: string) {
  return z.string({ error: 'is required' }).refine(isValid, `must be ${expected}`);
}

export function optional<Column extends z.ZodType>(column: Column) {
  return column.nullable();
}

export function isOptional(column: z.ZodType): boolean {
  return column.safeParse(null).success;
}

const maxId = 2 ** 31 - 1;

const isId = (value: string) => /^\d{1,10}$/.test(value) && Number(value) >= 1 && Number(value) <= maxId;

export const id = text(isId, `a whole number from 1 to ${maxId}`).transform(Number);

// Blank elements do not count, as in REST v1.
const splitList = (list: string) => list.split(';').map(trimInvisible).filter(Boolean);

export const idList = text((list) => splitList(list).every(isId), 'ids separated by ;').transform((list) => [
  ...new Set(splitList(list).map(Number)),
]);

export const time = text(
  (value) => z.iso.datetime({ offset: true }).safeParse(value).success,
  'a time with its offset, such as 2027-01-31T12:00:00Z',
);

export function name(length: NameLength = nameLength) {
  const messages = {
    invalid_length: `must have ${length.min} to ${length.max} characters`,
    invalid_characters: 'has control or invisible characters, or is not UTF-8',
  };
  return z
    .string({ error: 'is required' })
    .transform(normalizeName)
    .superRefine((value, context) => {
      const problem = validateName(value, length);
      if (problem !== undefined) context.addIssue({ code: 'custom', message: messages[problem] });
    });
}

export function names(length?: NameLength) {
  return { name_en: name(length), name_ar: name(length) };
}

export function oneOf<const Values extends readonly string[]>(values: Values) {
  return z.enum(values, `must be ${values.join(' or ')}`);
}

export function toSnakeCaseKeys(row: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [toSnakeCase(name), value]));
}

function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
