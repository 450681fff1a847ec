import { InvalidArgumentError } from '@commander-js/extra-typings';
import { faultOfName, nameLength, normalizeName } from '../../kernel/localization/name.ts';

const maxId = 2 ** 31 - 1;

/** An id, as the database has them. */
export function parseId(text: string): number {
  return parseInteger(text, 1, maxId);
}

/** For how many days a token lives. */
export function parseDays(text: string): number {
  return parseInteger(text, 1, 99_999);
}

/** A name as it is stored. */
export function parseName(text: string): string {
  const name = normalizeName(text);
  if (faultOfName(name, nameLength) === undefined) return name;
  throw new InvalidArgumentError(
    `It must have ${nameLength.min} to ${nameLength.max} visible characters, and no control characters`,
  );
}

function parseInteger(text: string, min: number, max: number): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}`);
}

/** What stands between the cells of a CSV file. */
export function parseDelimiter(text: string): string {
  if (text === 'tab') return '\t';
  if (/^[^\w\s"]$/u.test(text) || text === '\t') return text;
  throw new InvalidArgumentError('It must be one character, such as ; or the word tab');
}
