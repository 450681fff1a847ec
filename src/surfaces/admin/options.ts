import { InvalidArgumentError } from '@commander-js/extra-typings';
import { faultOfName, nameLength, normalizeName } from '../../kernel/localization/name.ts';

export const parseId = integerParser(1, 2 ** 31 - 1);

export const parseCount = integerParser(1, 1_000_000);

/** A number of days; `90d` is 90 too. */
export function parseDays(text: string): number {
  return integerParser(1, 99_999)(text.replace(/d$/, ''));
}

function integerParser(min: number, max: number) {
  return (text: string): number => {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  };
}

export function parseName(text: string): string {
  const name = normalizeName(text);
  if (faultOfName(name, nameLength) === undefined) return name;
  const { min, max } = nameLength;
  throw new InvalidArgumentError(`It must have ${min} to ${max} visible characters, and no control characters.`);
}

/** A path of a new file or folder. */
export function parsePath(path: string): string {
  if (path !== '-') return path;
  throw new InvalidArgumentError('It must be a path: standard output cannot be it.');
}

export const companyOption = ['--company <id>', 'the company', parseId] as const;

export const retireOption = (rows: string) =>
  ['--retire <most>', `remove up to this number of ${rows}; if there are more, change nothing`, parseCount] as const;

export const mistakesOption = ['--mistakes <file>', 'write all mistakes to a file, as CSV', parsePath] as const;

export const previousOption = (kind: 'file' | 'folder') =>
  ['--previous <path>', `write the rows that it changes or removes to a new ${kind}, as they were`, parsePath] as const;

export const excelOption = ['--excel', 'write CSV as Excel opens it: a byte order mark, semicolons, CRLF'] as const;
